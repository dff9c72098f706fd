"""The format `moves`: the moves from the start, `4455` or `4 4 5f`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

from plyboard.games.formats.replay import history, replay, written
from plyboard.games.formats.tokens import Token, split_words, token_lines
from plyboard.games.game import Game
from plyboard.games.position import Position, has_digits

NAME = "moves"


def read(text: str, game: Game) -> Position:
    """Return the position after the moves, separated by blanks or commas, or one digit each."""
    found = (word for line in token_lines(text) for word in split_words(line, " ,"))
    head = list(islice(found, 2))
    moves = chain(head, found)
    if len(head) == 1 and has_digits(game) and re.fullmatch(r"[0-9]+", head[0].text, re.ASCII):
        moves = chain(_digits(head[0]))
    return replay(game, moves, Position.parse_move)


def _digits(word: Token) -> Iterator[Token]:
    for index, digit in enumerate(word.text):
        yield Token(digit, word.line, word.column + index)


def write(position: Position) -> str:
    """Return the moves on one line, without blanks if each is a digit."""
    game = position.game
    moves = [before.move_text(action) for before, action in history(position, NAME)]
    dense = has_digits(game) and all(len(move) == 1 for move in moves)
    return written(moves, "" if dense else " ")
