"""Captured cells of Squatter, and the potential of each free cell for move ordering.

Only inner cells can be captured, and chains grow by corners. So inner cells and corners of pieces
have more potential, most of all corners of own pieces. With Black to move:

    + + + +     12  2 12  0
    + W + +      2  W 10  0
    + + + +     12 10 38  3    38 is inner, with a corner to each piece
    + + + B      0  0  3  B
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from plyboard.evaluate import ListedEvaluation
from plyboard.evaluate.evaluation import Evaluation
from plyboard.evaluate.score_lead import score_lead
from plyboard.games.rules import State
from plyboard.games.squatter import Squatter, rules
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import count
from plyboard.kernel.square import square

INNER = 8  # for a cell that is not on the border
SIDE, CORNER = 1, 6  # for each live piece beside the cell
OWN, OTHER = 3, 2  # times that, by whose piece it is

SIDES = ((-1, 0), (0, -1), (0, 1), (1, 0))
CORNERS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


@cache
def captured_cells(size: int = 6) -> Evaluation:
    """Return the lead in captured cells of the player to move."""
    return Evaluation("captured-cells", score_lead(rules(size)).evaluate)


@cache
def cell_potential(size: int = 6) -> Callable[[State, int], int]:
    """Return a kernel that gives the potential of a free cell for the player to move."""
    board = square(size)
    inside, one = Word(board.full & ~board.rim), Word(1)
    sides = tuple(_cells_beside(size, cell, SIDES) for cell in range(size * size))
    corners = tuple(_cells_beside(size, cell, CORNERS) for cell in range(size * size))

    @kernel
    def potential(state: State, cell: int) -> int:
        white, black, by_white, by_black, player = state
        dead, side, corner = by_white | by_black, sides[cell], corners[cell]
        own, other = white & ~dead, black & ~dead
        if player:
            own, other = other, own
        inner = INNER if (inside >> cell) & one else 0
        mine = SIDE * count(own & side) + CORNER * count(own & corner)
        theirs = SIDE * count(other & side) + CORNER * count(other & corner)
        return inner + OWN * mine + OTHER * theirs

    return potential


def cell_values(size: int, state: State) -> tuple[int, ...]:
    """Return the potential of each cell for the player to move, row by row; 0 if not free."""
    free, value = rules(size).legal(state), cell_potential(size)
    return tuple(value(state, cell) if free >> cell & 1 else 0 for cell in range(size * size))


def best_cells_first(size: int, state: State) -> tuple[int, ...]:
    """Return all cells by potential, the highest first; ties go to the nearest to the centre."""
    values = cell_values(size, state)
    return tuple(sorted(rules(size).order, key=lambda cell: -values[cell]))


def _cells_beside(size: int, cell: int, steps: tuple[tuple[int, int], ...]) -> int:
    """Return the cells one of these steps away from a cell."""
    places = ((cell // size + down, cell % size + across) for down, across in steps)
    return Word(
        sum(
            1 << size * row + column
            for row, column in places
            if 0 <= row < size and 0 <= column < size
        )
    )


LISTED = ListedEvaluation(Squatter, lambda game: captured_cells(game.size), "captured cells")
