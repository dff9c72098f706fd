"""Threats in Connect Four: winning cells, quick wins, and bounds from follow-up play.

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
    no_safe_reply: Callable[[int, int], bool]  # to these threats?
    wins_in_three: Callable[[int, int, int], bool]  # with the second disc from now, the horizon
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
    has_pairs, pair_rows = rows % 2 == 0, rows // 2
    # All rows, all but the two highest, and so on.
    rows_up_to = tuple(Word(floor * ((1 << 2 * pair) - 1)) for pair in range(pair_rows, 0, -1)) or (
        board,
    )

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
    def no_safe_reply(threats: int, replies: int) -> bool:
        """Tell whether every reply lets the player with these threats win with the next move.

        The other player cannot win at once. There is no safe reply to two threats, to a threat
        with another one above it, and when all replies are below a threat (zugzwang).
        """
        forced = replies & threats
        if forced & (forced - one):
            return True
        safe = (forced if forced else replies) & ~(threats >> 1)
        return not safe and replies != zero

    @kernel
    def wins_in_three(mine: int, occupied: int, possible: int) -> bool:
        """Tell whether the player to move wins with their second disc from now.

        This decides a position at the horizon, where only the fastest win is above alpha.
        """
        while possible:
            cell = possible & (zero - possible)
            possible = possible & (possible - one)
            after = occupied | cell
            if no_safe_reply(winning(mine | cell, after), (after + floor) & board):
                return True
        return False

    @kernel
    def latest_ply(cell: int, empty: int, played: int) -> int:
        """Return the ply at which a cell is filled if only the cells above it are left."""
        column = column_cells[lowest(cell) // step]
        return played + count(empty & ~column) + count(empty & column & (cell - one)) + 1

    @kernel
    def cells_above(marks: int) -> int:
        """Return all cells above these in their columns."""
        above = zero
        for _ in range(rows - 1):
            above = ((above | marks) << 1) & board
        return above

    @kernel
    def line_bound(discs: int, claimed: int) -> int:
        """Bound the score of the player without a line, who leaves the claimed cells to the other.

        The follower has a line before the last cells above one of the claimed ones are taken.
        """
        bound = 0
        while bound > -pair_rows and line_across(discs | (claimed & rows_up_to[-bound])):
            bound -= 1
        return bound

    @kernel
    def claimeven_bound(mine: int, occupied: int, heads: int, threats: int) -> int:
        """Bound the score of the first player, to move: the second plays follow-up."""
        empty = board ^ occupied
        theirs = empty & even_rows & ~heads
        open_to_me = empty ^ theirs
        if threats & theirs:
            open_to_me = open_to_me & ~cells_above(threats & theirs)
        if has_line(mine | open_to_me):
            return NO_BOUND
        return line_bound(mine ^ occupied, theirs)

    @kernel
    def zugzwang_bound(mine: int, occupied: int, heads: int, played: int, threats: int) -> int:
        """Bound the score of the second player, to move: the first has odd threats (zugzwang)."""
        empty = board ^ occupied
        open_to_me = empty & (odd_rows | heads)
        even_threats = threats & even_rows & ~heads
        best = NO_BOUND
        odd_threats = threats & odd_rows & ~heads
        while odd_threats:
            cell = odd_threats & (zero - odd_threats)
            odd_threats = odd_threats & (odd_threats - one)
            column = column_cells[lowest(cell) // step]
            below = empty & column & (cell - one)
            elsewhere = open_to_me & ~column
            if even_threats:
                elsewhere = elsewhere & ~cells_above(even_threats & ~column)
            if not has_line(mine | elsewhere | (below & (even_rows | heads))):
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
            if alpha < -pair_rows:
                return NO_BOUND
            return claimeven_bound(mine, occupied, heads, threats)
        if alpha <= -pair_rows or not threats & odd_rows & ~heads:
            return NO_BOUND
        return zugzwang_bound(mine, occupied, heads, played, threats)

    return ThreatKernels(
        floor, board, has_line, winning, no_safe_reply, wins_in_three, follow_up_bound
    )
