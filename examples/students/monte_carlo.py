"""A student's third agent: it plays random games after each of its moves."""

from __future__ import annotations

import random

from plyboard.agents import Budget, Choice
from plyboard.games import Position

GAMES = 5  # after each move


class MonteCarlo:
    """Plays the move after which it won most of its random games."""

    name = "monte-carlo"

    def choose(self, position: Position, budget: Budget) -> Choice:
        """Return the move with the best mean result; the same seed gives the same move."""
        lots, player = random.Random(f"{budget.seed} {position.text()}"), position.mover

        def result(after: Position) -> int:
            while not after.is_over:
                after = after.apply_action(lots.choice(after.legal_actions()))
            return 0 if after.winner is None else 1 if after.winner == player else -1

        totals = {
            action: sum(result(position.apply_action(action)) for _ in range(GAMES))
            for action in position.legal_actions()
        }
        best = max(totals, key=lambda action: totals[action])
        return Choice(best, totals[best] / GAMES, simulations=GAMES * len(totals))
