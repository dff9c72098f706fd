"""The cells captured so far in Squatter, and what each free cell promises to a piece.

Only inner cells can be captured, and chains grow by corners: such cells promise more, and most
beside pieces of one's own. With Black to move:

    + + + +     12  2 12  0
    + W + +      2  W 10  0
    + + + +     12 10 38  3    38 is inner, with a corner to each piece
    + + + B      0  0  3  B
"""

from __future__ import annotations

from functools import cache

from plyboard.evaluate.evaluation import Evaluation
from plyboard.evaluate.plain import plain
from plyboard.games.rules import State
from plyboard.games.squatter import rules

INNER = 8  # for a cell that is not on the border
SIDE, CORNER = 1, 6  # for each live piece beside the cell
OWN, OTHER = 3, 2  # times that, by whose piece it is

SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))
CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


@cache
def captured_cells(size: int = 6) -> Evaluation:
    """Return the lead in captured cells of the player to move."""
    return Evaluation("captured-cells", plain(rules(size)).guess)


def cell_values(size: int, state: State) -> tuple[int, ...]:
    """Return what each cell promises to the player to move, row by row; 0 if it is not free."""
    free = rules(size).legal(state)
    return tuple(
        _value(size, state, cell) if free >> cell & 1 else 0 for cell in range(size * size)
    )


def best_cells_first(size: int, state: State) -> tuple[int, ...]:
    """Return all cells, the most promising first; of those alike, the nearest to the centre."""
    values = cell_values(size, state)
    return tuple(sorted(rules(size).order, key=lambda cell: -values[cell]))


def _value(size: int, state: State, cell: int) -> int:
    row, column = divmod(cell, size)
    inner = INNER if 0 < row < size - 1 and 0 < column < size - 1 else 0
    mover = rules(size).mover(state)
    live = [state[player] & ~(state[2] | state[3]) for player in (mover, 1 - mover)]
    beside = sum(
        worth * factor * _count(size, live[index], row, column, steps)
        for index, factor in enumerate((OWN, OTHER))
        for worth, steps in ((SIDE, SIDES), (CORNER, CORNERS))
    )
    return inner + beside


def _count(
    size: int, pieces: int, row: int, column: int, steps: tuple[tuple[int, int], ...]
) -> int:
    """Count the pieces that are one of these steps away from a cell."""
    places = ((row + down, column + across) for down, across in steps)
    return sum(
        pieces >> size * down + across & 1
        for down, across in places
        if 0 <= down < size and 0 <= across < size
    )
