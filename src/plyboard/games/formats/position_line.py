"""The format `position`: one line with a spec, a blank and a position text."""

from __future__ import annotations

import re

from plyboard.errors import NotationError, SpecError
from plyboard.games.catalogue import game as find_game
from plyboard.games.formats.holding import reached
from plyboard.games.formats.tokens import Token, only_line
from plyboard.games.game import Game, spec_of
from plyboard.games.position import Position

EXPECTED = "a spec, a blank and a position text"


def read(text: str, _game: Game) -> Position:
    """Return the position of a line like `connect-four ......./... x`; it names its game itself."""
    line = only_line(text, "position", EXPECTED)
    spec, _, rest = line.text.partition(" ")
    try:
        chosen = find_game(spec)
    except SpecError as fault:
        raise NotationError(f"wrong spec at {line.where}: {fault}") from None
    try:
        return reached(Position(chosen, rest))
    except NotationError as fault:
        board = Token(rest, line.line, line.column + len(spec) + 1)
        raise NotationError(_moved(str(fault), board)) from None


def _moved(fault: str, board: Token) -> str:
    """Return what was said about a position text, with places that count in the whole text."""
    match = re.match(r"(.*?) at (?:1:([0-9]+)|(.*?)): got ", fault)
    if not match:
        return fault
    what, column, place = match.groups()
    if column:
        where = f"{board.line}:{board.column + int(column) - 1}"
    else:
        where = f"{board.where}, {place}"
    return f"{what} at {where}: got {fault[match.end() :]}"


def write(position: Position) -> str:
    """Return the spec of the game and the text of the position."""
    return f"{spec_of(position.game)} {position.text()}\n"
