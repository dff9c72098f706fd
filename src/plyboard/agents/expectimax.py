"""The agent expectimax: assumes that the opponent moves at random."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from plyboard.agents.agent import NO_LIMIT, check_turn
from plyboard.evaluate import Evaluation, best_evaluation
from plyboard.evaluate.window_potential import window_potential
from plyboard.games import Game, Position
from plyboard.games.extended import Extended
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice
from plyboard.search.common.events import Events
from plyboard.search.expectimax import expectimax_search

DEFAULT_BUDGET = Budget(seconds=1.0)
TO_EXPLAIN = Budget(depth=4)


@dataclass(frozen=True)
class Expectimax:
    """Plays for the best mean against an opponent who moves uniformly at random.

    In Extended Connect Four it evaluates points and open windows, or as the engine does with
    `evaluation="best"`. In other games it always evaluates as the engine does.
    """

    budget: Budget = NO_LIMIT
    hash: int = 64  # MiB of table
    evaluation: str = "windows"  # or "best"
    name: str = "expectimax"

    compiles: ClassVar[bool] = True

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the move with the best mean found within the budget."""
        return self._search(position, budget, DEFAULT_BUDGET)

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return its choice with all events of the search."""
        return self._search(position, budget, TO_EXPLAIN, Events())

    def _search(
        self, position: Position, budget: Budget, usual: Budget, events: Events | None = None
    ) -> Choice:
        check_turn(position, self.name)
        limits = budget.within(self.budget).or_else(usual)
        is_best = self.evaluation == "best"
        evaluation = (best_evaluation if is_best else windows_or_best)(position.game)
        return expectimax_search(position, evaluation, limits, self.hash, events)


def windows_or_best(game: Game) -> Evaluation:
    """Return `window_potential` in Extended Connect Four, and the best evaluation elsewhere."""
    if isinstance(game, Extended):
        return window_potential(game.columns, game.rows)
    return best_evaluation(game)
