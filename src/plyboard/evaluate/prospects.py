"""Our own evaluation of Extended Connect Four: points now, and what open windows may bring.

The board fills up in the end. So an empty cell that would complete four is about half a four, and
more in a row that one's own discs tend to fall into: the odd rows for whoever moves when an even
number of cells is empty, the even rows for the other.
"""

from __future__ import annotations

from functools import cache

from plyboard.evaluate.evaluation import Evaluation
from plyboard.evaluate.lines import lines_of
from plyboard.games.extended import Extended
from plyboard.games.gravity import gravity
from plyboard.games.rules import State
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import number

POINT = 100
PROMISE, THREAT, OWN_ROW = 25, 450, 250  # hundredths of a point


@cache
def prospects(game: Extended) -> Evaluation:
    """Return the lead in points so far and to be hoped for."""
    board = gravity(game.columns, game.rows)
    kit, n = board.wide, board.words
    found = lines_of(game.columns, game.rows)
    promise, threat_cells, odd_rows = found.promise, found.threats, found.odd_rows
    either, differ, both, without, count = (
        kit.either, kit.differ, kit.both, kit.without, kit.count,
    )  # fmt: skip
    scores, full, one, n2 = game.rules.scores, board.full, Word(1), 2 * n

    @kernel
    def hope(own: State, empty: State) -> int:
        return PROMISE * promise(own, empty)

    @kernel
    def guess(state: State) -> int:
        first, second = state[:n], state[n:n2]
        empty = differ(full, either(first, second))
        points = scores(state)
        total = POINT * (points[0] - points[1]) + hope(first, empty) - hope(second, empty)
        mine, theirs = threat_cells(first, empty), threat_cells(second, empty)
        total += THREAT * (count(mine) - count(theirs))
        player = number(state[n2] & one)
        if count(empty) & 1 == player:  # the odd rows are the first player's
            total += OWN_ROW * (count(both(mine, odd_rows)) - count(without(theirs, odd_rows)))
        else:
            total += OWN_ROW * (count(without(mine, odd_rows)) - count(both(theirs, odd_rows)))
        return -total if player else total

    return Evaluation("prospects", guess, POINT)
