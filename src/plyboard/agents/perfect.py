"""The perfect agent: solves every move, and never gives anything away."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from plyboard.agents.agent import NO_LIMIT
from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.search.budget import Budget
from plyboard.search.choice import Choice
from plyboard.search.solver import Solver, check_board


@dataclass(frozen=True)
class Perfect:
    """Wins as fast as can be, else draws, else loses as late as can be.

    Values are scores: the discs that the winner has left at the end, plus one; 0 for a draw.
    """

    hash: int = 64  # MiB of table
    threads: int = 1
    name: str = "perfect"

    def choose(self, position: Position, _budget: Budget = NO_LIMIT) -> Choice:
        """Return a best move, the one nearest to the centre; chance has no part in it."""
        game = check_board(position.game)
        scores = _solver(game, self.hash, self.threads).moves(position)
        values = {game.parse(move): float(told.score) for move, told in scores.items()}
        order = [action for action in game.rules.order if action in values]
        best = max(order, key=lambda action: values[action])
        return Choice(best, values[best], exact=True, values=values)


@lru_cache(maxsize=2)
def _solver(game: ConnectFour, mebibytes: int, threads: int) -> Solver:
    """Return a solver, the same again for the same wishes: its table is large."""
    return Solver(game, mebibytes, threads)
