"""The lead in the score so far: an evaluation for any game."""

from __future__ import annotations

from functools import cache

from plyboard.evaluate.evaluation import Evaluation, Weights
from plyboard.games.rules import Rules, State
from plyboard.kernel import kernel


@cache
def score_lead(rules: Rules) -> Evaluation:
    """Return the lead in points of the player to move; 0 in games without points."""
    scores, mover = rules.scores, rules.mover

    @kernel
    def lead(state: State, _weights: Weights) -> int:
        first, second = scores(state)
        return second - first if mover(state) else first - second

    @kernel
    def nothing(_state: State, _weights: Weights) -> int:
        return 0

    return Evaluation("score-lead", lead if rules.has_points else nothing)
