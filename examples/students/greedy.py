"""A student's first agent: it looks at the position after each of its moves, and no further."""

from __future__ import annotations

import random

from plyboard.agents import Budget, Choice
from plyboard.games import Position


class Greedy:
    """Takes a win, or else the most points; among equal moves it draws lots."""

    name = "greedy"

    def choose(self, position: Position, budget: Budget) -> Choice:
        """Return one of the moves with the best result at once."""
        lots, player = random.Random(f"{budget.seed} {position.text()}"), position.mover

        def gain(action: int) -> tuple[bool, int]:
            after = position.apply_action(action)
            scores = after.scores() or (0, 0)  # not all games have points
            return after.winner == player, scores[player] - scores[1 - player]

        gains = {action: gain(action) for action in position.legal_actions()}
        best = max(gains.values())
        return Choice(lots.choice([action for action in gains if gains[action] == best]))
