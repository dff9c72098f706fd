"""A student's second agent: minimax as in the textbook, two plies deep."""

from __future__ import annotations

from plyboard.agents import Budget, Choice
from plyboard.games import Position

WON = 1000  # more than any lead in points
DEPTH = 2


class Minimax:
    """Looks at all its moves and all replies. The limits of the budget are not needed."""

    name = "minimax"

    def choose(self, position: Position, budget: Budget) -> Choice:
        """Return the move whose worst reply is the best."""
        player = position.mover

        def value(after: Position, depth: int) -> int:
            if depth == 0 or after.is_over:
                return lead(after, player)
            values = [value(after.apply_action(each), depth - 1) for each in after.legal_actions()]
            return max(values) if after.mover == player else min(values)  # whose turn it is

        values = {
            action: value(position.apply_action(action), DEPTH - 1)
            for action in position.legal_actions()
        }
        best = max(values, key=lambda action: values[action])
        return Choice(best, values[best], depth=DEPTH)


def lead(position: Position, player: int) -> int:
    """Return the lead of a player in points, or what a win or a loss is worth."""
    scores = position.scores() or (0, 0)  # not all games have points
    won = 0 if position.winner is None else WON if position.winner == player else -WON
    return won + scores[player] - scores[1 - player]
