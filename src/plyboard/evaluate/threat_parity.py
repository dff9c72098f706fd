"""Threat parity: the engine's evaluation of Connect Four.

When the board fills up and both players answer in the column of the last move, the first player
gets the cells of odd rows and the second those of even rows. So a threat is worth most in the rows
of its owner.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from plyboard.evaluate.evaluation import Evaluation, Weights
from plyboard.evaluate.line_features import line_features
from plyboard.games.connect_four import ConnectFour
from plyboard.games.gravity import gravity
from plyboard.games.rules import State
from plyboard.kernel import kernel
from plyboard.kernel.wide import ZERO

DISC, THREAT, OWN_ROW, STACKED = range(4)  # features: discs in open windows, and threats
WEIGHTS = (1, 10, 14, 60)  # tenths


@cache
def threat_parity(game: ConnectFour) -> Evaluation:
    """Return the lead in threats and in discs in open windows."""
    board, kit = gravity(game.columns, game.rows), gravity(game.columns, game.rows).wide
    found = line_features(game.columns, game.rows, game.line)
    potential, threat_cells, odd_rows = found.potential, found.threats, found.odd_rows
    differ, both, without, left, count = kit.differ, kit.both, kit.without, kit.left, kit.count
    words, full = board.words, board.full

    @kernel
    def worth(own: State, empty: State, began: bool, weights: Weights) -> int:
        cells = threat_cells(own, empty)
        odd = count(both(cells, odd_rows))
        even = count(without(cells, odd_rows))
        stacked = count(both(cells, left(cells, 1, ZERO)))
        mine = odd if began else even
        total = weights[DISC] * potential(own, empty) + weights[THREAT] * (odd + even)
        return int(total + weights[OWN_ROW] * mine + weights[STACKED] * stacked)

    @kernel
    def evaluate(state: State, weights: Weights) -> int:
        mine, occupied = state[:words], state[words:]
        theirs, empty = differ(mine, occupied), differ(full, occupied)
        began = count(occupied) & 1 == 0
        return worth(mine, empty, began, weights) - worth(theirs, empty, not began, weights)

    return Evaluation("threat-parity", evaluate, 10, weights=np.array(WEIGHTS))
