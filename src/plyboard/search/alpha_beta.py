"""Alpha-beta, one ply deeper for as long as its budget lasts."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyboard.errors import GameOverError, UsageError
from plyboard.evaluate.evaluation import Evaluation
from plyboard.games import Position
from plyboard.games.rules import Rules
from plyboard.kernel import compiled
from plyboard.search.alpha_beta_loop import (
    BEST,
    BUSY,
    CONTROLS,
    ENDLESS,
    GENERATION,
    GUESSES,
    NEARLY_WON,
    PLIES,
    SHARED,
    SPAN,
    VALUE,
    WON,
    alpha_beta,
)
from plyboard.search.boundary import words
from plyboard.search.budget import DEEPEST, Budget
from plyboard.search.choice import SURE, WIN, Choice
from plyboard.search.control import EVENTS, NODES, STOP, Control, control_of
from plyboard.search.events import Events, Kind
from plyboard.search.race import race
from plyboard.search.table import Table

USUAL_MEBIBYTES = 64
TURNS = 8  # ways to turn a board, at most, with leaving it as it is
NO_EVENTS = np.zeros((1, 6), dtype=np.int64)


@dataclass(frozen=True)
class Memory:
    """What a thread remembers while it searches: its own, and shared with nobody."""

    places: NDArray[np.int64]
    good: NDArray[np.int64]
    line: NDArray[np.int64]


def deepen(
    position: Position,
    evaluation: Evaluation,
    budget: Budget,
    mebibytes: int = USUAL_MEBIBYTES,
    threads: int = 1,
    events: Events | None = None,
    goes_on: bool = False,
) -> Choice:
    """Return the best move at the greatest depth that the budget allows.

    It ends early when the value is proved. One thread makes the same choice each time; several
    share the table, and which of them is first is left to chance. A search that goes on has what
    the last one found in a table of this size, with the same game and evaluation.
    """
    if not position.legal_actions():
        raise GameOverError(f"no move to choose: the game is over\n{position.board()}")
    if threads < 1 or mebibytes < 1:
        raise UsageError(f"got {threads} threads and {mebibytes} MiB; expected at least 1 each")
    table = table_of(mebibytes)
    if not goes_on:
        table.empty()
    return _Search(position, evaluation, budget, table, threads, events).run()


class _Search:
    """One search of one position."""

    def __init__(
        self,
        position: Position,
        evaluation: Evaluation,
        budget: Budget,
        table: Table,
        threads: int,
        events: Events | None,
    ) -> None:
        self.rules, self.budget = position.game.rules, budget
        self.scale, self.events = evaluation.scale, events
        self.start = words(position.state)
        self.legal = position.legal_actions()
        self.loop = loop_of(self.rules, evaluation, events is not None)
        self.table = table
        self.busy = np.zeros(BUSY, dtype=np.uint64)
        self.maps = turns_of(self.rules)
        self.log = NO_EVENTS if events is None else events.log
        self.controls = [control_of(CONTROLS, budget.nodes) for _ in range(threads)]
        for control in self.controls:
            control[GENERATION] = self.table.generation
            control[SHARED] = threads > 1
        self.best = Choice(next(each for each in self.rules.order if each in self.legal))
        self.turn = Lock()  # of who looks at the best so far, and replaces it
        if events is not None:
            events.scale = evaluation.scale
        self.began = time.perf_counter()

    def run(self) -> Choice:
        """Search until the budget is used up or the value is proved."""
        race(
            [partial(self._deepen, index) for index in range(len(self.controls))],
            self.controls,
            self.budget.seconds,
            self.budget.watch,
        )
        if self.events is not None:
            self.events.total = int(self.controls[0][EVENTS])
        return replace(
            self.best,
            nodes=self._nodes(),
            seconds=time.perf_counter() - self.began,
            events=self.events,
        )

    def _deepen(self, index: int) -> None:
        """Search deeper and deeper in one thread, the first of which keeps the result."""
        control, memory = self.controls[index], memory_of(self.rules)
        for depth in range(1, (self.budget.depth or DEEPEST) + 1):
            if self.events is not None:
                self._note_round(control, depth)
            control[BEST], control[GUESSES] = -1, 0
            self.loop(
                self.start, depth, -ENDLESS, ENDLESS, self.table.entries, self.table.shift,
                self.maps, memory.places, memory.good, memory.line, self.busy, self.log, control,
            )  # fmt: skip
            finished = not control[STOP]
            if control[BEST] >= 0:
                self._found(control, memory, depth, finished)
            if not finished or self._is_settled(control):
                return
            memory.good[2:] //= 2

    def _found(self, control: Control, memory: Memory, depth: int, finished: bool) -> None:
        """Take over the best move of a depth, unless another thread was deeper already."""
        with self.turn:
            self._take(control, memory, depth, finished)

    def _take(self, control: Control, memory: Memory, depth: int, finished: bool) -> None:
        if depth < self.best.depth or (not finished and depth == self.best.depth):
            return
        value = int(control[VALUE])
        length = int(memory.line[0, 0])
        sure = abs(value) > NEARLY_WON and not self.rules.has_points
        self.best = Choice(
            action=int(control[BEST]),
            value=value_in(value, self.rules, self.scale),
            line=tuple(memory.line[0, 1 : 1 + length].tolist()),
            depth=depth if finished else self.best.depth,
            nodes=self._nodes(),
            seconds=time.perf_counter() - self.began,
            filled=self.table.used(),
            exact=finished and (sure or not control[GUESSES]),
        )
        if self.budget.watch is not None and finished:
            self.budget.watch.tell(self.best)

    def _is_settled(self, control: Control) -> bool:
        """Tell whether a deeper search would find the same."""
        sure = abs(int(control[VALUE])) > NEARLY_WON and not self.rules.has_points
        return sure or not control[GUESSES]

    def _nodes(self) -> int:
        return sum(int(control[NODES]) for control in self.controls)

    def _note_round(self, control: Control, depth: int) -> None:
        place = int(control[EVENTS])
        control[EVENTS] += 1
        if place < len(self.log):
            self.log[place] = (int(Kind.ROUND), 0, -1, depth, 0, 0)


def value_in(value: int, rules: Rules, scale: int) -> float:
    """Return a number of the loop as a choice tells it."""
    if rules.has_points or abs(value) <= NEARLY_WON:
        return value / scale
    plies = WON - abs(value)
    return WIN - plies if value > 0 else plies - WIN


def memory_of(rules: Rules) -> Memory:
    """Return the memory of a thread that has not begun."""
    good = np.full((4, max(PLIES, SPAN)), -1, dtype=np.int64)
    good[2:] = 0
    for rank, action in enumerate(rules.order):
        good[2:, action] = len(rules.order) - rank
    return Memory(
        np.zeros(PLIES * SPAN, dtype=np.int64), good, np.zeros((PLIES, PLIES + 2), dtype=np.int64)
    )


@cache
def turns_of(rules: Rules) -> NDArray[np.int64]:
    """Return the actions as each symmetry turns them, and then as it turns them back."""
    maps = np.tile(np.arange(SPAN, dtype=np.int64), (2 * TURNS, 1))
    for row, symmetry in enumerate(rules.symmetries, 1):
        for action in range(rules.actions):
            turned = int(symmetry.action(action))
            maps[row, action], maps[TURNS + row, turned] = turned, action
    return maps


@cache
def loop_of(rules: Rules, evaluation: Evaluation, watched: bool) -> Callable[..., Any]:
    """Return the compiled loop of a game and an evaluation; no search waits for the compiler."""
    loop = compiled(alpha_beta(rules, evaluation, watched))
    memory, nothing = memory_of(rules), np.zeros(2, dtype=np.uint64)
    loop(
        words(rules.start), 0, -ENDLESS, ENDLESS, nothing, 64, turns_of(rules), memory.places,
        memory.good, memory.line, nothing, NO_EVENTS.copy(), control_of(CONTROLS),
    )  # fmt: skip
    return loop


@lru_cache(maxsize=2)
def table_of(mebibytes: int) -> Table:
    """Return a table, the same again for the same size: emptied for each search."""
    return Table(mebibytes)


assert SURE < WIN - DEEPEST
