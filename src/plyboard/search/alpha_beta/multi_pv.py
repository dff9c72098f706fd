"""Multi-PV: the values of all legal moves by alpha-beta, to the same depth."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np

from plyboard.evaluate.evaluation import Evaluation
from plyboard.games import Position, game_over_error
from plyboard.search.alpha_beta.iterative_deepening import (
    DEFAULT_MEBIBYTES,
    NO_EVENTS,
    AlphaBeta,
    compiled_alpha_beta,
    new_thread_memory,
    symmetry_maps,
    value_in,
)
from plyboard.search.alpha_beta.principal_variation import (
    EVALUATIONS,
    GENERATION,
    INFINITE,
    SEARCHING,
    SHARED,
    controls_of,
)
from plyboard.search.common.boundary import state_of, words
from plyboard.search.common.budget import DEEPEST, Budget
from plyboard.search.common.choice import PROOF_THRESHOLD, Choice, ValuedMove, plies_to_end
from plyboard.search.common.control import LIMIT, NODES, STOP, control_of
from plyboard.search.common.parallel import run_searches
from plyboard.search.common.tiers import usable_threads
from plyboard.search.common.turns import turn_sign


def value_moves(
    position: Position,
    evaluation: Evaluation,
    budget: Budget,
    mebibytes: int = DEFAULT_MEBIBYTES,
    threads: int = 1,
    owner: AlphaBeta | None = None,
) -> list[ValuedMove]:
    """Return every legal move, the best first, at the greatest depth that all of them reached.

    A move with an exact value is not searched deeper. One thread always finds the same. The monitor
    of the budget hears of each depth. The table and the threads are those of the owner, or new.
    """
    if not position.legal_actions():
        raise game_over_error("no move to value", position)
    return _MultiPvRun(position, evaluation, budget, owner or AlphaBeta(mebibytes, threads)).run()


class _MultiPvRun:
    """One search of all moves of one position."""

    def __init__(
        self, position: Position, evaluation: Evaluation, budget: Budget, owner: AlphaBeta
    ) -> None:
        self.rules, self.budget, self.began = position.game.rules, budget, time.perf_counter()
        self.scale, self.weights = evaluation.scale, evaluation.weights
        self.kernel = compiled_alpha_beta(self.rules, evaluation, False)
        self.after = {
            action: words(self.rules.play(position.state, action))
            for action in self.rules.ordered_actions(position.state)
        }
        self.signs = {
            action: turn_sign(self.rules)(position.state, state_of(after))
            for action, after in self.after.items()
        }
        self.table, self.maps = owner.table, symmetry_maps(self.rules)
        threads = usable_threads(self.kernel, owner.threads, budget)
        self.table.empty()
        self.searching = np.zeros(SEARCHING, dtype=np.uint64)
        self.memories = [new_thread_memory(self.rules) for _ in range(threads)]
        self.controls = [control_of(controls_of(self.rules)) for _ in range(threads)]
        for control in self.controls:
            control[GENERATION] = self.table.generation
            control[SHARED] = threads > 1
        self.found: dict[int, ValuedMove] = {}
        self.nodes = dict.fromkeys(self.after, 0)

    def run(self) -> list[ValuedMove]:
        """Run iterative deepening until the budget is used up or every move is proved."""
        self._round(1)  # before the clock starts: it is fast
        if self.budget.nodes is not None:
            for control in self.controls:
                control[LIMIT] = max(self.budget.nodes // len(self.controls), control[NODES] + 1)
        run_searches([self._deepen], self.controls, self.budget.seconds, self.budget.monitor)
        return self._sorted()

    def _sorted(self) -> list[ValuedMove]:
        moves = [replace(self.found[action], nodes=self.nodes[action]) for action in self.after]
        return sorted(moves, key=lambda each: -each.value)

    def _deepen(self) -> None:
        for depth in range(2, (self.budget.depth or DEEPEST) + 1):
            if self._is_stopped() or all(each.exact for each in self.found.values()):
                return
            self._round(depth)

    def _round(self, depth: int) -> None:
        """Search each move that is not exact; accept the results if all searches finish."""
        left = [
            action
            for action in self.after
            if action not in self.found or not self.found[action].exact
        ]
        new: list[ValuedMove] = []
        if len(self.controls) == 1:
            new.extend(self._search_moves(0, iter(left), depth))
        else:
            shared = _SharedQueue(left)
            with ThreadPoolExecutor(len(self.controls)) as pool:
                work = (
                    pool.submit(lambda place: list(self._search_moves(place, shared, depth)), at)
                    for at in range(len(self.controls))
                )
                for each in list(work):
                    new.extend(each.result())
        for memory in self.memories:
            memory.ordering[2:] //= 2
        is_whole = len(new) == len(left)
        self.found |= {each.action: each for each in new if is_whole or each.exact}
        if is_whole:
            self._report(depth)

    def _search_moves(self, index: int, actions: Iterator[int], depth: int) -> Iterator[ValuedMove]:
        """Yield the moves that one thread searches, until it is stopped."""
        control, memory = self.controls[index], self.memories[index]
        for action in actions:
            before, control[EVALUATIONS] = int(control[NODES]), 0
            raw = self.kernel(
                self.after[action], depth - 1, -INFINITE, INFINITE, self.weights,
                self.table.entries, self.table.shift, self.maps, memory.ordering, memory.stack,
                self.searching, NO_EVENTS, control,
            )  # fmt: skip
            self.nodes[action] += int(control[NODES]) - before
            if control[STOP] and depth > 1:
                return
            value = parent_value(
                value_in(int(raw), self.rules, self.scale),
                self.rules.has_points,
                self.signs[action],
            )
            length = int(memory.stack[0, 0])
            yield ValuedMove(
                action,
                value,
                (action, *memory.stack[0, 1 : 1 + length].tolist()),
                depth,
                exact=not control[EVALUATIONS] or self._is_near(value, depth),
            )

    def _is_near(self, value: float, depth: int) -> bool:
        """Tell whether this is a win or loss within the depth, so that none is faster."""
        plies = None if self.rules.has_points else plies_to_end(value)
        return plies is not None and plies <= depth

    def _report(self, depth: int) -> None:
        if self.budget.monitor is None:
            return
        seconds = time.perf_counter() - self.began
        self.budget.monitor.report(choice_of(self._sorted(), depth, seconds))

    def _is_stopped(self) -> bool:
        return any(control[STOP] for control in self.controls)


def choice_of(moves: Sequence[ValuedMove], depth: int = 0, seconds: float = 0.0) -> Choice:
    """Return the best of some valued moves as a choice, with all of them."""
    best = moves[0]
    return Choice(
        best.action,
        best.value,
        best.line,
        depth or best.depth,
        nodes=sum(each.nodes for each in moves),
        seconds=seconds,
        exact=best.exact,
        values={each.action: each.value for each in moves},
        moves=tuple(moves),
    )


class _SharedQueue(Iterator[int]):
    """A queue of actions shared by threads."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self._left = list(reversed(numbers))

    def __next__(self) -> int:
        try:
            return self._left.pop()
        except IndexError:
            raise StopIteration from None


def parent_value(value: float, has_points: bool, sign: int = -1) -> float:
    """Return the value of a move that leads to a position of this value.

    The sign is that of `turn_sign`: 1 if the same player is to move there.
    """
    signed = sign * value + 0.0  # no -0.0
    if has_points or abs(value) <= PROOF_THRESHOLD:
        return signed
    return signed - 1 if signed > 0 else signed + 1
