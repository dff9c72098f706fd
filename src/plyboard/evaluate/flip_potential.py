"""The engine's evaluation of Conniption: open lines, on the board as it is and as it is flipped."""

from __future__ import annotations

from functools import cache

import numpy as np

from plyboard.evaluate.evaluation import Evaluation, Weights
from plyboard.evaluate.immediate_wins import immediate_wins
from plyboard.evaluate.line_features import line_features
from plyboard.games.conniption import LINE, Conniption
from plyboard.games.gravity import gravity
from plyboard.games.rules import State
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import number

UPRIGHT, FLIPPED, THREAT, FLIP = range(4)  # features; THREAT is in discs
WEIGHTS = (2, 1, 6, 16)  # tenths


@cache
def flip_potential(game: Conniption) -> Evaluation:
    """Return the lead in open windows and threats, on both boards, and in flips left."""
    board = gravity(game.columns, game.rows)
    kit, n = board.wide, board.words
    found = line_features(game.columns, game.rows, LINE)
    potential, threat_cells = found.potential, found.threats
    either, differ, count = kit.either, kit.differ, kit.count
    full, one, chips = board.full, Word(1), Word(15)
    n2, n3, n4 = 2 * n, 3 * n, 4 * n

    @kernel
    def lead(first: State, second: State, weights: Weights) -> int:
        empty = differ(full, either(first, second))
        sharp = count(threat_cells(first, empty)) - count(threat_cells(second, empty))
        return int(potential(first, empty) - potential(second, empty) + weights[THREAT] * sharp)

    @kernel
    def evaluate(state: State, weights: Weights) -> int:
        facts = state[n4]
        flips = number((facts >> 2) & chips) - number((facts >> 6) & chips)
        upright = lead(state[:n], state[n:n2], weights)
        flipped = lead(state[n2:n3], state[n3:n4], weights)
        total = weights[UPRIGHT] * upright + weights[FLIPPED] * flipped + weights[FLIP] * flips
        return int(-total if facts & one else total)

    return Evaluation("flip-potential", evaluate, 10, immediate_wins(game), np.array(WEIGHTS))
