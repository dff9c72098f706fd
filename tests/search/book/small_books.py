"""Small books that the tests of books share, and what makes them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from plyboard.games.connect_four import ConnectFour
from plyboard.search.book.book import Book
from plyboard.search.book.build import BookBuild
from plyboard.search.solver.solver import Solution, Solver

SMALL, WIDE = ConnectFour(4, 4), ConnectFour(5, 4)
# Positions of 7x6 that are not over, mirror images once.
OPENINGS_7X6 = [1, 4, 25, 121, 568, 2144]


@cache
def solver(game: ConnectFour) -> Solver:
    return Solver(game, 4)


class Draws(Solver):
    """Calls everything a draw, and needs nothing compiled for it."""

    def __init__(self) -> None:
        pass

    def solve(self, *_: object, **__: object) -> Solution:
        return Solution(0, 0, 0, 0.0)


def build(game: ConnectFour, plies: int, file: Path, by: Solver | None = None) -> Book:
    work = BookBuild(game, plies, file)
    work.begin()
    for key in work.unsolved:
        work.solve(key, by or solver(game))
    return work.finish()
