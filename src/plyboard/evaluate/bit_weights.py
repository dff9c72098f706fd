"""A linear evaluation on what the rules give for free: bits of the state, mobility and points.

A count that is packed into bits is covered, too: it is a weighted sum of its bits.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from plyboard.evaluate.evaluation import Evaluation, Weights
from plyboard.games.action_sets import action_sets
from plyboard.games.game import Game
from plyboard.games.rules import Rules, State
from plyboard.games.tuning import tuning_of
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import lowest

NAME = "tuned"
WORD = 64
MOBILITY, LEAD, BIAS = 0, 1, 2  # the features behind the bits
EXTRA = 3


def features_of(rules: Rules) -> int:
    """Return how many features there are for each player to move."""
    return WORD * len(rules.start) + EXTRA


@cache
def bit_kernel(rules: Rules) -> Callable[[State, Weights], int]:
    """Return the kernel; the weights are those for the first player to move, then the second's."""
    legal, mover, scores = rules.legal, rules.mover, rules.scores
    count = action_sets(rules.actions).count
    words, one, has_points = len(rules.start), Word(1), rules.has_points
    bits_of_all, size = WORD * words, features_of(rules)

    @kernel
    def evaluate(state: State, weights: Weights) -> int:
        is_second = mover(state) != 0
        begin = size if is_second else 0
        total = int(weights[begin + bits_of_all + BIAS])
        total += int(weights[begin + bits_of_all + MOBILITY]) * int(count(legal(state)))
        if has_points:
            first, second = scores(state)
            lead = second - first if is_second else first - second
            total += int(weights[begin + bits_of_all + LEAD]) * int(lead)
        for place in range(words):
            bits = state[place]
            while bits:
                total += int(weights[begin + WORD * place + int(lowest(bits))])
                bits = bits & (bits - one)
        return total

    return evaluate


def tuned_evaluation(game: Game) -> Evaluation | None:
    """Return the evaluation that `plyboard tune` fitted for a game; None if there is none."""
    found = tuning_of(game)
    if found is None or len(found.weights) != 2 * features_of(game.rules):
        return None
    return evaluation_with(game.rules, np.array(found.weights, dtype=np.int16), found.unit)


def evaluation_with(rules: Rules, weights: Weights, unit: int) -> Evaluation:
    """Return the evaluation with these weights; so many of its values are one unit."""
    return Evaluation(NAME, bit_kernel(rules), unit, weights=weights)
