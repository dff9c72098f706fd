"""Jericho, the Monte Carlo tree search of Four In A Row: random moves, discounted results."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyboard.errors import UnusableError, UsageError
from plyboard.games import Position, game_over_error, spec_of
from plyboard.games.rules import Rules
from plyboard.kernel import FULL, Word
from plyboard.kernel.bits import below, mix, step_random
from plyboard.origins.four_in_a_row.jericho_loop import (
    CONTROLS,
    DEPTH,
    FIELDS,
    FIRST,
    GOAL,
    PATH,
    SIMULATIONS,
    USED,
    VISITS,
    copy_subtree,
    jericho_kernel,
)
from plyboard.search.common.boundary import words
from plyboard.search.common.budget import MOST, Budget
from plyboard.search.common.choice import PROOF_THRESHOLD, Choice
from plyboard.search.common.control import EVENTS, NODES, STOP, control_of
from plyboard.search.common.events import Events
from plyboard.search.common.parallel import run_searches
from plyboard.search.common.successors import actions_between, node_after
from plyboard.search.common.tiers import tiered

USUAL = Budget(simulations=3000)
CLOCK_INTERVAL = 100  # simulations between two looks at the clock
REPORT_SECONDS = 0.1
NODE_BYTES = 8 * (1 + FIELDS)


@dataclass(frozen=True)
class JerichoChild:
    """A child of a node: its sum of results for the player to move at the root."""

    node: int
    action: int
    score: float
    visits: int


class JerichoTree:
    """A tree in arrays of fixed size. With `spare` half of the memory is for `advance`."""

    def __init__(self, position: Position, mebibytes: int, *, spare: bool = False) -> None:
        self.position = position
        self.used = 1
        nodes = (mebibytes << 20) // NODE_BYTES // (2 if spare else 1)
        try:
            self.scores, self.rows = _allocate(nodes)
            self._spare = _allocate(nodes) if spare else None
        except MemoryError:
            raise UnusableError(
                f"no memory for a tree of {mebibytes} MiB; try a smaller one"
            ) from None

    def children(self, node: int = 0) -> Iterator[JerichoChild]:
        """Yield the visited children of a node, in the order of their first visit."""
        child = int(self.rows[node, FIRST])
        while child:
            _, following, action, visits = self.rows[child, : VISITS + 1].tolist()
            if visits:
                yield JerichoChild(child, action, float(self.scores[child]), visits)
            child = following

    def best(self, node: int = 0, sign: int = 1) -> JerichoChild | None:
        """Return the child with the largest score, or with the smallest if the sign is -1."""
        return max(self.children(node), key=lambda child: sign * child.score, default=None)

    def line(self) -> Iterator[int]:
        """Yield the principal variation, as far as nodes have more than one visit."""
        sign, child = 1, self.best()
        while child is not None:
            yield child.action
            sign, child = -sign, self.best(child.node, -sign)
            if child is not None and child.visits == 1:
                return

    def advance(self, position: Position) -> bool:
        """Make a later position the root; return False if it is not in the tree.

        Scores are for one player, who has to be to move again.
        """
        if self._spare is None or spec_of(position.game) != spec_of(self.position.game):
            return False
        steps = actions_between(position.game.rules, self.position.state, position.state)
        if steps is None or len(steps) == 1:
            return False
        node = node_after(steps, self.children)
        if node is None:
            return False
        self.used = int(_compiled_copy()(self.scores, self.rows, node, *self._spare))
        self._spare, (self.scores, self.rows) = (self.scores, self.rows), self._spare
        self.position = position
        return True


class JerichoSearch:
    """Searches positions one after another by random simulations.

    Each search starts with an empty tree: the same position, seed and simulations give the same
    choice. With `keep` the tree is reused after a move and a reply, as in the original program;
    then a choice depends on earlier searches.

    The nodes of a choice are the moves made. When the tree is full, results are still added to the
    nodes that it has.
    """

    def __init__(self, mebibytes: int = 64, *, keep: bool = False) -> None:
        if mebibytes < 1:
            raise UsageError(f"got {mebibytes} MiB; expected at least 1")
        self.mebibytes = mebibytes
        self.keep = keep
        self.tree: JerichoTree | None = None  # of the last search, with `keep`

    def search(
        self, position: Position, budget: Budget = USUAL, events: Events | None = None
    ) -> Choice:
        """Return the move with the largest sum of results, of equal moves the first visited.

        Values are these sums, also in games with points. If no simulation was finished, it is a
        random move.
        """
        if not position.legal_actions():
            raise game_over_error("no move to choose", position)
        if (budget.seconds, budget.nodes, budget.simulations) == (None,) * 3:
            budget = replace(budget, simulations=USUAL.simulations)
        tree, self.tree = self.tree, None
        if tree is None or not tree.advance(position):
            tree = JerichoTree(position, self.mebibytes, spare=self.keep)
        choice = _JerichoRun(position, budget, tree, events).run()
        self.tree = tree if self.keep else None
        return choice


class _JerichoRun:
    """One search of one position."""

    def __init__(
        self, position: Position, budget: Budget, tree: JerichoTree, events: Events | None
    ) -> None:
        self.position, self.budget, self.tree, self.events = position, budget, tree, events
        self.began = time.perf_counter()
        self.kernel = _compiled_kernel(position.game.rules, events is not None)
        self.log = Events(room=0).log if events is None else events.log
        if events is not None:
            events.halves = True
        self.control = control_of(CONTROLS, budget.nodes)
        self.control[USED] = tree.used
        self.path = np.zeros(PATH, dtype=np.int64)
        self.seeds = np.array([budget.seed & FULL], dtype=np.uint64)
        self.start = words(position.state)

    def run(self) -> Choice:
        """Simulate until the budget is used up."""
        self._simulate(0)
        run_searches(
            [self._simulate_and_report], [self.control], self.budget.seconds, self.budget.monitor
        )
        self.tree.used = int(self.control[USED])
        return self._choice()

    def _simulate(self, goal: int) -> None:
        self.control[GOAL] = goal
        tree = self.tree
        self.kernel(
            self.start, tree.scores, tree.rows, self.control, self.path, self.seeds, self.log
        )

    def _simulate_and_report(self) -> None:
        goal, monitor = self.budget.simulations or MOST, self.budget.monitor
        last = time.perf_counter()
        while not self.control[STOP] and self.control[SIMULATIONS] < goal:
            self._simulate(goal if monitor is None else min(goal, self._done + CLOCK_INTERVAL))
            now = time.perf_counter()
            if monitor is not None and now - last >= REPORT_SECONDS:
                monitor.report(self._choice())
                last = now

    @property
    def _done(self) -> int:
        return int(self.control[SIMULATIONS])

    def _choice(self) -> Choice:
        if self.events is not None:
            self.events.total = int(self.control[EVENTS])
        values = {child.action: _clamped(child.score) for child in self.tree.children()}
        best = self.tree.best()
        return Choice(
            action=self._random_action() if best is None else best.action,
            value=0.0 if best is None else _clamped(best.score),
            line=tuple(self.tree.line()),
            depth=int(self.control[DEPTH]),
            nodes=int(self.control[NODES]),
            simulations=self._done,
            seconds=time.perf_counter() - self.began,
            values=values,
            events=self.events,
        )

    def _random_action(self) -> int:
        actions = self.position.legal_actions()
        return actions[below(mix(step_random(Word(self.budget.seed & FULL))), len(actions))]


def _clamped(score: float) -> float:
    """Return a score within the range of estimates."""
    return max(-PROOF_THRESHOLD, min(score, PROOF_THRESHOLD))


def _allocate(nodes: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    return np.zeros(nodes, dtype=np.float64), np.zeros((nodes, FIELDS), dtype=np.int64)


@cache
def _compiled_kernel(rules: Rules, with_events: bool) -> Callable[..., Any]:
    return tiered(jericho_kernel(rules, with_events))


@cache
def _compiled_copy() -> Callable[..., int]:
    return tiered(copy_subtree)


def simulate_once(position: Position) -> None:
    """Simulate one game, which compiles the search for this kind of game."""
    JerichoSearch().search(position, Budget(simulations=1))
