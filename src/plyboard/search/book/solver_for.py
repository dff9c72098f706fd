"""A solver with opening books, for searches to which a solver is optional."""

from __future__ import annotations

from plyboard.errors import UnusableError, UsageError
from plyboard.games import Game
from plyboard.search.book.book import book_solution
from plyboard.search.solver.solver import Solver, check_board


def solver_for(game: Game, mebibytes: int, threads: int) -> Solver | None:
    """Return a new solver; None if no solver fits the game or the table is too small."""
    try:
        return Solver(check_board(game), mebibytes, threads, book_solution)
    except (UsageError, UnusableError):
        return None
