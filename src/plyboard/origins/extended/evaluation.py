"""The evaluation of the course's player under the names of its text: `eval`, `g`, `h`, `get_pts`.

A board is rows of 0, 1 and 2 from the top, as in the course, and a player is 1 or 2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from plyboard.games.extended import Extended

Board = Sequence[Sequence[int]]
Window = tuple[tuple[int, int], ...]
"""The cells of a window: row and column."""

WEIGHTS = (0, 0, 3, 7, 20)  # by the length of a window
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def get_pts(player_number: int, board: Board) -> int:
    """Return the points of a player."""
    game = Extended(len(board), len(board[0]), 0)
    rows = ["".join(".12"[int(cell)] for cell in row) for row in board]
    points: tuple[int, int] = game.rules.scores(game.state(rows, 0, (0, 0)))
    return points[player_number - 1]


g = get_pts


def h(player_number: int, board: Board) -> Fraction:
    """Return the worth of the windows that a player can still fill, the harder the less."""
    return sum(
        (window_share(player_number, board, window) for window in _windows(board)), start=Fraction()
    )


def eval(player_number: int, board: Board) -> Fraction:
    """Return the points of a player and the worth of his windows, less those of the other one."""
    mine, theirs = (g(player, board) + h(player, board) for player in (1, 2))
    return mine - theirs if player_number == 1 else theirs - mine


def _windows(board: Board) -> Iterator[Window]:
    rows, columns = len(board), len(board[0])
    for length in range(2, len(WEIGHTS)):
        for down, right in DIRECTIONS:
            for row in range(rows):
                for column in range(columns):
                    cells = tuple(
                        (row + step * down, column + step * right) for step in range(length)
                    )
                    if 0 <= cells[-1][0] < rows and 0 <= cells[-1][1] < columns:
                        yield cells


def window_share(player_number: int, board: Board, window: Window) -> Fraction:
    """Return what a window is worth; it counts if it has discs of this player alone, not full."""
    owners = [int(board[row][column]) for row, column in window]
    count = owners.count(player_number)
    if not 0 < count < len(window) or 3 - player_number in owners:
        return Fraction()
    depth = 1
    for row, column in window:
        if not board[row][column]:
            depth *= 2 ** _height(board, row, column)
    return Fraction(WEIGHTS[len(window)], (len(window) - count) * depth)


def _height(board: Board, row: int, column: int) -> int:
    """Return how many discs it takes to fill an empty cell: 1 if a disc would land in it."""
    return sum(not board[below][column] for below in range(row, len(board)))
