"""Values for people: expected results, points, and words."""

from __future__ import annotations

import math

from plyboard.analysis.words import counted
from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour, discs_played
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
    """Return a value in short words: `win in 7`, `loss in at most 8`, `draw`, `+12 points`.

    Numbers are plies. Estimates begin with `about`.
    """
    if exact and not has_points and value == 0:
        return "draw"
    words = told(value, has_points=has_points, exact=exact)
    if exact or (plies_to_end(value) is not None and not has_points):
        return words.replace("1 points", "1 point") if words[1:] == "1 points" else words
    return f"about {words.removesuffix(' points')}"


def in_sentence(value: float, *, exact: bool, has_points: bool, whose: str = "") -> str:
    """Return a value in the words of a sentence: `win in 9 plies (5 of your moves)`.

    `whose` names the player to move, such as `your`; without it the moves are not counted.
    """
    words, plies = in_words(value, exact=exact, has_points=has_points), plies_to_end(value)
    if plies is None:
        return words
    words = f"{words.removesuffix(str(plies))}{counted(plies, 'ply')}"
    return f"{words} ({(plies + 1) // 2} of {whose} moves)" if whose and plies > 1 else words


def solver_score(position: Position, value: float) -> int | None:
    """Return an exact value of Connect Four on the scale of the solver; None in other games.

    The score is the number of discs that the winner has left at the end, plus one; negative for a
    loss, and 0 for a draw.
    """
    game = position.game
    if not isinstance(game, ConnectFour):
        return None
    plies = plies_to_end(value)
    if plies is None:
        return 0
    discs = discs_played(position.state) + plies
    is_first = discs % 2 == 1  # the winner made the last move
    cells = game.rows * game.columns
    of_winner, placed = (
        ((cells + 1) // 2, (discs + 1) // 2) if is_first else (cells // 2, discs // 2)
    )
    score = of_winner - placed + 1
    return score if value > 0 else -score
