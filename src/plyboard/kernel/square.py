"""Kernels on square boards of up to 64 cells in one word, row by row from the top left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from plyboard.kernel.marks import FULL, Word, kernel


@dataclass(frozen=True)
class Square:
    """The kernels of a square board of one size."""

    size: int
    full: int
    rim: int
    near: Callable[[int], int]  # cells that share a side with one of these, and these
    flood: Callable[[int, int], int]  # cells that can be walked to from these within others
    flip: Callable[[int], int]  # top and bottom exchanged
    mirror: Callable[[int], int]  # left and right exchanged
    transpose: Callable[[int], int]  # rows and columns exchanged


@cache
def square(size: int) -> Square:
    """Return the kernels of a square board with sides of this many cells."""
    line = (1 << size) - 1
    column = sum(1 << size * row for row in range(size))
    full = Word((1 << size * size) - 1)
    not_left, not_right = Word(full & ~column), Word(full & ~(column << size - 1))
    rim = Word(line | line << size * (size - 1) | column | column << size - 1)
    row_cells, column_cells = Word(line), Word(column)
    zero: int = Word(0)
    #  cells below the diagonal, by distance from it: each changes places with one above it
    lower = tuple(
        Word(sum(1 << size * (row + gap) + row for row in range(size - gap)))
        for gap in range(1, size)
    )

    @kernel
    def near(cells: int) -> int:
        sides = ((cells & not_right) << 1) | ((cells & not_left) >> 1)
        return (cells | sides | (cells << size) | (cells >> size)) & full

    @kernel
    def flood(cells: int, within: int) -> int:
        reached = cells & within
        while True:
            further = near(reached) & within
            if further == reached:
                return reached
            reached = further

    @kernel
    def flip(cells: int) -> int:
        turned = zero
        for row in range(size):
            turned = turned | (((cells >> size * row) & row_cells) << size * (size - 1 - row))
        return turned

    @kernel
    def mirror(cells: int) -> int:
        turned = zero
        for index in range(size):
            turned = turned | (((cells >> index) & column_cells) << (size - 1 - index))
        return turned

    @kernel
    def transpose(cells: int) -> int:
        for index in range(size - 1):
            distance = (index + 1) * (size - 1)
            moved = ((cells >> distance) ^ cells) & (lower[index] >> distance)
            cells = (cells ^ moved ^ (moved << distance)) & FULL
        return cells

    return Square(size, full, rim, near, flood, flip, mirror, transpose)
