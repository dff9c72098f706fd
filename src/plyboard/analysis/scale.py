"""Values for people: expected scores, points, and words."""

from __future__ import annotations

from plyboard.analysis.words import counted
from plyboard.evaluate.score_scale import phase_of, scale_of
from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour, discs_played
from plyboard.search.common.choice import ValuedMove, plies_to_end, told


def expected(position: Position, move: ValuedMove) -> float:
    """Return the score that the player to move can expect from a move, from 0 to 1.

    Proved wins, draws and losses are 1, 0.5 and 0. Estimates lie strictly between 0 and 1: they are
    what the engine scores from them against itself.
    """
    if move.exact or _is_decided(position, move):
        return 1.0 if move.value > 0 else 0.0 if move.value < 0 else 0.5
    scale, phase = scale_of(position.game), phase_of(position)
    return scale.score(move.value, phase, move.depth, position.mover)


def percent(score: float) -> str:
    """Return an estimated score in per cent: `62 %`, never 0 or 100."""
    return f"{max(1, min(round(100 * score), 99))} %"


def in_words(position: Position, move: ValuedMove) -> str:
    """Return the value of a move in short words: `win in 7`, `draw`, `+12 points`, `about 62 %`.

    Numbers of wins and losses are plies. Estimates begin with `about`: expected scores, or points
    in games that have them.
    """
    has_points = position.game.rules.has_points
    if move.exact and not has_points and move.value == 0:
        return "draw"
    words = told(move.value, has_points=has_points, exact=move.exact)
    if move.exact or _is_decided(position, move):
        return words.replace("1 points", "1 point") if words[1:] == "1 points" else words
    if has_points:
        return f"about {words.removesuffix(' points')}"
    return f"about {percent(expected(position, move))}"


def in_sentence(position: Position, move: ValuedMove, whose: str = "") -> str:
    """Return a value in the words of a sentence: `win in 9 plies (5 of your moves)`.

    `whose` names the player to move, such as `your`; without it the moves are not counted, nor in
    games in which a player may move twice running.
    """
    words, plies = in_words(position, move), plies_to_end(move.value)
    if plies is None:
        return words
    words = f"{words.removesuffix(str(plies))}{counted(plies, 'ply')}"
    counts = whose and plies > 1 and position.game.rules.alternates
    return f"{words} ({(plies + 1) // 2} of {whose} moves)" if counts else words


def _is_decided(position: Position, move: ValuedMove) -> bool:
    """Tell whether the value is a forced win or loss."""
    return not position.game.rules.has_points and plies_to_end(move.value) is not None


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
