"""Alpha-beta with iterative deepening, in one thread or several with a shared table."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyboard.errors import UsageError
from plyboard.evaluate.evaluation import Evaluation
from plyboard.games import Position, game_over_error
from plyboard.games.rules import Rules
from plyboard.search.alpha_beta.principal_variation import (
    BEST,
    EVALUATIONS,
    GENERATION,
    INFINITE,
    MAX_PLIES,
    MOVES,
    PROVED_BEYOND,
    ROOT,
    SEARCHING,
    SHARED,
    UNSEARCHED,
    VALUE,
    WON,
    alpha_beta_kernel,
    controls_of,
)
from plyboard.search.common.boundary import words
from plyboard.search.common.budget import DEEPEST, Budget
from plyboard.search.common.choice import PROOF_THRESHOLD, WIN, Choice, plies_to_end
from plyboard.search.common.control import EVENTS, LIMIT, NODES, STOP, Control, control_of
from plyboard.search.common.events import EventKind, Events
from plyboard.search.common.parallel import run_searches
from plyboard.search.common.tiers import tiered, usable_threads
from plyboard.search.common.transposition_table import TranspositionTable
from plyboard.search.common.turns import turn_sign

DEFAULT_MEBIBYTES = 64
REPLACEMENT_DEPTH = 4  # of the search that checks a move before it replaces a refuted one
EXTRA_NODES = 150  # beyond the budget, for these searches
MAX_SYMMETRIES = 8  # including the identity
NO_EVENTS = np.zeros((1, 6), dtype=np.int64)


@dataclass(frozen=True)
class ThreadMemory:
    """The arrays of one thread: killer moves and history, and the search stack."""

    ordering: NDArray[np.int64]
    stack: NDArray[np.int64]


@dataclass(frozen=True)
class Iteration:
    """The result of one thread at one depth of iterative deepening, finished or not."""

    depth: int
    finished: bool
    action: int  # the best root move; -1 if none was searched
    value: int
    line: tuple[int, ...]
    is_estimate: bool  # whether the value depends on an evaluation
    roots: dict[int, int]  # values or upper bounds of the root moves searched

    @property
    def is_decided(self) -> bool:
        """Whether the value is a proved win or loss."""
        return abs(self.value) > PROVED_BEYOND


class AlphaBeta:
    """Searches positions one after another with its own transposition table.

    The table is cleared before each search, so that choices and node counts do not depend on
    earlier searches. Not thread-safe: each thread needs its own object.
    """

    def __init__(self, mebibytes: int = DEFAULT_MEBIBYTES, threads: int = 1) -> None:
        if threads < 1 or mebibytes < 1:
            raise UsageError(f"got {threads} threads and {mebibytes} MiB; expected at least 1 each")
        self.mebibytes, self.threads = mebibytes, threads

    @cached_property
    def table(self) -> TranspositionTable:
        """The transposition table, allocated at first use."""
        return TranspositionTable(self.mebibytes)

    def search(
        self,
        position: Position,
        evaluation: Evaluation,
        budget: Budget,
        events: Events | None = None,
    ) -> Choice:
        """Return the best move at the greatest depth that the budget allows.

        The search ends early when the value is proved. If the budget ends it within an iteration,
        the choice is that of the iteration before, unless this one has found a better move. One
        thread always makes the same choice; several share the table, and may not.
        """
        if not position.legal_actions():
            raise game_over_error("no move to choose", position)
        self.table.empty()
        return _AlphaBetaRun(position, evaluation, budget, self.table, self.threads, events).run()


def deepen(
    position: Position,
    evaluation: Evaluation,
    budget: Budget,
    mebibytes: int = DEFAULT_MEBIBYTES,
    threads: int = 1,
    events: Events | None = None,
) -> Choice:
    """Return the result of `AlphaBeta.search` with a new table."""
    return AlphaBeta(mebibytes, threads).search(position, evaluation, budget, events)


class _AlphaBetaRun:
    """One search of one position."""

    def __init__(
        self,
        position: Position,
        evaluation: Evaluation,
        budget: Budget,
        table: TranspositionTable,
        threads: int,
        events: Events | None,
    ) -> None:
        self.rules, self.budget = position.game.rules, budget
        self.scale, self.weights, self.events = evaluation.scale, evaluation.weights, events
        self.state, self.start = position.state, words(position.state)
        self.legal = self.rules.ordered_actions(position.state)
        self.kernel = compiled_alpha_beta(self.rules, evaluation, events is not None)
        self.table, threads = table, usable_threads(self.kernel, threads, budget)
        self.searching = np.zeros(SEARCHING, dtype=np.uint64)
        self.maps = symmetry_maps(self.rules)
        self.log = NO_EVENTS if events is None else events.log
        limit = None if budget.nodes is None else max(budget.nodes // threads, 1)
        self.controls = [control_of(controls_of(self.rules), limit) for _ in range(threads)]
        for control in self.controls:
            control[GENERATION] = self.table.generation
            control[SHARED] = threads > 1
        self.best = Choice(self.legal[0])
        self.refuted: dict[int, int] = {}  # upper bounds of root moves that are proved to lose
        self.unfinished: list[Iteration] = []
        self.lock = Lock()  # guards the three attributes above
        if events is not None:
            events.scale = evaluation.scale
        self.began = time.perf_counter()

    def run(self) -> Choice:
        """Search until the budget is used up or the value is proved."""
        run_searches(
            [partial(self._deepen, index) for index in range(len(self.controls))],
            self.controls,
            self.budget.seconds,
            self.budget.monitor,
        )
        self._take_unfinished()
        if self.events is not None:
            self.events.total = int(self.controls[0][EVENTS])
        return replace(
            self.best,
            nodes=self._nodes(),
            seconds=time.perf_counter() - self.began,
            events=self.events,
        )

    def _deepen(self, index: int) -> None:
        """Run iterative deepening in one thread."""
        control, memory = self.controls[index], new_thread_memory(self.rules)
        for depth in range(1, (self.budget.depth or DEEPEST) + 1):
            if self.events is not None:
                self._note_round(control, depth)
            control[BEST], control[EVALUATIONS], control[ROOT:] = -1, 0, UNSEARCHED
            self.kernel(
                self.start, depth, -INFINITE, INFINITE, self.weights, self.table.entries,
                self.table.shift, self.maps, memory.ordering, memory.stack, self.searching,
                self.log, control,
            )  # fmt: skip
            found = self._found(control, memory, depth)
            self.take(found)
            if not found.finished or self._is_settled(found):
                return
            memory.ordering[2:] //= 2

    def _is_settled(self, found: Iteration) -> bool:
        """Tell whether a deeper iteration is useless.

        A proved win or loss beyond the depth may take fewer plies; a budget with a depth alone asks
        for the exact number.
        """
        if self.rules.has_points or not found.is_decided:
            return not found.is_estimate
        has_limit = self.budget.seconds is not None or self.budget.nodes is not None
        return has_limit or WON - abs(found.value) <= found.depth

    def _found(self, control: Control, memory: ThreadMemory, depth: int) -> Iteration:
        length, roots = int(memory.stack[0, 0]), control[ROOT:].tolist()
        return Iteration(
            depth,
            finished=not control[STOP],
            action=int(control[BEST]),
            value=int(control[VALUE]),
            line=tuple(memory.stack[0, 1 : 1 + length].tolist()),
            is_estimate=bool(control[EVALUATIONS]),
            roots={each: roots[each] for each in self.legal if roots[each] != UNSEARCHED},
        )

    def take(self, found: Iteration) -> None:
        """Accept the result of an iteration, unless another thread has finished a deeper one."""
        with self.lock:
            if not self.rules.has_points:
                self.refuted |= {
                    each: at for each, at in found.roots.items() if at < -PROVED_BEYOND
                }
            if not found.finished:
                self.unfinished.append(found)
            elif found.depth > self.best.depth:
                self.best = self._choice(found, found.depth)
                if self.budget.monitor is not None:
                    self.budget.monitor.report(self.best)

    def _take_unfinished(self) -> None:
        """Replace the choice by a better move of an unfinished iteration.

        A better move was compared with the choice at the same depth. If the choice is refuted,
        another move replaces it; the game is lost only if all moves are refuted.
        """
        if self.best.is_proved:
            return
        best, deeper = self.best, self.best.depth + 1
        for found in sorted(self.unfinished, key=lambda each: -each.value):
            if found.depth == deeper and found.action >= 0 and self._is_better(found):
                self.best = self._choice(found, best.depth)
                break
        if self.best.action in self.refuted:
            self.best = self._replacement(best)

    def _replacement(self, best: Choice) -> Choice:
        """Return another move for a refuted choice, if a shallow search finds no loss in it.

        If all moves are refuted, it is the one that loses latest.
        """
        left = [action for action in self.legal if action not in self.refuted]
        if not left:
            action = max(self.legal, key=lambda each: self.refuted[each])
            value = value_in(self.refuted[action], self.rules, self.scale)
            return replace(best, action=action, value=value, line=(action,), exact=False)
        control = self.controls[0]
        control[STOP], control[LIMIT] = 0, control[NODES] + EXTRA_NODES
        for action in left:
            value = self._shallow_value(action, control)
            if control[STOP]:
                break
            if value > -PROVED_BEYOND:
                told = value_in(value, self.rules, self.scale)
                return replace(best, action=action, value=told, line=(action,))
        return best

    def _shallow_value(self, action: int, control: Control) -> int:
        """Return the value of a root move by a shallow search."""
        memory, after = new_thread_memory(self.rules), self.rules.play(self.state, action)
        value = int(
            self.kernel(
                words(after), REPLACEMENT_DEPTH - 1, -INFINITE, INFINITE, self.weights,
                self.table.entries, self.table.shift, self.maps, memory.ordering, memory.stack,
                self.searching, self.log, control,
            )
        )  # fmt: skip
        value *= turn_sign(self.rules)(self.state, after)
        if self.rules.has_points or abs(value) <= PROVED_BEYOND:
            return value
        return value - 1 if value > 0 else value + 1  # counted from the root

    def _is_better(self, found: Iteration) -> bool:
        """Tell whether an unfinished iteration has found a move better than the choice."""
        if found.action in self.refuted:
            return False
        if found.value > PROVED_BEYOND and not self.rules.has_points:
            return True
        was_compared = self.best.depth == 0 or self.best.action in found.roots
        return was_compared and found.action != self.best.action

    def _choice(self, found: Iteration, depth: int) -> Choice:
        value = value_in(found.value, self.rules, self.scale)
        plies = None if self.rules.has_points else plies_to_end(value)
        is_all = found.finished and not found.is_estimate
        return Choice(
            action=found.action,
            value=value,
            line=found.line,
            depth=depth,
            nodes=self._nodes(),
            seconds=time.perf_counter() - self.began,
            filled=self.table.used(),
            exact=is_all or (plies is not None and plies <= found.depth),
        )

    def _nodes(self) -> int:
        return sum(int(control[NODES]) for control in self.controls)

    def _note_round(self, control: Control, depth: int) -> None:
        place = int(control[EVENTS])
        control[EVENTS] += 1
        if place < len(self.log):
            self.log[place] = (int(EventKind.ITERATION), 0, -1, depth, 0, 0)


def value_in(value: int, rules: Rules, scale: int) -> float:
    """Return a value of the kernel as the value of a choice."""
    if rules.has_points or abs(value) <= PROVED_BEYOND:
        return value / scale
    plies = WON - abs(value)
    return WIN - plies if value > 0 else plies - WIN


def new_thread_memory(rules: Rules) -> ThreadMemory:
    """Return the memory of a new thread; the history starts with the order of the game."""
    ordering = np.full((4, max(MAX_PLIES, rules.actions)), -1, dtype=np.int64)
    ordering[2:] = 0
    for rank, action in enumerate(rules.order):
        ordering[2:, action] = len(rules.order) - rank
    return ThreadMemory(ordering, np.zeros((MAX_PLIES, MOVES + rules.actions), dtype=np.int64))


@cache
def symmetry_maps(rules: Rules) -> NDArray[np.int64]:
    """Return the maps of actions of all symmetries, then their inverse maps."""
    maps = np.tile(np.arange(rules.actions, dtype=np.int64), (2 * MAX_SYMMETRIES, 1))
    for row, symmetry in enumerate(rules.symmetries, 1):
        for action in range(rules.actions):
            turned = int(symmetry.action(action))
            maps[row, action], maps[MAX_SYMMETRIES + row, turned] = turned, action
    return maps


@cache
def compiled_alpha_beta(
    rules: Rules, evaluation: Evaluation, with_events: bool
) -> Callable[..., Any]:
    """Return the kernel of a game and an evaluation as a loop of two tiers, called once."""
    kernel = tiered(alpha_beta_kernel(rules, evaluation, with_events))
    memory, nothing = new_thread_memory(rules), np.zeros(2, dtype=np.uint64)
    kernel(
        words(rules.start), 0, -INFINITE, INFINITE, evaluation.weights, nothing, 64,
        symmetry_maps(rules), memory.ordering, memory.stack, nothing, NO_EVENTS.copy(),
        control_of(controls_of(rules)),
    )  # fmt: skip
    return kernel


assert PROOF_THRESHOLD < WIN - DEEPEST
