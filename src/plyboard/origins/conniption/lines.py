"""Lines and flips of Conniption, as one player weighs them.

Each line of four cells has a weight by the discs in it. Combinations that are left out cannot
occur, or are worth nothing:

    level and line_score lines                upright lines

    theirs    0    1    2     3            theirs    0    1    2    3
    mine 0    0   -1  -32  -600            mine 0    0   -1  -32 -600
         1    1    0  -16  -400                 1    1    0    0    0
         2    8    8    0                       2    8    0    0
         3 2000  128                            3  128    0

The player with more flips gets 1000 times the square of the difference. The value is 150 higher if
the turn may begin with a flip, else 150 lower, whoever is to move.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from plyboard.evaluate import ListedEvaluation
from plyboard.evaluate.evaluation import Evaluation, Weights
from plyboard.games.conniption import Conniption
from plyboard.games.gravity import gravity
from plyboard.games.rules import State
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import number
from plyboard.kernel.wide import Board, split

# Features, in the order of their weights: lines by the discs in them, and flips.
ONE, TWO, THREE, TWO_OF_THREE, THREE_OF_FOUR = range(5)  # level or diagonal: mine, then with theirs
THEIR_ONE, THEIR_TWO, THEIR_THREE, THEIR_TWO_OF_THREE, THEIR_THREE_OF_FOUR = range(5, 10)
UPRIGHT_ONE, UPRIGHT_TWO, UPRIGHT_THREE = range(10, 13)
THEIR_UPRIGHT_ONE, THEIR_UPRIGHT_TWO, THEIR_UPRIGHT_THREE = range(13, 16)
FLIP_LEAD, MAY_FLIP = 16, 17
WEIGHTS = (1, 8, 2000, 8, 128, -1, -32, -600, -16, -400, 1, 8, 128, -1, -32, -600, 1000, 150)
LARGEST = 499_999


@cache
def conniption_lines(columns: int = 7, rows: int = 6, player: int = 0) -> Evaluation:
    """Return the evaluation of one player, negated where the other one is to move.

    The weights are not symmetric: the opponent's lines count about double, and the right to flip
    always counts for this player. So a search takes the evaluation of the player who searches, and
    values every leaf from that player's point of view.

    Long because it holds the kernels, which close over the size of the board.
    """
    board = gravity(columns, rows)
    n, kit = board.words, board.wide
    both, either, differ, without = kit.both, kit.either, kit.differ, kit.without
    right, count = kit.right, kit.count
    step, n2, n4, one = rows + 1, 2 * board.words, 4 * board.words, Word(1)
    upright, level, rising, falling = (
        _starts(columns, rows, up, across) for up, across in ((1, 0), (0, 1), (1, 1), (-1, 1))
    )

    @kernel
    def lines_by_count(discs: Board, direction: int) -> tuple[Board, Board, Board, Board]:
        """Return where lines begin that hold any, 1, 2 and 3 of these discs."""
        second = right(discs, direction)
        third, fourth = right(discs, 2 * direction), right(discs, 3 * direction)
        near, far = either(discs, second), either(third, fourth)
        pair, other = both(discs, second), both(third, fourth)
        single, lone = differ(discs, second), differ(third, fourth)
        ones = either(without(single, far), without(lone, near))
        apart = both(single, lone)
        twos = either(either(without(pair, far), without(other, near)), apart)
        threes = either(both(pair, lone), both(other, single))
        return either(near, far), ones, twos, threes

    @kernel
    def line_score(
        mine: Board, theirs: Board, direction: int, starts: Board, weights: Weights
    ) -> int:
        some, my_ones, my_twos, my_threes = lines_by_count(mine, direction)
        any_of_theirs, ones, twos, threes = lines_by_count(theirs, direction)
        free, untouched = without(starts, any_of_theirs), without(starts, some)
        contested, with_one = both(starts, ones), both(starts, my_ones)
        worth = weights[ONE] * count(both(free, my_ones))
        worth += weights[TWO] * count(both(free, my_twos))
        worth += weights[THREE] * count(both(free, my_threes))
        worth += weights[TWO_OF_THREE] * count(both(contested, my_twos))
        worth += weights[THREE_OF_FOUR] * count(both(contested, my_threes))
        worth += weights[THEIR_ONE] * count(both(untouched, ones))
        worth += weights[THEIR_TWO] * count(both(untouched, twos))
        worth += weights[THEIR_THREE] * count(both(untouched, threes))
        worth += weights[THEIR_TWO_OF_THREE] * count(both(with_one, twos))
        return int(worth + weights[THEIR_THREE_OF_FOUR] * count(both(with_one, threes)))

    @kernel
    def column_score(mine: Board, theirs: Board, weights: Weights) -> int:
        some, my_ones, my_twos, my_threes = lines_by_count(mine, 1)
        any_of_theirs, ones, twos, threes = lines_by_count(theirs, 1)
        free, untouched = without(upright, any_of_theirs), without(upright, some)
        worth = weights[UPRIGHT_ONE] * count(both(free, my_ones))
        worth += weights[UPRIGHT_TWO] * count(both(free, my_twos))
        worth += weights[UPRIGHT_THREE] * count(both(free, my_threes))
        worth += weights[THEIR_UPRIGHT_ONE] * count(both(untouched, ones))
        worth += weights[THEIR_UPRIGHT_TWO] * count(both(untouched, twos))
        return int(worth + weights[THEIR_UPRIGHT_THREE] * count(both(untouched, threes)))

    @kernel
    def player_score(
        mine: Board, theirs: Board, my_flips: int, their_flips: int, may_flip: int, weights: Weights
    ) -> int:
        worth = column_score(mine, theirs, weights) + line_score(mine, theirs, step, level, weights)
        worth += line_score(mine, theirs, step + 1, rising, weights)
        worth += line_score(mine, theirs, step - 1, falling, weights)
        lead = my_flips - their_flips
        worth += int(weights[FLIP_LEAD] * lead * abs(lead))
        worth += int(weights[MAY_FLIP] if may_flip else -weights[MAY_FLIP])
        return max(-LARGEST, min(LARGEST, worth))

    @kernel
    def evaluate(state: State, weights: Weights) -> int:
        facts = state[n4]
        first, second = number((facts >> 2) & Word(15)), number((facts >> 6) & Word(15))
        may_flip = 1 - number((facts >> 1) & one)
        if player == 0:
            worth = player_score(state[:n], state[n:n2], first, second, may_flip, weights)
        else:
            worth = player_score(state[n:n2], state[:n], second, first, may_flip, weights)
        return worth if number(facts & one) == player else -worth

    return Evaluation(f"conniption-lines-{player + 1}", evaluate, weights=np.array(WEIGHTS))


def _starts(columns: int, rows: int, up: int, across: int) -> Board:
    """Return the cells from which three steps in this direction stay on the board."""
    board = gravity(columns, rows)
    cells = [
        board.cell(row, column)
        for row in range(rows)
        for column in range(columns)
        if 0 <= row + 3 * up < rows and column + 3 * across < columns
    ]
    return split(sum(1 << cell for cell in cells), board.words)


FIRST = ListedEvaluation(
    Conniption,
    lambda game: conniption_lines(game.columns, game.rows, 0),
    "lines by the discs in them, and flips, as the first player weighs them",
)
SECOND = ListedEvaluation(
    Conniption,
    lambda game: conniption_lines(game.columns, game.rows, 1),
    "the same, as the second player weighs them",
)
