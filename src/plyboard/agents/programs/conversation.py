"""What both protocols share: a conversation with a program, in which every wait has an end."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace

from plyboard.agents.bots.running_search import RunningSearch
from plyboard.agents.programs.process import ProgramProcess
from plyboard.games import Game, Position
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice

SECONDS_TO_STOP = 0.5  # for the answer after a stop
USUAL_SECONDS = 1.0  # for a move if the budget has no limit at all


class Conversation(ABC):
    """A program that was started for one game, and the protocol spoken with it."""

    def __init__(self, process: ProgramProcess, game: Game) -> None:
        self.process, self.game = process, game
        self.limits = process.sandbox.limits
        self.name = ""  # as the program calls itself
        self.seconds_to_stop = SECONDS_TO_STOP

    @abstractmethod
    def open(self) -> None:
        """Greet the program and set it up for its game; raise `BotError` if that fails."""

    @abstractmethod
    def new_game(self) -> None:
        """Tell the program that a new game begins, and wait until it is ready."""

    @abstractmethod
    def quit(self) -> None:
        """Ask the program to exit."""

    @abstractmethod
    def before_move(self) -> None:
        """Make sure that nothing the program writes from here on belongs to an earlier move."""

    @abstractmethod
    def move_request(self, position: Position, budget: Budget) -> list[str]:
        """Return the lines that ask for a move."""

    @abstractmethod
    def stop_request(self) -> str:
        """Return the line that asks for an answer at once."""

    @abstractmethod
    def read_move(self, line: str, position: Position, search: RunningSearch) -> Choice | None:
        """Return the choice in a line; None if it holds none."""

    def choose(self, position: Position, budget: Budget, search: RunningSearch) -> Choice:
        """Return the program's choice; raise `BotError` if it gives none in time."""
        if budget.is_open:
            budget = replace(budget, seconds=USUAL_SECONDS)
        began = time.monotonic()
        allowed = self.limits.wait if budget.seconds is None else budget.seconds
        deadline, is_asked = began + allowed + self.limits.margin, False
        for line in self.move_request(position, budget):
            self.process.send(line, deadline)
        while True:
            if search.is_stopped and not is_asked:
                is_asked = True
                deadline = min(deadline, time.monotonic() + self.seconds_to_stop)
                self.process.send(self.stop_request(), deadline)
            line_or_none = self.process.receive(deadline, "move")
            if line_or_none is None:
                continue
            choice = self.read_move(line_or_none, position, search)
            if choice is not None:
                return replace(choice, seconds=time.monotonic() - began)

    def wait_for(self, accept: Callable[[str], bool], awaited: str) -> None:
        """Read lines until one is accepted; raise `BotError` if none comes in time."""
        deadline = time.monotonic() + self.limits.start
        while True:
            line = self.process.receive(deadline, awaited)
            if line is not None and accept(line):
                return

    def send(self, line: str) -> None:
        """Send a line that is read within the time to start."""
        self.process.send(line, time.monotonic() + self.limits.start)


def moves_since(position: Position) -> tuple[Position, tuple[int, ...]]:
    """Return the first position of a game, and the actions since; a lost turn starts it anew."""
    actions: list[int] = []
    here = position
    while here.before is not None and here.last_action is not None:
        actions.append(here.last_action)
        here = here.before
    return here, tuple(reversed(actions))
