"""The engine's evaluation of Squatter: captured cells, and small rings that can still be closed.

The smallest ring is the four cells around one cell. A ring is open to a player while the opponent
has none of its cells, none of them is captured, and the cell inside is not the player's own piece.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from plyboard.evaluate.evaluation import Evaluation, Weights
from plyboard.games.rules import State
from plyboard.games.squatter import Squatter
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import count
from plyboard.kernel.square import square

SCALE = 100
CELL, THREE, TWO, ONE = range(4)  # features: captured cells, and rings by own cells
WEIGHTS = (SCALE, 45, 14, 3)


@cache
def ring_potential(game: Squatter) -> Evaluation:
    """Return the lead in captured cells and in open rings."""
    size, board = game.size, square(game.size)
    inner: int = Word(board.full & ~board.rim)
    scores, empty = game.rules.scores, Word(0)

    @kernel
    def potential(own: int, blocked: int, prize: int, weights: Weights) -> int:
        """Weigh open rings by the cells that the player has; shifted inner cells stay on board."""
        up, down, left, right = own >> size, own << size, own >> 1, own << 1
        shut = (blocked >> size) | (blocked << size) | (blocked >> 1) | (blocked << 1)
        rings = inner & prize & ~shut
        odd_first, pair_first = up ^ down, up & down
        odd_second, pair_second = left ^ right, left & right
        odd = odd_first ^ odd_second
        pairs = pair_first ^ pair_second ^ (odd_first & odd_second)
        three = count(rings & odd & pairs)
        two = count(rings & ~odd & pairs)
        one = count(rings & odd & ~pairs)
        return int(weights[THREE] * three + weights[TWO] * two + weights[ONE] * one)

    @kernel
    def evaluate(state: State, weights: Weights) -> int:
        white, black, by_white, by_black, player = state
        dead = by_white | by_black
        points = scores(state)
        total = int(weights[CELL] * (points[0] - points[1]))
        total += potential(white & ~dead, black | dead, ~(white | dead), weights)
        total -= potential(black & ~dead, white | dead, ~(black | dead), weights)
        return total if player == empty else -total

    return Evaluation("ring-potential", evaluate, SCALE, weights=np.array(WEIGHTS))
