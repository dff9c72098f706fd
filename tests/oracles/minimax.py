"""Plain minimax: every line, no window, no table, no order. Slow, and obviously right.

A player may move several times running: values change their sign only where the mover changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from plyboard.evaluate.evaluation import Evaluation
from plyboard.games import Position
from plyboard.search.common.choice import WIN


@dataclass(frozen=True)
class Best:
    """What a position is worth to the player to move, and all actions that are worth that."""

    value: Fraction
    actions: frozenset[int]
    guessed: bool


def minimax(position: Position, depth: int, evaluation: Evaluation, ply: int = 0) -> Best:
    """Return the value of a position when both look exactly so many plies ahead.

    If the evaluation can look ahead, a leaf with a win at once is won, and one where the other
    player would win at once is looked at one ply deeper.
    """
    outcome = position.outcome()
    if outcome is not None:
        return Best(_ended(position, ply), frozenset(), guessed=False)
    if depth == 0 and evaluation.immediate_win is not None:
        wins = winning(position)
        if wins:
            return Best(Fraction(WIN) - ply - 1, frozenset(wins), guessed=False)
        depth = 1 if winning(passed(position)) else 0
    if depth == 0:
        guess = evaluation.value(position.state)
        return Best(Fraction(guess, evaluation.scale), frozenset(), guessed=True)
    worth, guessed = dict[int, Fraction](), False
    for action in position.legal_actions():
        after = position.apply_action(action)
        below = minimax(after, depth - 1, evaluation, ply + 1)
        worth[action] = below.value if after.mover == position.mover else -below.value
        guessed = guessed or below.guessed
    best = max(worth.values())
    return Best(best, frozenset(each for each in worth if worth[each] == best), guessed)


def winning(position: Position) -> list[int]:
    """Return the actions after which the player who made them has won."""
    after = {action: position.apply_action(action).outcome() for action in position.legal_actions()}
    return [
        action
        for action, outcome in after.items()
        if outcome is not None and outcome.winner == position.mover
    ]


def passed(position: Position) -> Position:
    """Return the same board of Conniption with the other player to move, who may flip first."""
    board, mover, flips, _ = position.text().split(" ")
    return Position(position.game, f"{board} {'B' if mover == 'W' else 'W'} {flips} flip")


def _ended(position: Position, ply: int) -> Fraction:
    scores, outcome = position.scores(), position.outcome()
    assert outcome is not None
    if scores is not None:
        return Fraction(scores[position.mover] - scores[1 - position.mover])
    if outcome.winner is None:
        return Fraction(0)
    won = Fraction(WIN) - ply
    return won if outcome.winner == position.mover else -won
