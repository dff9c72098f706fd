"""The score of Extended Connect Four so far, and the potential of open windows.

A window is two, three or four cells in a row. If it holds only discs of one player and empty
cells, it is worth its weight to that player, divided by the number of empty cells, and halved for
each of them and for each empty cell below them, which must be filled first.

    x . .   three cells weigh 7; two are empty and stand on discs:   7 / (2 * 2 * 2)
    o o x

    x x . .   four weigh 20; the last empty cell has one below it:   20 / (2 * 2 * 4)
    o x o .
    x o o x

All windows of one length and direction are evaluated together. How often each is halved is a binary
number with one board per digit; the boards are added digit by digit, with carries.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np

from plyboard.evaluate.evaluation import Evaluation, Weights
from plyboard.games.extended import points
from plyboard.games.gravity import gravity
from plyboard.games.rules import State
from plyboard.kernel import Word, kernel
from plyboard.kernel.wide import ZERO, Board, split, wide

LENGTH_WEIGHTS = (0, 0, 3, 7, 20)  # by the length of the window
SCALE = 3 << 16
"""Units per point. The value of a window is rounded down to whole units. That is exact until it has
been halved 15 times, which never happens on boards of up to 6 rows."""

Digits = tuple[Board, Board, Board, Board, Board]
"""A number below 32 for each cell, its lowest digit first."""
HALVINGS = 24  # a window that is halved more often is worth nothing
assert (SCALE * max(LENGTH_WEIGHTS)) >> HALVINGS == 0


# Features: level or slanted windows of two, three and four cells; of four, three are empty. Then
# upright windows, by their empty cells and their length.
TWO, THREE, FOUR, THREE_EMPTY = range(4)
ONE_OF_TWO, ONE_OF_THREE, TWO_OF_THREE, ONE_OF_FOUR, TWO_OF_FOUR, THREE_OF_FOUR = range(4, 10)


def shares(by_length: Sequence[int] = LENGTH_WEIGHTS) -> Weights:
    """Return the weights of all features, given those of windows by length."""

    def share(length: int, empty: int) -> int:
        return SCALE * by_length[length] // empty

    level = [share(2, 1), share(3, 1), share(4, 1), share(4, 3)]  # before they are halved
    upright = [
        share(length, empty) >> empty * (empty + 1) // 2
        for length in (2, 3, 4)
        for empty in range(1, length)
    ]
    return np.array(level + upright)


@cache
def adder(words: int) -> Callable[[Digits, Digits, Board], tuple[Digits, Board]]:
    """Return a kernel that adds numbers and a carry; the second result is where 32 is reached."""
    kit = wide(words)
    both, either, differ = kit.both, kit.either, kit.differ

    @kernel
    def digit(a: Board, b: Board, carry: Board) -> tuple[Board, Board]:
        odd = differ(a, b)
        return differ(odd, carry), either(both(a, b), both(odd, carry))

    @kernel
    def add(a: Digits, b: Digits, carry: Board) -> tuple[Digits, Board]:
        ones, carry = digit(a[0], b[0], carry)
        twos, carry = digit(a[1], b[1], carry)
        fours, carry = digit(a[2], b[2], carry)
        eights, carry = digit(a[3], b[3], carry)
        sixteens, carry = digit(a[4], b[4], carry)
        return (ones, twos, fours, eights, sixteens), carry

    return add


@cache
def halving(words: int) -> Callable[[Board, Board, Digits, int], int]:
    """Return a kernel that sums a weight over windows of one player, minus those of the other.

    The weight of each window is halved as often as its number says.
    """
    kit = wide(words)
    both, either, without, some, count = kit.both, kit.either, kit.without, kit.some, kit.count

    @kernel
    def chosen(cells: Board, digit: Board, is_set: bool) -> Board:
        return both(cells, digit) if is_set else without(cells, digit)

    @kernel
    def total(mine: Board, yours: Board, times: Digits, worth: int) -> int:
        found = 0
        for high in range(0, HALVINGS, 4):
            cells = chosen(either(mine, yours), times[4], high & 16 != 0)
            cells = chosen(chosen(cells, times[3], high & 8 != 0), times[2], high & 4 != 0)
            if some(cells):
                for low in range(4):
                    here = chosen(chosen(cells, times[1], low & 2 != 0), times[0], low & 1 != 0)
                    lead = count(both(mine, here)) - count(both(yours, here))
                    found += lead * (worth >> (high + low))
        return found

    return total


@cache
def depths(columns: int, rows: int) -> Callable[[Board], Digits]:
    """Return a kernel that numbers the empty cells of each column: 1 for the lowest, and so on."""
    board = gravity(columns, rows)
    both, either, left = board.wide.both, board.wide.either, board.wide.left
    heads, full, nothing = board.heads, board.full, split(0, board.words)

    @kernel
    def numbered(occupied: Board) -> Digits:
        ones, twos, fours, eights = nothing, nothing, nothing, nothing
        level = both(heads(occupied), full)
        for depth in range(1, rows + 1):
            if depth & 1:
                ones = either(ones, level)
            if depth & 2:
                twos = either(twos, level)
            if depth & 4:
                fours = either(fours, level)
            if depth & 8:
                eights = either(eights, level)
            level = both(left(level, 1, ZERO), full)
        return (ones, twos, fours, eights, nothing)

    return numbered


@cache
def ahead(words: int) -> Callable[[Digits, int], Digits]:
    """Return a kernel that brings to each cell the number of the cell so many places on."""
    right = wide(words).right

    @kernel
    def moved(times: Digits, places: int) -> Digits:
        return (
            right(times[0], places), right(times[1], places), right(times[2], places),
            right(times[3], places), right(times[4], places),
        )  # fmt: skip

    return moved


@cache
def level_windows(
    columns: int, rows: int
) -> Callable[[Board, Board, Board, Digits, int, Weights], int]:
    """Return a kernel that adds up the windows of one direction, other than upright.

    It takes the cells of both sides, each with the free cells, the free cells, their depths, and
    the places from one cell of a window to the next. A window is known by its first cell.
    """
    n, kit = gravity(columns, rows).words, gravity(columns, rows).wide
    both, either, differ, without, right = kit.both, kit.either, kit.differ, kit.without, kit.right
    add, moved, total, nothing = adder(n), ahead(n), halving(n), split(0, n)

    @kernel
    def potential(
        mine: Board, yours: Board, free: Board, depth: Digits, step: int, weights: Weights
    ) -> int:
        # 1. Two cells, of which one is empty.
        my_two, your_two = both(mine, right(mine, step)), both(yours, right(yours, step))
        next_free = right(free, step)
        odd, pair = differ(free, next_free), both(free, next_free)
        times_two, _ = add(depth, moved(depth, step), nothing)
        found = total(both(my_two, odd), both(your_two, odd), times_two, weights[TWO])
        # 2. Three cells; if two are empty, half of it: that is one more halving.
        my_three = both(my_two, right(my_two, step))
        your_three = both(your_two, right(your_two, step))
        last = right(free, 2 * step)
        ones, twos = differ(odd, last), either(pair, both(odd, last))
        times, spilt = add(times_two, moved(depth, 2 * step), without(twos, ones))
        some_empty = without(differ(ones, twos), spilt)
        found += total(
            both(my_three, some_empty), both(your_three, some_empty), times, weights[THREE]
        )
        # 3. Four cells, again with one more halving if two are empty; three have their own share.
        my_four, your_four = (
            both(my_two, right(my_two, 2 * step)), both(your_two, right(your_two, 2 * step)),
        )  # fmt: skip
        next_odd, next_pair = right(odd, 2 * step), right(pair, 2 * step)
        ones = differ(odd, next_odd)
        twos = differ(differ(pair, next_pair), both(odd, next_odd))
        times, spilt = add(times_two, moved(times_two, 2 * step), without(twos, ones))
        some_empty, most_empty = (
            without(differ(ones, twos), spilt),
            without(both(ones, twos), spilt),
        )
        found += total(both(my_four, some_empty), both(your_four, some_empty), times, weights[FOUR])
        found += total(
            both(my_four, most_empty), both(your_four, most_empty), times, weights[THREE_EMPTY]
        )
        return found

    return potential


@cache
def upright_windows(columns: int, rows: int) -> Callable[[Board, Board, Weights], int]:
    """Return a kernel that adds up the upright windows of some discs over the heads of columns."""
    board = gravity(columns, rows)
    both, left, count = board.wide.both, board.wide.left, board.wide.count
    room_for_two, room_for_three = (
        board.board((row, column) for row in range(rows - spare) for column in range(columns))
        for spare in (1, 2)
    )

    @kernel
    def potential(discs: Board, heads: Board, weights: Weights) -> int:
        one = both(heads, left(discs, 1, ZERO))
        two = both(one, left(discs, 2, ZERO))
        three = both(two, left(discs, 3, ZERO))
        found = weights[ONE_OF_TWO] * count(one) + weights[ONE_OF_THREE] * count(two)
        found += weights[ONE_OF_FOUR] * count(three)
        found += weights[TWO_OF_THREE] * count(both(one, room_for_two))
        found += weights[TWO_OF_FOUR] * count(both(two, room_for_two))
        return int(found + weights[THREE_OF_FOUR] * count(both(one, room_for_three)))

    return potential


@cache
def window_potential(columns: int, rows: int) -> Evaluation:
    """Return the lead of the player to move in score and potential, for this board size."""
    board = gravity(columns, rows)
    n, kit, full = board.words, board.wide, board.full
    both, either, without, board_heads = kit.both, kit.either, kit.without, board.heads
    points_of, numbered = points(columns, rows), depths(columns, rows)
    level, upright = level_windows(columns, rows), upright_windows(columns, rows)
    n2, step, one = 2 * n, rows + 1, Word(1)

    @kernel
    def potential(first: Board, second: Board, weights: Weights) -> int:
        occupied = either(first, second)
        free, heads = without(full, occupied), both(board_heads(occupied), full)
        mine, yours, depth = either(first, free), either(second, free), numbered(occupied)
        found = upright(first, heads, weights) - upright(second, heads, weights)
        for slope in range(-1, 2):
            found += level(mine, yours, free, depth, step + slope, weights)
        return found

    @kernel
    def lead(state: State, weights: Weights) -> int:
        first, second = state[:n], state[n:n2]
        found = (points_of(first) - points_of(second)) * SCALE + potential(first, second, weights)
        return -found if state[n2] & one else found

    return Evaluation("window-potential", lead, SCALE, weights=shares())
