"""Positions of a book to be solved in another process."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from plyboard.games.catalogue import game as find_game
from plyboard.games.position import Position
from plyboard.search.solver.solver import Solver, check_board

Actions = tuple[int, ...]
NEIGHBOURS = 4  # positions in a task; the table of one helps with the next


@dataclass(frozen=True)
class BookTask:
    """A few positions of one board, and the size of the solver."""

    board: str  # its spec
    mebibytes: int
    threads: int
    positions: tuple[Actions, ...]


def book_tasks(
    board: str, mebibytes: int, threads: int, positions: Sequence[Actions]
) -> Iterator[BookTask]:
    """Yield the tasks that solve these positions, in order."""
    for at in range(0, len(positions), NEIGHBOURS):
        yield BookTask(board, mebibytes, threads, tuple(positions[at : at + NEIGHBOURS]))


def solve_book_task(task: BookTask) -> list[int]:
    """Return the scores of the positions of a task."""
    solver = _solver(task.board, task.mebibytes, task.threads)
    start = Position(solver.game)
    return [solver.solve(start.apply_action(*each), keep=True).score for each in task.positions]


@lru_cache(maxsize=1)
def _solver(board: str, mebibytes: int, threads: int) -> Solver:
    """Return the solver of this process, which keeps its table between tasks."""
    return Solver(check_board(find_game(board)), mebibytes, threads)
