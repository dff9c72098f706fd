"""Threats in Connect Four: winning cells, and bounds from follow-up play without a search.

A player who always answers in the column of the last move (claimeven, follow-up) gets every second
cell of it. On a board with an even number of rows that decides many positions. Columns with an odd
number of discs count as the opponent's in full: when the last cell of one is taken, there is
another one to answer in.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import count, lowest

NO_BOUND = 99  # beyond every score


@dataclass(frozen=True)
class ThreatKernels:
    """The kernels for a board of one size, which return bitboards and bounds."""

    floor: int
    board: int
    has_line: Callable[[int], bool]  # four of these discs in a row?
    winning: Callable[[int, int], int]  # empty cells that complete a line of these discs
    follow_up_bound: Callable[[int, int, int, int, int, int], int]  # of the player to move


@cache
def threat_kernels(columns: int, rows: int) -> ThreatKernels:
    """Return the kernels for a board of this size, which must fit one word.

    Long because it holds the kernels, which close over the size of the board.
    """
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
        """Return the cells that complete a line of four of these discs in one direction."""
        two_below = (discs << direction) & (discs << 2 * direction)
        two_above = (discs >> direction) & (discs >> 2 * direction)
        low = two_below & ((discs << 3 * direction) | (discs >> direction))
        return low | (two_above & ((discs << direction) | (discs >> 3 * direction)))

    @kernel
    def winning(discs: int, occupied: int) -> int:
        """Return the empty cells that complete a line of four of these discs."""
        upright = (discs << 1) & (discs << 2) & (discs << 3)
        slanted = completing(discs, falling) | completing(discs, rising)
        return (upright | completing(discs, step) | slanted) & (board ^ occupied)

    @kernel
    def line_across(discs: int) -> bool:
        """Tell whether four discs stand in a row, not counting vertical lines."""
        pairs = discs & (discs >> step)
        lines = pairs & (pairs >> 2 * step)
        pairs = discs & (discs >> falling)
        lines = lines | (pairs & (pairs >> 2 * falling))
        pairs = discs & (discs >> rising)
        return (lines | (pairs & (pairs >> 2 * rising))) != zero

    @kernel
    def has_line(discs: int) -> bool:
        """Tell whether four of these discs stand in a row."""
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
        """Return the ply at which a cell is filled if only the cells above it are left."""
        column = column_cells[lowest(cell) // step]
        return played + count(empty & ~column) + count(empty & column & (cell - one)) + 1

    @kernel
    def claimeven_bound(mine: int, occupied: int, odd: int) -> int:
        """Bound the score of the first player, to move: the second plays follow-up."""
        empty = board ^ occupied
        theirs = empty & even_rows & ~odd
        if has_line(mine | (empty ^ theirs)):
            return NO_BOUND
        return -1 if line_across((mine ^ occupied) | theirs) else 0

    @kernel
    def zugzwang_bound(mine: int, occupied: int, odd: int, played: int, odd_threats: int) -> int:
        """Bound the score of the second player, to move: the first has odd threats (zugzwang)."""
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
        """Return an upper bound of the score of the player to move, or NO_BOUND.

        The threats are the winning cells of the other player.
        """
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
