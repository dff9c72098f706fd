"""An agent in ten lines: it plays the move that leaves the opponent the fewest moves."""

from plyboard.agents import Budget, Choice
from plyboard.games import Position


class Cramper:
    """Minimises the number of legal moves of the opponent."""

    name = "cramper"

    def choose(self, position: Position, budget: Budget) -> Choice:
        """Return the move after which the opponent has the fewest moves; the budget is ignored."""
        left = {move: len(position.play(move).legal_moves()) for move in position.legal_actions()}
        return Choice(min(left, key=lambda move: left[move]))


if __name__ == "__main__":
    position, players = Position("conniption"), (Cramper(), Cramper())
    while position.outcome() is None:
        position = position.play(players[position.mover].choose(position, Budget()).action)
    print(position, position.outcome(), sep="\n")
