"""A match as HTML for a notebook: the board, the players, the moves and the result."""

from __future__ import annotations

from html import escape

from plyboard.play.match import Match, Turn
from plyboard.play.match_text import end_text, title
from plyboard.play.record_text import turn_pieces

MOST_TURNS = 400  # shown; a longer match says how many are left out


def match_html(match: Match) -> str:
    """Return the last position and the moves as an HTML element; all texts are escaped."""
    return (
        '<figure style="margin: 0; max-width: 30em">\n'
        f"<figcaption>{escape(title(match))}</figcaption>\n{match.position.svg()}"
        f"<p>{escape(_moves_text(match))}</p>\n<p>{escape(end_text(match))}</p>\n</figure>\n"
    )


def _moves_text(match: Match) -> str:
    """Return the numbered moves without comments and variations."""
    turns = [Turn(turn.action) for turn in match.turns[:MOST_TURNS]]
    text = " ".join(turn_pieces(match.positions, turns, match.start.mover))
    left = len(match.turns) - len(turns)
    return f"{text} ... ({left} more turns)" if left else text or "no moves yet"
