"""Monte Carlo tree search: UCT with random playouts and proved wins, for any game."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from plyboard.errors import UsageError
from plyboard.games import Position, game_over_error
from plyboard.games.rules import Rules
from plyboard.kernel import FULL, compiled
from plyboard.search.common.boundary import words
from plyboard.search.common.budget import DEEPEST as MOST_DEPTH
from plyboard.search.common.budget import MOST, Budget
from plyboard.search.common.choice import Choice
from plyboard.search.common.control import EVENTS, NODES, STOP, Control, control_of
from plyboard.search.common.events import Events
from plyboard.search.common.parallel import run_searches
from plyboard.search.mcts.uct_loop import (
    CONTROLS,
    DEEPEST,
    DEPTH,
    END,
    GOAL,
    NEXT,
    PATH,
    SIMULATIONS,
    uct_kernel,
)
from plyboard.search.mcts.uct_tree import UctTree

USUAL = Budget(simulations=20_000)
STREAM = 0x632BE59BD9B4E019  # between the random sequences of two threads
REPORT_SECONDS = 0.1
FIRST_ROUND = 64  # simulations before the clock is looked at for the first time


@dataclass(frozen=True)
class UctSettings:
    """How to search: MiB of tree, threads that share it, weight of exploration."""

    mebibytes: int = 64
    threads: int = 1
    exploration: float = 1.0


DEFAULT_SETTINGS = UctSettings()


class Uct:
    """Searches positions by simulated games, one after another.

    A tree begins anew with each search: the same position, seed and simulations give the same
    choice. With `keep` it goes on with what the last search found, if the new position follows
    from the last by at most two moves; then a choice depends on the searches before. One object
    with `keep` is for one game at a time.

    Nodes are the moves made, in the tree and in random games. A depth bounds the tree, not the
    random games; on its own it would never end a search, so the usual simulations do. When the
    tree is full, simulations go on from its leaves.
    """

    def __init__(self, settings: UctSettings = DEFAULT_SETTINGS, *, keep: bool = False) -> None:
        threads, mebibytes = settings.threads, settings.mebibytes
        if threads < 1 or mebibytes < 1:
            raise UsageError(f"got {threads} threads and {mebibytes} MiB; expected at least 1 each")
        self.settings = settings
        self.keep = keep
        self._last: UctTree | None = None

    def search(
        self, position: Position, budget: Budget = USUAL, events: Events | None = None
    ) -> Choice:
        """Return the move proved best, or else the one most simulations went to.

        A proved win or loss comes in the plies told or sooner. With events all that is done is
        noted there, and one thread does it.
        """
        if not position.legal_actions():
            raise game_over_error("no move to choose", position)
        if (budget.seconds, budget.nodes, budget.simulations) == (None,) * 3:
            budget = replace(budget, simulations=USUAL.simulations)
        began = time.perf_counter()
        tree = self._tree(position)
        run = _UctRun(position, budget, self.settings, tree, events)
        run.run()
        if self.keep:
            self._last = tree
        return run.choice(time.perf_counter() - began)

    def _tree(self, position: Position) -> UctTree:
        """Return a tree for a position: what is left of the last one, or an empty one."""
        if not self.keep:
            return UctTree(position, self.settings.mebibytes)
        kept = self._last.advance(position) if self._last else None
        self._last = None
        return kept or UctTree(position, self.settings.mebibytes, spare=True)


class _UctRun:
    """The threads of one search, with what each of them goes by."""

    def __init__(
        self,
        position: Position,
        budget: Budget,
        settings: UctSettings,
        tree: UctTree,
        events: Events | None,
    ) -> None:
        rules = position.game.rules
        self.budget, self.tree, self.events = budget, tree, events
        self.log = Events(room=0).log if events is None else events.log
        self.kernel = _compiled_kernel(rules, events is not None)
        self.start, self.exploration = words(position.state), settings.exploration
        most = min(budget.simulations or MOST, budget.nodes or MOST)
        threads = 1 if events is not None else min(settings.threads, most)
        self.goals = _shares(budget.simulations or MOST, threads)
        self.controls = [self._control(limit) for limit in _shares(budget.nodes or 0, threads)]
        self.paths = [np.zeros(2 * PATH, dtype=np.int64) for _ in range(threads)]
        seeds = [(budget.seed + STREAM * index) & FULL for index in range(threads)]
        self.seeds = [np.array([seed], dtype=np.uint64) for seed in seeds]

    def _control(self, limit: int) -> Control:
        control = control_of(CONTROLS, limit)
        control[DEEPEST] = self.budget.depth or MOST_DEPTH
        return control

    def run(self) -> None:
        """Grow the root in this thread, then simulate in others until the budget is spent."""
        first = self.controls[0]
        first[NEXT], first[END] = self.tree.used, self.tree.rows
        self._simulate(0, 0)
        for control, (begin, end) in zip(
            self.controls, self._row_ranges(int(first[NEXT])), strict=True
        ):
            control[NEXT], control[END] = begin, end
        barrier = threading.Barrier(len(self.controls))
        searches = [self._work(index, barrier) for index in range(len(self.controls))]
        run_searches(searches, self.controls, self.budget.seconds, self.budget.monitor)
        self.tree.used = max(int(control[NEXT]) for control in self.controls)

    def _row_ranges(self, used: int) -> list[tuple[int, int]]:
        """Return from which row to which each thread may put children."""
        ends = [used]
        for share in _shares(self.tree.rows - used, len(self.controls)):
            ends.append(ends[-1] + share)
        return list(pairwise(ends))

    def _work(self, index: int, barrier: threading.Barrier) -> Callable[[], None]:
        def work() -> None:
            try:
                if index == 0:
                    self._simulate_and_report()
                else:
                    self._simulate(index, self.goals[index])
            except BaseException:
                for control in self.controls:
                    control[STOP] = 1
                raise
            finally:
                barrier.wait()

        return work

    def _simulate(self, index: int, goal: int) -> None:
        control = self.controls[index]
        control[GOAL] = goal
        path, seeds = self.paths[index], self.seeds[index]
        self.kernel(self.start, self.tree.array, control, path, seeds, self.exploration, self.log)

    def _simulate_and_report(self) -> None:
        """Simulate as the first thread, and tell the best so far ten times a second."""
        control, goal, monitor = self.controls[0], self.goals[0], self.budget.monitor
        size, last = FIRST_ROUND if monitor else goal, time.perf_counter()
        while not control[STOP] and control[SIMULATIONS] < goal and not self.tree.is_proved:
            self._simulate(0, min(goal, int(control[SIMULATIONS]) + size))
            now = time.perf_counter()
            if monitor and now - last >= REPORT_SECONDS:
                monitor.report(self.choice(0.0))
                size, last = max(size // 2, 1), now
            elif now - last < REPORT_SECONDS / 4:
                size *= 2

    def choice(self, seconds: float) -> Choice:
        """Return the best move so far."""
        if self.events is not None:
            self.events.total = int(self.controls[0][EVENTS])
        return replace(
            self.tree.choice(),
            depth=max(int(control[DEPTH]) for control in self.controls),
            nodes=self._sum(NODES),
            simulations=self._sum(SIMULATIONS),
            seconds=seconds,
            events=self.events,
        )

    def _sum(self, place: int) -> int:
        return sum(int(control[place]) for control in self.controls)


def _shares(whole: int, parts: int) -> list[int]:
    """Return a number in so many parts that are as equal as can be."""
    return [whole // parts + (index < whole % parts) for index in range(parts)]


@cache
def _compiled_kernel(rules: Rules, with_events: bool) -> Callable[..., Any]:
    return compiled(uct_kernel(rules, with_events))
