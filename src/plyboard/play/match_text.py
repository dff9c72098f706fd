"""The players and the result of a match in words, on one line each."""

from __future__ import annotations

from plyboard.play.match import Match
from plyboard.play.record_draft import GOES_ON


def safe(text: str) -> str:
    """Return a text with control characters escaped, safe to print on a terminal."""
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "backslashreplace").decode()
        for char in text
    )


def title(match: Match) -> str:
    """Return the game and the players in one line."""
    game, names = match.start.game, match.heading.players
    sides = [
        f"{safe(name)} ({symbol})" if name else symbol
        for name, symbol in zip(names, game.players, strict=True)
    ]
    return f"{game.title}: {sides[0]} against {sides[1]}"


def end_text(match: Match) -> str:
    """Return the result and its reason in one line."""
    if match.end is None:
        return f"{match.result.value} ({GOES_ON})"
    detail = f": {safe(match.end.detail)}" if match.end.detail else ""
    scores = match.position.scores()
    points = f", {scores[0]} to {scores[1]}" if scores else ""
    return f"{match.result.value} ({match.end.reason}{points}{detail})"
