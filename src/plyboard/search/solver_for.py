"""The solver of a board with the books at hand, for whoever can also do without."""

from __future__ import annotations

from functools import lru_cache

from plyboard.errors import UnusableError, UsageError
from plyboard.games import Game
from plyboard.games.connect_four import ConnectFour
from plyboard.search.book import book_solution
from plyboard.search.solver import Solver, check_board


def solver_for(game: Game, mebibytes: int, threads: int) -> Solver | None:
    """Return a solver, the same again for the same wishes; None if this cannot be solved so."""
    try:
        return with_books(check_board(game), mebibytes, threads)
    except (UsageError, UnusableError):
        return None


@lru_cache(maxsize=2)
def with_books(game: ConnectFour, mebibytes: int, threads: int) -> Solver:
    """Return a solver, the same again for the same wishes: its table is large."""
    return Solver(game, mebibytes, threads, book_solution)
