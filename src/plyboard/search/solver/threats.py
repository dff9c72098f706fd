"""Threats in Connect Four: winning cells, and what follow-up play proves without a search.

A player who always answers in the column that the other has just played in gets every second
cell of it. On a board with an even number of rows that decides many positions. Columns with an
odd number of discs left over are given to the other player whole: whenever the last cell of one
is taken, there is another one to answer in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import count, lowest

NO_BOUND = 99  # a bound that bounds nothing


@dataclass(frozen=True)
class ThreatKernels:
    """The kernels of a board of one size."""

    floor: int
    board: int
    has_line: Callable[[int], bool]  # do four of these discs stand in a row?
    winning: Callable[[int, int], int]  # empty cells that complete a line of these discs
    follow_up_bound: Callable[[int, int, int, int, int, int], int]  # of the player to move


@cache
def threat_kernels(columns: int, rows: int) -> ThreatKernels:
    """Return the kernels for a board of this size, which must fit one word."""
    step, cells = rows + 1, columns * rows
    floor = Word(sum(1 << column * step for column in range(columns)))
    board = Word(floor * ((1 << rows) - 1))
    odd_rows = Word(sum(floor << row for row in range(0, rows, 2)))
    even_rows = Word(sum(floor << row for row in range(1, rows, 2)))
    column_cells = tuple(Word(((1 << rows) - 1) << column * step) for column in range(columns))
    falling, rising = step - 1, step + 1
    zero: int = Word(0)
    one: int = Word(1)
    has_pairs = rows % 2 == 0

    @kernel
    def completing(discs: int, direction: int) -> int:
        """Return the cells that make a line of four with three of these discs, along one way."""
        two_below = (discs << direction) & (discs << 2 * direction)
        two_above = (discs >> direction) & (discs >> 2 * direction)
        low = two_below & ((discs << 3 * direction) | (discs >> direction))
        return low | (two_above & ((discs << direction) | (discs >> 3 * direction)))

    @kernel
    def winning(discs: int, occupied: int) -> int:
        upright = (discs << 1) & (discs << 2) & (discs << 3)
        slanted = completing(discs, falling) | completing(discs, rising)
        return (upright | completing(discs, step) | slanted) & (board ^ occupied)

    @kernel
    def line_across(discs: int) -> bool:
        pairs = discs & (discs >> step)
        lines = pairs & (pairs >> 2 * step)
        pairs = discs & (discs >> falling)
        lines = lines | (pairs & (pairs >> 2 * falling))
        pairs = discs & (discs >> rising)
        return (lines | (pairs & (pairs >> 2 * rising))) != zero

    @kernel
    def has_line(discs: int) -> bool:
        pairs = discs & (discs >> 1)
        return (pairs & (pairs >> 2)) != zero or line_across(discs)

    @kernel
    def odd_columns(heads: int) -> int:
        """Return all cells of the columns with an odd number of discs."""
        marks = heads & even_rows
        foot = zero
        for row in range(1, rows, 2):
            foot = foot | (marks >> row)
        foot = foot & floor
        return (foot << rows) - foot

    @kernel
    def latest_ply(cell: int, empty: int, played: int) -> int:
        """Return when a cell is filled if everything else but what stands above it comes first."""
        column = column_cells[lowest(cell) // step]
        return played + count(empty & ~column) + count(empty & column & (cell - one)) + 1

    @kernel
    def claimeven_bound(mine: int, occupied: int, odd: int) -> int:
        """Bound the first player's score, if the second always answers in the same column."""
        empty = board ^ occupied
        theirs = empty & even_rows & ~odd
        if has_line(mine | (empty ^ theirs)):
            return NO_BOUND
        return -1 if line_across((mine ^ occupied) | theirs) else 0

    @kernel
    def zugzwang_bound(mine: int, occupied: int, odd: int, played: int, odd_threats: int) -> int:
        """Bound the second player's score, if the first waits for a threat in an odd row."""
        empty = board ^ occupied
        best = NO_BOUND
        while odd_threats:
            cell = odd_threats & (zero - odd_threats)
            odd_threats = odd_threats & (odd_threats - one)
            column = column_cells[lowest(cell) // step]
            below = empty & column & (cell - one)
            open_to_me = (empty & ~column & (odd_rows | odd)) | (below & even_rows)
            if not has_line(mine | open_to_me):
                best = min(best, -((cells + 2 - latest_ply(cell, empty, played)) // 2))
        return best

    @kernel
    def follow_up_bound(
        mine: int, occupied: int, heads: int, played: int, threats: int, alpha: int
    ) -> int:
        """Return an upper bound of the score, or one that says nothing; the threats are theirs."""
        if not has_pairs:
            return NO_BOUND
        if played & 1 == 0:
            if alpha < -1:
                return NO_BOUND
            return claimeven_bound(mine, occupied, odd_columns(heads))
        if not threats & odd_rows:
            return NO_BOUND
        odd = odd_columns(heads)
        odd_threats = threats & odd_rows & odd & ~heads
        return zugzwang_bound(mine, occupied, odd, played, odd_threats) if odd_threats else NO_BOUND

    return ThreatKernels(floor, board, has_line, winning, follow_up_bound)
