"""The format `cfour-moves`: Connect Four moves as chess programs write drops, `P@d1 P@d2`."""

from __future__ import annotations

from plyboard.games.connect_four import ConnectFour
from plyboard.games.formats.cfour_fen import drop_text, read_drop
from plyboard.games.formats.replay import history, replay, written
from plyboard.games.formats.requirements import require_game
from plyboard.games.formats.tokens import split_words, token_lines
from plyboard.games.game import Game
from plyboard.games.position import Position

NAME = "cfour-moves"


def read(text: str, game: Game) -> Position:
    """Return the position after drops separated by blanks, from the start of the game."""
    require_game(game, ConnectFour, NAME)
    moves = (word for line in token_lines(text) for word in split_words(line))
    return replay(game, moves, lambda position, move: read_drop(game, move, position.state))


def write(position: Position) -> str:
    """Return the drops on one line."""
    game = require_game(position.game, ConnectFour, NAME)
    steps = history(position, NAME)
    return written([drop_text(game, action, before.state) for before, action in steps], " ")
