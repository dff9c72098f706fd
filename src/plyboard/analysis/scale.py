"""Values for people: expected results, points, and words."""

from __future__ import annotations

import math

from plyboard.search.common.choice import ValuedMove, plies_to_end, told

UNIT = 4.0
"""The evaluation that scores 0.73 in games of the engine against itself."""


def expected(value: float, *, exact: bool) -> float:
    """Return the expected result of a value from 0 to 1, in games without points.

    Proved wins, draws and losses are 1, 0.5 and 0; estimates lie strictly between 0 and 1.
    """
    if exact or plies_to_end(value) is not None:
        return 1.0 if value > 0 else 0.0 if value < 0 else 0.5
    return 1 / (1 + math.exp(-max(-36.0, min(value / UNIT, 36.0))))


def worth(move: ValuedMove, *, has_points: bool) -> float:
    """Return the value of a move for its player: points, or a share of the game."""
    return move.value if has_points else expected(move.value, exact=move.exact)


def in_words(value: float, *, exact: bool, has_points: bool) -> str:
    """Return a value in words: `win in 7`, `loss in at most 8`, `draw`, `+12 points`.

    Estimates begin with `about`.
    """
    if exact and not has_points and value == 0:
        return "draw"
    words = told(value, has_points=has_points, exact=exact)
    if exact or (plies_to_end(value) is not None and not has_points):
        return words.replace("1 points", "1 point") if words[1:] == "1 points" else words
    return f"about {words.removesuffix(' points')}"
