"""The format `squatter-symbols`: a Squatter board as players print it.

    + B B B + +
    B - - B + +     B and W are live pieces, b and w captured ones
    B w - B + +     + is free, - is captured and empty
    ...

The player to move is not stored: Black if there are more white pieces than black, else White.
"""

from __future__ import annotations

import re

from plyboard.errors import Place, UsageError
from plyboard.games.formats import Format
from plyboard.games.formats.requirements import require_game, require_reachable
from plyboard.games.game import Game
from plyboard.games.position import Position
from plyboard.games.reading import unreadable
from plyboard.games.squatter import Squatter
from plyboard.origins.squatter import board as sized_board
from plyboard.origins.squatter.rows import (
    SymbolRows,
    check_reachable,
    filled,
    next_player,
    owners,
    read_rows,
)

NAME = "squatter-symbols"
LEAST, MOST = 3, 8
SYMBOLS = "BWbw+-"


def read(text: str, game: Game) -> Position:
    """Return the position; the number of rows, or the first row, gives the size of the board."""
    require_game(game, Squatter, NAME)
    lines = filled(text.split("\n"))
    size = len(lines)
    if lines and re.fullmatch(r"([BWbw+-] )*[BWbw+-]", lines[0], re.ASCII):
        size = min(size, (len(lines[0]) + 1) // 2)
    if not LEAST <= size <= MOST:
        got = f"{size} rows" if lines else ""
        raise unreadable("wrong board", Place(1, 1), got, f"{LEAST} to {MOST} rows")
    board = read_rows(lines, 1, size, SYMBOLS)
    check_reachable(board, owners(board))
    squatter = Squatter(board.size)
    return require_reachable(
        Position.of(squatter, squatter.state(list(board.rows), next_player(board)))
    )


def write(position: Position) -> str:
    """Return the rows; raise if the player to move does not follow from the counts."""
    game = require_game(position.game, Squatter, NAME)
    board = SymbolRows(tuple(game.grid(position.state)), 1)
    told = next_player(board)
    if position.mover != told:
        got, expected = game.players[position.mover], game.players[told]
        reason = f"{expected}, which is all that these counts of pieces can tell"
        raise UsageError("wrong player", where=NAME, got=f"{got} to move", expected=reason)
    return "".join(" ".join(row) + "\n" for row in board.rows)


def read_any(text: str) -> Position:
    """Return the position of a text in this format, or in `squatter-board` if it has a size."""
    game = Squatter()
    has_size = text.lstrip()[:1].isdigit()
    return sized_board.read(text, game) if has_size else read(text, game)


FORMAT = Format(
    NAME,
    "rows of B W b w + - as players print them",
    (Squatter.name,),
    read,
    write,
)
