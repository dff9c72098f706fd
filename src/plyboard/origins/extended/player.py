"""The `AIPlayer` class of Extended Connect Four: runs our agents on that course's states."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Protocol

from plyboard.agents.agent import Agent
from plyboard.agents.bots.opening import open_bot
from plyboard.agents.catalogue import agent
from plyboard.agents.expectimax import windows_or_best
from plyboard.games import Position, game_over_error
from plyboard.games.extended import MOST_POPS
from plyboard.kernel import Word, compiled, jit_is_on
from plyboard.kernel.bits import mix
from plyboard.processes.background import call_later, start_thread
from plyboard.processes.child_process import Connection, new_pipe
from plyboard.processes.forked import call_in_fork, can_fork
from plyboard.processes.values import receive_value, send_value
from plyboard.search.common.budget import Budget, SearchMonitor

SYMBOLS = ".12"
SHORTEST_SECONDS = 0.001
TO_SEND = 0.02  # seconds to send the last move


class Integer(Protocol):
    """The course's class for the number of pops a player has left."""

    def get_int(self) -> int:
        """Return the number."""


State = tuple[Any, Mapping[int, Integer]]
"""The course's state: an array of 0, 1 and 2, top row first, and the pops left to 1 and 2."""
Move = tuple[int, bool]
"""A column, counted from 0, and whether it is popped."""


class AIPlayer:
    """A player for the course's program, which kills it when the time for a move is over.

    So it answers a little earlier, with the best move found by then. On the first use of a board
    size, another process compiles the code, which takes seconds; until then searches run in plain
    Python. `prepare` compiles beforehand.

    Both agents evaluate as the course's players did, by points and open windows;
    `against_chance="expectimax:evaluation=best"` uses our evaluation instead, which gains more.
    """

    def __init__(
        self,
        player_number: int,
        time: float,
        adversary: str = "extended",
        against_chance: str = "expectimax",
    ) -> None:
        self.player_number = player_number
        self.type = "ai"
        self.player_string = f"Player {player_number}:ai"
        self.time = time
        self.adversary = adversary
        self.against_chance = against_chance
        start_compiler()

    def get_intelligent_move(self, state: State) -> Move:
        """Return a move against a strong opponent; the state is not changed."""
        return self._move(state, self.adversary)

    def get_expectimax_move(self, state: State) -> Move:
        """Return a move against a random opponent; the state is not changed."""
        return self._move(state, self.against_chance)

    def prepare(self, state: State) -> None:
        """Compile the code for both kinds of move on a board of this size."""
        for spec in (self.adversary, self.against_chance):
            with open_bot(agent(spec), position_of(state, self.player_number).game) as bot:
                bot.prepare().result()

    def _move(self, state: State, spec: str) -> Move:
        end = clock.perf_counter() + self.time - margin(self.time)
        position = position_of(state, self.player_number)
        if not position.legal_actions():
            raise game_over_error("no move to choose", position)
        action = chosen_by(spec, position, end)
        columns = position.game.rules.actions // 2
        return action % columns, action >= columns


def margin(seconds: float) -> float:
    """Return how many seconds of the time limit to leave unused."""
    return min(0.25 + 0.05 * seconds, 0.5 * seconds)


def position_of(state: State, player_number: int) -> Position:
    """Return the position of a course's state with this player to move."""
    board, left = state
    rows = ["".join(SYMBOLS[int(cell)] for cell in row) for row in board]
    pops = [int(left[player].get_int()) for player in (1, 2)]
    most = MOST_POPS if any(pops) else 0
    spec = f"extended:rows={len(rows)},columns={len(rows[0])},pops={most}"
    return Position(spec, f"{'/'.join(rows)} {player_number} {pops[0]},{pops[1]}")


def chosen_by(spec: str, position: Position, end: float) -> int:
    """Return the best action that the agent finds before the end, else the one-ply choice.

    The search runs in a forked process if possible. A thread that loads compiled code can hold up
    the main thread past the deadline on a busy machine.
    """
    ours, theirs = new_pipe(duplex=False)
    search = Search(agent(spec), position, end, theirs)
    stop = call_in_fork(search.run, theirs) if can_fork() else _start_thread(search)
    found: int | Exception = at_a_glance(position, end)
    with suppress(EOFError):
        while ours.poll(_until(end)):
            found = receive_value(ours)
    stop()
    if isinstance(found, Exception):
        raise found
    return found


class Search:
    """A search that sends each best action so far, or the error that ended it."""

    def __init__(self, thinker: Agent, position: Position, end: float, pipe: Connection) -> None:
        self.thinker, self.position, self.end, self.pipe = thinker, position, end, pipe
        self.monitor = SearchMonitor(lambda choice: self._send(choice.action))

    def run(self) -> None:
        """Search until shortly before the end, so that the last move arrives in time."""
        seconds = max(_until(self.end) - TO_SEND, SHORTEST_SECONDS)
        cancel = call_later(seconds, self.monitor.stop)  # loading code takes time, too
        try:
            budget = Budget(seconds=seconds, monitor=self.monitor)
            self._send(self.thinker.choose(self.position, budget).action)
        except Exception as fault:
            self._send(fault)
        cancel()
        self.pipe.close()

    def _send(self, found: int | Exception) -> None:
        with suppress(OSError):  # the receiver has stopped waiting
            send_value(self.pipe, found)


def _start_thread(search: Search) -> Callable[[], None]:
    """Search in a thread; return the function that stops it."""
    start_thread(search.run)
    return search.monitor.stop


def _until(end: float) -> float:
    return max(end - clock.perf_counter(), 0.0)


def start_compiler() -> None:
    """Load the compiler, so that forked processes need not load it."""
    if jit_is_on():
        compiled(mix)(Word(0))


def at_a_glance(position: Position, end: float = math.inf) -> int:
    """Return the action with the best static evaluation one ply ahead, in plain Python.

    At the end of the time the remaining actions are skipped.
    """
    evaluate, rules = windows_or_best(position.game).value, position.game.rules
    legal = position.legal_actions()
    first, *others = (action for action in rules.order if action in legal)
    best, worth = first, -evaluate(rules.play(position.state, first))
    for action in others:
        if clock.perf_counter() >= end:
            break
        looks = -evaluate(rules.play(position.state, action))
        if looks > worth:
            best, worth = action, looks
    return best
