"""Boards with gravity: kernels shared by the three games of the Connect Four family.

A board of r rows has r + 1 bits per column. The top bit stays empty, so that no line continues from
one column into the next. For 7 columns of 6 rows:

     6 13 20 27 34 41 48     always empty
     5 12 19 26 33 40 47     top row
     4 11 18 25 32 39 46
     3 10 17 24 31 38 45
     2  9 16 23 30 37 44
     1  8 15 22 29 36 43
     0  7 14 21 28 35 42     bottom row
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

from plyboard.kernel import WORD_BITS, Word, kernel
from plyboard.kernel.wide import ZERO, Board, Wide, split, wide


@dataclass(frozen=True)
class Gravity:
    """The kernels of a board of one size."""

    columns: int
    rows: int
    words: int
    wide: Wide
    full: Board
    open_columns: Callable[[Board], int]  # columns with an empty cell, one bit each
    drop: Callable[[Board, int], Board]  # the lowest empty cell of a column
    insert: Callable[[Board, int, int], Board]  # push a column up by one; a bit enters below
    remove: Callable[[Board, int], Board]  # let a column fall by one; its lowest cell is lost
    grounded: Callable[[Board], int]  # columns whose lowest cell is set, one bit each
    heads: Callable[[Board], Board]  # the lowest empty bit of each column, spare row included
    mirror: Callable[[Board], Board]  # left and right swapped

    def cell(self, row: int, column: int) -> int:
        """Return the bit of a cell; row 0 is the bottom one."""
        return column * (self.rows + 1) + row

    def board(self, cells: Iterable[tuple[int, int]]) -> Board:
        """Return the board with these (row, column) cells set; row 0 is the bottom one."""
        return split(sum(1 << self.cell(row, column) for row, column in cells), self.words)


@cache
def gravity(columns: int, rows: int) -> Gravity:
    """Return the kernels of a board of this size."""
    step = rows + 1
    words = -(-columns * step // WORD_BITS)
    kit = wide(words)
    both, either, without, right = kit.both, kit.either, kit.without, kit.right
    left, place, gather = kit.left, kit.place, kit.gather
    column_cells = Word((1 << rows) - 1)
    column_cells_and_spare = Word((1 << step) - 1)
    floor = split(sum(1 << column * step for column in range(columns)), words)
    tops = split(sum(1 << column * step + rows - 1 for column in range(columns)), words)
    full = split(sum(((1 << rows) - 1) << column * step for column in range(columns)), words)
    one = Word(1)
    empty = split(0, words)

    @kernel
    def open_columns(occupied: Board) -> int:
        return gather(without(tops, occupied), tops)

    @kernel
    def heads(occupied: Board) -> Board:
        return without(either(left(occupied, 1, ZERO), floor), occupied)

    @kernel
    def drop(occupied: Board, column: int) -> Board:
        return both(heads(occupied), place(column_cells, column * step))

    @kernel
    def insert(board: Board, column: int, bottom: int) -> Board:
        cells = place(column_cells, column * step)
        risen = left(both(board, cells), 1, ZERO)
        return either(without(board, cells), either(risen, place(bottom, column * step)))

    @kernel
    def remove(board: Board, column: int) -> Board:
        cells = place(column_cells, column * step)
        above = without(both(board, cells), place(one, column * step))
        return either(without(board, cells), right(above, 1))

    @kernel
    def grounded(occupied: Board) -> int:
        return gather(occupied, floor)

    @kernel
    def mirror(board: Board) -> Board:
        turned = empty
        for column in range(columns):
            cells = right(board, column * step)[0] & column_cells_and_spare
            turned = either(turned, place(cells, (columns - 1 - column) * step))
        return turned

    return Gravity(
        columns, rows, words, kit, full,
        open_columns, drop, insert, remove, grounded, heads, mirror,
    )  # fmt: skip


def strides(line: int) -> tuple[int, ...]:
    """Return the shifts that leave one bit per line of this length; for 4: 1, then 2."""
    found, length = [], 1
    while length < line:
        stride = min(length, line - length)
        found.append(stride)
        length += stride
    return tuple(found)


@cache
def lines(columns: int, rows: int, line: int) -> Callable[[Board], Board]:
    """Return a kernel that returns the first cell of each line of this many discs."""
    kit = wide(gravity(columns, rows).words)
    both, either, right = kit.both, kit.either, kit.right
    step = rows + 1
    hops = strides(line)

    @kernel
    def along(discs: Board, direction: int) -> Board:
        for hop in hops:
            discs = both(discs, right(discs, hop * direction))
        return discs

    @kernel
    def found(discs: Board) -> Board:
        upright = either(along(discs, 1), along(discs, step))
        return either(upright, either(along(discs, step - 1), along(discs, step + 1)))

    return found


@cache
def has_line(columns: int, rows: int, line: int) -> Callable[[Board], bool]:
    """Return a kernel that tells whether this many discs are in a line."""
    find = lines(columns, rows, line)
    some = wide(gravity(columns, rows).words).some

    @kernel
    def found(discs: Board) -> bool:
        return some(find(discs))

    return found
