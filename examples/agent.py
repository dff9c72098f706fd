"""An agent in ten lines: it plays the move that leaves the opponent the fewest moves."""

from plyboard.agents import Budget, Choice
from plyboard.games import Position


class Cramper:
    """Minimises the number of legal moves of the opponent."""

    name = "cramper"

    def choose(self, position: Position, budget: Budget) -> Choice:
        """Return the move after which the opponent has the fewest moves; the budget is ignored."""

        def replies(action: int) -> int:
            return len(position.apply_action(action).legal_moves())

        return Choice(min(position.legal_actions(), key=replies))


if __name__ == "__main__":
    position, players = Position("conniption"), (Cramper(), Cramper())
    while not position.is_over:
        position = position.apply_action(players[position.mover].choose(position, Budget()).action)
    print(position, position.outcome(), sep="\n")
