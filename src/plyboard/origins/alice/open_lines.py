"""Open lines of Connect Four: rows one or two discs short of a line that can still grow.

A row is a maximal sequence of adjacent discs of one player in a line. It is open if at least one of
the two cells beyond its ends is on the board and empty; the cell below that does not matter. With
lines of four, a row of two is worth 1 and a row of three is worth 5.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from plyboard.evaluate import ListedEvaluation
from plyboard.evaluate.evaluation import Evaluation, Weights
from plyboard.games.connect_four import ConnectFour
from plyboard.games.gravity import gravity, strides
from plyboard.games.rules import State
from plyboard.kernel import kernel
from plyboard.kernel.wide import ZERO, Board

SHORT_BY_ONE, SHORT_BY_TWO = 0, 1  # features: rows so many discs short of a line
WEIGHTS = (5, 1)


@cache
def open_lines(columns: int = 7, rows: int = 6, line: int = 4, strict: bool = False) -> Evaluation:
    """Return the lead in open rows of the player to move.

    If strict, a row counts only where a whole line fits: some line of cells that contains the row
    has no disc of the opponent.
    """
    board = gravity(columns, rows)
    words, differ, without = board.words, board.wide.differ, board.wide.without
    full = board.full
    ones = _counter(columns, rows, line, line - 1, strict)
    twos = _counter(columns, rows, line, line - 2, strict)

    @kernel
    def worth(discs: Board, empty: Board, weights: Weights) -> int:
        near = weights[SHORT_BY_ONE] * ones(discs, empty)
        return int(near + weights[SHORT_BY_TWO] * twos(discs, empty))

    @kernel
    def lead(state: State, weights: Weights) -> int:
        mine, occupied = state[:words], state[words:]
        empty = without(full, occupied)
        return worth(mine, empty, weights) - worth(differ(mine, occupied), empty, weights)

    name = "strict-lines" if strict else "open-lines"
    return Evaluation(name, lead, weights=np.array(WEIGHTS))


def _counter(
    columns: int, rows: int, line: int, length: int, strict: bool
) -> Callable[[Board, Board], int]:
    """Return a kernel that counts the open rows of this length in all four directions."""
    kit = gravity(columns, rows).wide
    both, either, without = kit.both, kit.either, kit.without
    right, left, count = kit.right, kit.left, kit.count
    step = rows + 1
    row_hops, line_hops = strides(length) or (0,), strides(line)
    places = line - length  # how many lines of full length reach beyond one end of the row

    @kernel
    def rows_along(discs: Board, direction: int) -> Board:
        """Return the first cell of each row of exactly this length."""
        found = without(discs, left(discs, direction, ZERO))
        found = without(found, right(discs, length * direction))
        whole = discs
        for hop in row_hops:
            whole = both(whole, right(whole, hop * direction))
        return both(found, whole)

    @kernel
    def is_open(discs: Board, empty: Board, direction: int) -> Board:
        """Return the cells at which an open row can begin."""
        if not strict:
            return either(left(empty, direction, ZERO), right(empty, length * direction))
        free = either(discs, empty)
        for hop in line_hops:
            free = both(free, right(free, hop * direction))
        found = free
        for _ in range(places):
            free = left(free, direction, ZERO)
            found = either(found, free)
        return found

    @kernel
    def along(discs: Board, empty: Board, direction: int) -> int:
        return count(both(rows_along(discs, direction), is_open(discs, empty, direction)))

    @kernel
    def counted(discs: Board, empty: Board) -> int:
        upright = along(discs, empty, 1) + along(discs, empty, step)
        return upright + along(discs, empty, step - 1) + along(discs, empty, step + 1)

    @kernel
    def none(_discs: Board, _empty: Board) -> int:
        return 0

    return counted if length > 0 else none


LISTED = ListedEvaluation(
    ConnectFour,
    lambda game: open_lines(game.columns, game.rows, game.line),
    "runs one or two discs short of a line, with an empty cell at an end",
)
STRICT = ListedEvaluation(
    ConnectFour,
    lambda game: open_lines(game.columns, game.rows, game.line, strict=True),
    "the same, where a whole line still fits",
)
