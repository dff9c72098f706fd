"""Where moves come from: an agent, a keyboard, a socket. Only seats wait."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from numbers import Integral
from operator import index
from typing import Protocol, runtime_checkable

from plyboard.agents import Agent, Bot, Limits, Listener, RunningSearch, open_bot
from plyboard.agents.agent import NO_LIMIT
from plyboard.agents.bots.bot import NO_LISTENER
from plyboard.games import Position, spec_of
from plyboard.play.defensive_copy import DefensiveCopies
from plyboard.play.fault import Fault, class_name, guarded
from plyboard.play.match import Match, is_value
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice

SEED_STEP = 1000  # so that the turns of one match differ, and those of the next seed from them
SECONDS_TO_STOP = 2.0  # for a search that was told to stop, before its bot is given up
MOST_REFUSALS = 3  # moves of one turn that an agent may get wrong where the event asks again


class PlayerCommand(Enum):
    """What a player may say besides a move."""

    RESIGN = "resign"
    LEAVE = "leave"
    DRAW = "draw"  # offers a draw, or takes the one that was offered
    UNDO = "undo"  # back to the player's previous turn, where the event allows it


SeatInput = str | int | Choice | PlayerCommand | Fault
"""What comes from a seat: a move as text or as an action, a choice, a word, or a fault."""


class Seat(Protocol):
    """One side of a match."""

    def ask(self, match: Match, left: float | None) -> SeatInput:
        """Wait for what the player says.

        The match is not over and it is this player's turn. What is left on the clock is in
        seconds; None without a clock.
        """

    def refused(self, reason: str) -> None:
        """Hear why what was said does not count. The seat is asked again, if it is its turn."""


@runtime_checkable
class Preparable(Protocol):
    """A seat that gets ready before the clock of a match runs."""

    def prepare(self, match: Match) -> None:
        """Do what takes time and is no thinking, such as compiling."""


class SeatSearch:
    """What an agent at the board is thinking about. Its result is something the referee knows."""

    def __init__(self, search: RunningSearch | Fault) -> None:
        self._search = search

    def stop(self) -> None:
        """Have it end soon with what it has found."""
        if not isinstance(self._search, Fault):
            self._search.stop()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it has ended, or so long; tell whether it has."""
        return isinstance(self._search, Fault) or self._search.wait(seconds)

    def result(self) -> SeatInput:
        """Return the agent's choice, or the fault that it made instead."""
        search = self._search
        return (
            search
            if isinstance(search, Fault)
            else guarded(lambda: checked_choice(search.result()))
        )


@dataclass
class AgentSeat:
    """An agent at the board. Whatever it raises or returns becomes something the referee knows.

    Where the event asks again after a move that cannot be played, the agent gets other chance each
    time, and has lost after the third. It gets copies of positions. It thinks as a bot, which is
    opened at its first turn and lives until the seat is closed.
    """

    agent: Agent
    budget: Budget = NO_LIMIT
    refusals: list[str] = field(default_factory=list)  # of the turn at hand
    turns: int = 0
    copies: DefensiveCopies = field(default_factory=DefensiveCopies, repr=False, compare=False)
    process: Limits | None = None  # of the process that it thinks in; None for a thread

    def __post_init__(self) -> None:
        self._bot: Bot | None = None
        self._last: RunningSearch | None = None

    def prepare(self, match: Match) -> None:
        """Compile what the agent needs for a match: no clock should run meanwhile."""
        bot = self._open(self.copies.of(match.position))
        if getattr(self.agent, "compiles", False):
            guarded(lambda: bot.prepare().result())

    def ask(self, match: Match, left: float | None) -> SeatInput:
        """Return the agent's choice, or the fault that it made instead."""
        fault = self._take_turn(match)
        if fault is not None:
            return fault
        given, budget = self.copies.of(match.position), self._budget(match, left)
        return guarded(lambda: checked_choice(self._open(given).think(given, budget)))

    def start(
        self, match: Match, left: float | None, listener: Listener = NO_LISTENER
    ) -> SeatSearch:
        """Begin to think about the turn at hand; ask the result what came of it."""
        fault = self._take_turn(match)
        if fault is not None:
            return SeatSearch(fault)
        given, budget = self.copies.of(match.position), self._budget(match, left)
        self._last = self._open(given).start(given, budget, listener)
        return SeatSearch(self._last)

    def refused(self, reason: str) -> None:
        """Count the refusal; the agent does not hear of it."""
        self.refusals.append(reason)

    def close(self) -> None:
        """Give back what its bot has."""
        if self._bot is not None:
            self._bot.close()
            self._bot = None

    def _take_turn(self, match: Match) -> Fault | None:
        """Note which turn it is; return the fault of an agent that was refused too often."""
        if self.turns != len(match.turns):
            self.turns, self.refusals = len(match.turns), []
        if len(self.refusals) == MOST_REFUSALS:
            return Fault(self.refusals[-1], "illegal move")
        return None

    def _open(self, position: Position) -> Bot:
        """Return the bot for a game; another one if the last does not end when it is told to."""
        bot = self._bot
        if bot is not None and spec_of(bot.game) == spec_of(position.game) and self._is_free():
            return bot
        self.close()
        self._bot = open_bot(self.agent, position.game, process=self.process)
        return self._bot

    def _is_free(self) -> bool:
        if self._last is None or self._last.wait(0):
            return True
        self._last.stop()
        return self._last.wait(SECONDS_TO_STOP)

    def _budget(self, match: Match, left: float | None) -> Budget:
        seed = self.budget.seed + SEED_STEP * len(match.turns) + len(self.refusals)
        budget, control = replace(self.budget, seed=seed), match.heading.control
        if left is None or control is None:
            return budget
        return budget.within(Budget(seconds=control.share(left)))


def checked_choice(choice: object) -> Choice | int | Fault:
    """Return a choice, its action alone where it has no evidence, or what is wrong with it.

    What is returned is made of plain numbers: those of an agent may be anything.
    """
    if not isinstance(choice, Choice):
        return Fault(f"returned {class_name(choice)}; expected a Choice")
    action: object = choice.action
    if isinstance(action, bool) or not isinstance(action, Integral):
        return Fault(f"chose {class_name(action)}; expected the number of an action")
    number, value = index(action), _plain(choice.value)
    looked = value or choice.exact or choice.depth or choice.nodes or choice.simulations
    return Choice(number, value) if looked and value is not None else number


def _plain(value: object) -> float | None:
    """Return a value as a number of Python's own; None if it is no value."""
    number: object = value
    if isinstance(value, float):
        number = float.__pos__(value)
    elif isinstance(value, int) and not isinstance(value, bool):
        number = int.__pos__(value)
    return number if is_value(number) else None
