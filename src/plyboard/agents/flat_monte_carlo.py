"""The agent playouts: flat Monte Carlo, many random games after each move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from plyboard.agents.agent import NO_LIMIT, check_turn
from plyboard.games import Position
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice
from plyboard.search.counting.playout import playouts

SURE = 1_000_000.0


@dataclass(frozen=True)
class FlatMonteCarlo:
    """Chooses the move with the best mean of random games.

    It takes a move that wins at once. In games without points, a move that lets the opponent win
    at once is the last choice.
    """

    games: int = 3000
    name: str = "playouts"

    compiles: ClassVar[bool] = True

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the move with the best mean."""
        check_turn(position, self.name)
        values = {
            action: self._value(position.apply_action(action), position.mover, budget.seed + action)
            for action in position.legal_actions()
        }
        order = [action for action in position.game.rules.order if action in values]
        best = max(order, key=lambda action: values[action])
        return Choice(best, values[best], simulations=self.games * len(order), values=values)

    def _value(self, after: Position, player: int, seed: int) -> float:
        sure = _result(after, player)
        if sure is not None:
            return sure * SURE
        if not after.game.rules.has_points and after.mover != player:
            replies = (_result(after.apply_action(each), player) for each in after.legal_actions())
            if -1 in replies:
                return -SURE
        found = playouts(after, self.games, seed)
        return found.points / found.games * (1 if player == 0 else -1)


def _result(position: Position, player: int) -> int | None:
    """Return 1, 0 or -1 if the player won, drew or lost; None if the game is not over."""
    outcome = position.outcome()
    if outcome is None:
        return None
    return 0 if outcome.winner is None else 1 if outcome.winner == player else -1
