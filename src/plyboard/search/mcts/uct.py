"""UCT: Monte Carlo tree search with random rollouts and proved values (MCTS-Solver)."""

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
from plyboard.kernel import FULL
from plyboard.search.common.boundary import words
from plyboard.search.common.budget import DEEPEST as MOST_DEPTH
from plyboard.search.common.budget import MOST, Budget
from plyboard.search.common.choice import Choice
from plyboard.search.common.control import EVENTS, NODES, STOP, Control, control_of
from plyboard.search.common.events import Events
from plyboard.search.common.parallel import run_searches
from plyboard.search.common.tiers import tiered, usable_threads
from plyboard.search.mcts.uct_loop import (
    CONTROLS,
    DEEPEST,
    DEPTH,
    END,
    GOAL,
    NEXT,
    PATH,
    SIMULATIONS,
    fields_of,
    uct_kernel,
)
from plyboard.search.mcts.uct_tree import UctTree

USUAL = Budget(simulations=20_000)
STREAM = 0x632BE59BD9B4E019  # the distance between the random seeds of threads
REPORT_SECONDS = 0.1
FIRST_ROUND = 64  # simulations before the first look at the clock


@dataclass(frozen=True)
class UctSettings:
    """The size of the tree in MiB, the threads that share it, and the weight of exploration."""

    mebibytes: int = 64
    threads: int = 1
    exploration: float = 1.0


DEFAULT_SETTINGS = UctSettings()


class Uct:
    """Searches positions one after another by UCT.

    Each search starts with an empty tree: the same position, seed and simulations give the same
    choice. With `keep` the tree is reused for later positions of the game; then a choice depends on
    earlier searches, and one object serves one game.

    The nodes of a choice are the moves made, in the tree and in rollouts. A depth limits the tree,
    not the rollouts; a budget with a depth alone gets the default number of simulations. When the
    tree is full, simulations continue from its leaves.
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
        """Return the move proved best, or else the most visited one.

        A proved win or loss may take fewer plies than its value says. With `events` one thread
        searches and records them.
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
        """Return a tree for a position: the subtree of the last one, or an empty one."""
        if not self.keep:
            return UctTree(position, self.settings.mebibytes)
        kept = self._last.advance(position) if self._last else None
        self._last = None
        return kept or UctTree(position, self.settings.mebibytes, spare=True)


class _UctRun:
    """One search of one position, in one thread or several."""

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
        threads = usable_threads(self.kernel, threads, budget)
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
        """Expand the root in this thread, then simulate in others until the budget is used up."""
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
        """Return the range of rows in which each thread adds nodes."""
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
        """Simulate as the first thread, and report the best move so far ten times a second."""
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
    """Return a number split into parts that differ by at most 1."""
    return [whole // parts + (index < whole % parts) for index in range(parts)]


@cache
def _compiled_kernel(rules: Rules, with_events: bool) -> Callable[..., Any]:
    """Return the kernel for some rules as a loop of two tiers, called once."""
    kernel = tiered(uct_kernel(rules, with_events))
    tree, path = np.zeros(fields_of(rules), dtype=np.int64), np.zeros(2 * PATH, dtype=np.int64)
    seeds, log = np.zeros(1, dtype=np.uint64), Events(room=0).log
    kernel(words(rules.start), tree, control_of(CONTROLS), path, seeds, 1.0, log)
    return kernel
