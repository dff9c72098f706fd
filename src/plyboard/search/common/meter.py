"""The remaining budget of several searches that run one after another."""

from __future__ import annotations

import time
from dataclasses import replace

from plyboard.search.common.budget import Budget

LEAST_SECONDS = 0.001  # the least time that a search gets
NEARLY_SPENT = 0.95  # share of the seconds after which no search is started


class Meter:
    """Counts the seconds and nodes spent of one budget, from its creation."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self.nodes = 0
        self._began = time.perf_counter()

    @property
    def seconds(self) -> float:
        """The seconds since the meter was created."""
        return time.perf_counter() - self._began

    def spend(self, nodes: int) -> None:
        """Add the nodes of a search."""
        self.nodes += nodes

    def left(self, share: float = 1.0, *, parts: int = 1, longest: float | None = None) -> Budget:
        """Return a share of what is left, split into equal parts, but never zero.

        Depth, simulations, seed and monitor stay. `longest` limits the seconds.
        """
        seconds, nodes = self.budget.seconds, self.budget.nodes
        if seconds is not None:
            seconds = max((seconds - self.seconds) * share / parts, LEAST_SECONDS)
            seconds = seconds if longest is None else min(seconds, longest)
        if nodes is not None:
            nodes = max(int((nodes - self.nodes) * share) // parts, 1)
        return replace(self.budget, seconds=seconds, nodes=nodes)

    @property
    def is_spent(self) -> bool:
        """Whether no further search should start: the budget is used up, or was stopped."""
        budget = self.budget
        if budget.monitor is not None and budget.monitor.stopped:
            return True
        if budget.nodes is not None and self.nodes >= budget.nodes:
            return True
        return budget.seconds is not None and self.seconds > NEARLY_SPENT * budget.seconds
