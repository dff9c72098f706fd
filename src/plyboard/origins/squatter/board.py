"""The format `squatter-board`: the size of a Squatter board, then its rows.

    6
    + + + + + +
    + + W + + +     B and W are live pieces, + is free
    + W - W + +     - is captured, whatever is in it
    ...

The player to move is not stored: Black if there are more white pieces than black, else White.
"""

from __future__ import annotations

from plyboard.games.formats import Format
from plyboard.games.formats.requirements import require_game
from plyboard.games.game import Game
from plyboard.games.position import Position
from plyboard.games.squatter import Squatter
from plyboard.origins.squatter.rows import check_reachable, next_player, owners
from plyboard.origins.squatter.winner import read_board

NAME = "squatter-board"
MOST = 8
HIDDEN = str.maketrans("wb", "--")


def read(text: str, game: Game) -> Position:
    """Return the position, with empty captured cells."""
    require_game(game, Squatter, NAME)
    board = read_board(text, MOST)
    check_reachable(board, owners(board))
    squatter = Squatter(board.size)
    return Position.of(squatter, squatter.state(list(board.rows), next_player(board)))


def write(position: Position) -> str:
    """Return the size and the rows, without captured pieces and the player to move."""
    game = require_game(position.game, Squatter, NAME)
    rows = [" ".join(row.translate(HIDDEN)) for row in game.grid(position.state)]
    return "\n".join([str(game.size), *rows]) + "\n"


FORMAT = Format(
    NAME,
    "the size, then rows of B W + -, where - hides what was captured",
    (Squatter.name,),
    read,
    write,
    hides_pieces=True,
)
