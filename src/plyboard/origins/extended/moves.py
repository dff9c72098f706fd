"""The format `extended-moves`: Extended Connect Four as move tuples, one `(3, True)` per line."""

from __future__ import annotations

from plyboard.games.extended import Extended
from plyboard.games.formats import Format
from plyboard.games.formats.replay import history, replay, written
from plyboard.games.formats.requirements import require_game
from plyboard.games.formats.tokens import token_lines
from plyboard.games.game import Game
from plyboard.games.position import Position
from plyboard.games.reading import unreadable
from plyboard.origins.extended.case import read_tuple, write_tuple

NAME = "extended-moves"


def read(text: str, game: Game) -> Position:
    """Return the position after the moves, from the empty board of the game."""
    extended = require_game(game, Extended, NAME)
    return replay(game, token_lines(text), lambda _, move: _action(extended, move))


def _action(game: Extended, text: str) -> int:
    column, pops = read_tuple(text)
    if column >= game.columns:
        raise unreadable("not a move", "move", text, f"a column from 0 to {game.columns - 1}")
    return column + game.columns * pops


def write(position: Position) -> str:
    """Return one tuple per line."""
    columns = require_game(position.game, Extended, NAME).columns
    steps = history(position, NAME)
    moves = [write_tuple((action % columns, action >= columns)) for _, action in steps]
    return written(moves, "\n")


FORMAT = Format(
    NAME,
    "the moves from the start, one tuple such as (3, True) per line",
    (Extended.name,),
    read,
    write,
)
