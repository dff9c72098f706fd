"""Features of boards with falling discs: open lines and threats.

A window is as many cells in a row as a line needs. It is open to a player while the opponent has no
disc in it. A threat is an empty cell that would complete a line.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from plyboard.games.gravity import gravity
from plyboard.kernel import kernel
from plyboard.kernel.wide import ZERO, Board, split


@dataclass(frozen=True)
class LineFeatures:
    """The kernels for one board size and line length."""

    potential: Callable[[Board, Board], int]  # own discs, empty cells: discs in open windows
    threats: Callable[[Board, Board], Board]  # own discs, empty cells: cells that complete a line
    odd_rows: Board  # the cells of the first, third ... row


@cache
def line_features(columns: int, rows: int, line: int = 4) -> LineFeatures:
    """Return the kernels. A disc counts once for each open window that it is in."""
    board = gravity(columns, rows)
    kit, step = board.wide, rows + 1
    both, either, right, left, count = kit.both, kit.either, kit.right, kit.left, kit.count
    directions = (1, step - 1, step, step + 1)
    nothing, full = split(0, board.words), board.full

    @kernel
    def potential_along(own: Board, empty: Board, direction: int) -> int:
        free = either(own, empty)
        opened = free
        for index in range(1, line):
            opened = both(opened, right(free, index * direction))
        discs = 0
        for index in range(line):
            discs += count(both(opened, right(own, index * direction)))
        return discs

    @kernel
    def threats_along(own: Board, direction: int) -> Board:
        """Go from the last cell of a window to the first, moving the cells found at each step."""
        found = nothing
        for missing in range(line - 1, -1, -1):
            windows = full
            for index in range(line):
                if index != missing:
                    windows = both(windows, right(own, index * direction))
            found = either(left(found, direction, ZERO), windows)
        return found

    @kernel
    def potential(own: Board, empty: Board) -> int:
        discs = 0
        for direction in directions:
            discs += potential_along(own, empty, direction)
        return discs

    @kernel
    def threats(own: Board, empty: Board) -> Board:
        found = nothing
        for direction in directions:
            found = either(found, threats_along(own, direction))
        return both(found, empty)

    odd = sum(
        1 << board.cell(row, column) for column in range(columns) for row in range(0, rows, 2)
    )
    return LineFeatures(potential, threats, split(odd, board.words))
