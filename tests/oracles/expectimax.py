"""Expectimax in fractions: every line, no table. Slow, and obviously right."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from oracles.extended import Extended, State
from plyboard.evaluate.evaluation import Evaluation
from plyboard.games import Position
from plyboard.search.common.choice import WIN


def mean_after(position: Position, depth: int, evaluation: Evaluation, player: int) -> Fraction:
    """Return what a player gets on average who looks so many plies ahead and fears only chance."""
    sign = 1 if position.mover == player else -1
    outcome = position.outcome()
    if outcome is not None:
        scores = position.scores()
        if scores is not None:
            return Fraction(scores[player] - scores[1 - player])
        return Fraction(0 if outcome.winner is None else 1 if outcome.winner == player else -1)
    if depth == 0:
        units = Fraction(evaluation.value(position.state), evaluation.scale)
        return sign * (units if position.scores() is not None else units / Fraction(WIN))
    below = [
        mean_after(position.apply_action(action), depth - 1, evaluation, player)
        for action in position.legal_actions()
    ]
    return max(below) if sign > 0 else sum(below, start=Fraction(0)) / len(below)


def whole_game(game: Extended, player: int) -> Fraction:
    """Return what a player gets on average from the empty board, by the slow rules alone."""
    known: dict[State, Fraction] = {}

    def expected(state: State) -> Fraction:
        if state not in known:
            known[state] = _worth(game, state, player, expected)
        return known[state]

    return expected(game.start())


def _worth(
    game: Extended, state: State, player: int, expected: Callable[[Any], Fraction]
) -> Fraction:
    moves = game.moves(state)
    if not moves:
        scores = game.scores(state)
        return Fraction(scores[player] - scores[1 - player])
    below = [expected(game.play(state, move)) for move in moves]
    if game.mover(state) == player:
        return max(below)
    return sum(below, start=Fraction(0)) / len(below)
