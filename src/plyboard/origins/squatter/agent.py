"""The agent squatter: minimax without duplicate positions, evaluating captured cells."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from plyboard.agents.agent import NO_LIMIT, check_turn
from plyboard.agents.settings import HASH, NODES, SECONDS
from plyboard.games import Position
from plyboard.games.game import values_of
from plyboard.origins.squatter.captured_cells import best_cells_first, captured_cells
from plyboard.search.alpha_beta.duplicate_pruning import (
    ChoiceWithSavings,
    minimax_without_duplicates,
)
from plyboard.search.common.budget import DEEPEST, Budget
from plyboard.search.common.events import Events
from plyboard.specs import Parameter, Setting

DEFAULT_BUDGET = Budget(depth=4)


@dataclass(frozen=True)
class SquatterAgent:
    """Plays for the most captured cells at its depth; ties go to the best static cell."""

    budget: Budget = DEFAULT_BUDGET
    hash: int = 64  # MiB of table
    name: str = "squatter"

    about: ClassVar[str] = "four-ply minimax that skips mirrored positions; counts captures"
    settings: ClassVar[tuple[Setting, ...]] = (
        SECONDS,
        Parameter("depth", 4, 1, DEEPEST),
        NODES,
        HASH,
    )
    games: ClassVar[tuple[str, ...]] = ("squatter",)
    compiles: ClassVar[bool] = True

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> ChoiceWithSavings:
        """Return the best move at its depth, and how many nodes each symmetry saved."""
        return self._search(position, budget)

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> ChoiceWithSavings:
        """Return its choice with all events of the search."""
        return self._search(position, budget, Events())

    def _search(
        self, position: Position, budget: Budget, events: Events | None = None
    ) -> ChoiceWithSavings:
        check_turn(position, self.name, self.games)
        size, limits = values_of(position.game)["size"], budget.within(self.budget)
        if limits.depth is None:
            limits = replace(limits, depth=DEFAULT_BUDGET.depth)
        order = best_cells_first(size, position.state)
        return minimax_without_duplicates(
            position, captured_cells(size), limits, self.hash, order, events
        )
