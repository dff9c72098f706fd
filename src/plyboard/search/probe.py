"""Short searches one after another, with the table that a longer one has filled."""

from __future__ import annotations

import time

import numpy as np

from plyboard.evaluate.evaluation import Evaluation
from plyboard.games import Position
from plyboard.games.rules import Rules
from plyboard.search.alpha_beta import NO_EVENTS, loop_of, memory_of, table_of, turns_of
from plyboard.search.alpha_beta_loop import BUSY, CONTROLS, GENERATION
from plyboard.search.boundary import Words
from plyboard.search.budget import Budget
from plyboard.search.control import NODES, STOP, control_of


class Probe:
    """One budget for many short searches by alpha-beta."""

    def __init__(
        self, rules: Rules, evaluation: Evaluation, budget: Budget, mebibytes: int
    ) -> None:
        self.budget, self.loop = budget, loop_of(rules, evaluation, False)
        self.table = table_of(mebibytes)
        self.memory, self.maps = memory_of(rules), turns_of(rules)
        self.busy = np.zeros(BUSY, dtype=np.uint64)
        self.control = control_of(CONTROLS, budget.nodes)
        self.control[GENERATION] = self.table.generation
        self.began = time.perf_counter()

    def value(self, start: Words, depth: int, alpha: int, beta: int) -> int:
        """Return what a state is worth to the player to move; nothing if it was stopped."""
        return int(
            self.loop(
                start, depth, alpha, beta, self.table.entries, self.table.shift, self.maps,
                self.memory.places, self.memory.good, self.memory.line, self.busy, NO_EVENTS,
                self.control,
            )
        )  # fmt: skip

    @property
    def line(self) -> tuple[int, ...]:
        """The best line of the last search."""
        length = int(self.memory.line[0, 0])
        return tuple(self.memory.line[0, 1 : 1 + length].tolist())

    @property
    def nodes(self) -> int:
        """The positions looked at so far."""
        return int(self.control[NODES])

    @property
    def is_stopped(self) -> bool:
        """Whether the budget is used up, or somebody has asked for the end."""
        return bool(self.control[STOP])

    @property
    def spent(self) -> float:
        """The share of the budget that is used up."""
        nodes, seconds = self.budget.nodes, self.budget.seconds
        share = 0.0 if nodes is None else self.nodes / nodes
        if seconds is not None:
            share = max(share, (time.perf_counter() - self.began) / seconds)
        return share


def lead_of(position: Position) -> int:
    """Return the points that the player to move is ahead by."""
    first, second = position.scores() or (0, 0)
    return second - first if position.mover else first - second
