"""The format `position`: one line with a spec, a blank and a position text."""

from __future__ import annotations

from dataclasses import replace

from plyboard.errors import NotationError, Place, SpecError
from plyboard.games.catalogue import game as find_game
from plyboard.games.catalogue import split_game
from plyboard.games.formats.requirements import require_reachable
from plyboard.games.formats.tokens import Token, only_line
from plyboard.games.game import Game, spec_of
from plyboard.games.position import Position

EXPECTED = "a spec, a blank and a position text"


def read(text: str, _game: Game) -> Position:
    """Return the position of a line like `connect-four ......./... x`."""
    line = only_line(text, "position", EXPECTED)
    spec, rest = split_game(line.text)
    try:
        chosen = find_game(spec)
    except SpecError as fault:
        raise NotationError("wrong spec", where=line.where, reason=str(fault)) from None
    try:
        return require_reachable(Position(chosen, rest))
    except NotationError as fault:
        raise fault.replace(where=_within(line, len(spec) + 1, fault.where)) from None


def _within(line: Token, start: int, place: Place) -> Place:
    """Convert a place in the part of a line from this index on to a place in the whole text."""
    column = line.column + start + (place.column or 1) - 1
    return replace(place, line=line.line, column=column)


def write(position: Position) -> str:
    """Return the spec of the game and the text of the position."""
    return f"{spec_of(position.game)} {position.text()}\n"
