"""The format `conniption-tuples`: Conniption as columns of truth values, bottom disc first.

    {"board": [[true, false], [], [], [], [], [], []],
     "player1Turn": true, "flipsRem": [4, 4], "flippable": true}

True is a disc of one player, whose turn it is if `player1Turn` and whose flips come first. It is
written for the player who began. A state in which the other one began is read, too: then that one
has the first colour. A board alone may also be written as a Python tuple,
`((True, False), (), (), (), (), (), ())`: then no flips have been used.
"""

from __future__ import annotations

import json

from plyboard.games.conniption import Conniption
from plyboard.games.formats import Format
from plyboard.games.formats.requirements import (
    require_default_game,
    require_game,
    require_reachable,
)
from plyboard.games.formats.tokens import columns_of, rows_of
from plyboard.games.game import Game
from plyboard.games.position import Position
from plyboard.games.reading import unreadable
from plyboard.origins.conniption.scanner import JSON, PYTHON, Scanner, Style
from plyboard.specs import choices

NAME = "conniption-tuples"
OBJECT = "{"
GAME = Conniption()
BOARD, TURN, FLIPS, FLIPPABLE = KEYS = ("board", "player1Turn", "flipsRem", "flippable")


def read(text: str, game: Game) -> Position:
    """Return the position of an object with all four keys, or of a bare tuple of columns."""
    require_game(game, Conniption, NAME)
    scanner = Scanner(text)
    first = scanner.peek()
    if first.text == OBJECT:
        values = _values(scanner)
    elif first.text == PYTHON.opens:
        values = _values_of(_columns(scanner, PYTHON))
    else:
        raise unreadable("no state", first.where, first.text, "{ or (")
    end = scanner.next()
    if end.text:
        raise unreadable("text after the end", end.where, end.text, "nothing more")
    swapped = _position(values, is_swapped=True)
    if swapped.unreachable_reason() is None and _position(values).unreachable_reason() is not None:
        return swapped
    return require_reachable(_position(values))


def _position(values: dict[str, list[str]], *, is_swapped: bool = False) -> Position:
    """Return the position in which the discs that are true belong to the first player.

    If it is swapped, they belong to the second one.
    """
    columns, mover = values[BOARD], 0 if values[TURN] == [JSON.true] else 1
    first, second = (int(flips) for flips in values[FLIPS])
    if is_swapped:
        exchange = str.maketrans("".join(GAME.players), "".join(reversed(GAME.players)))
        columns, mover = [column.translate(exchange) for column in columns], 1 - mover
        first, second = second, first
    may_flip = values[FLIPPABLE] == [JSON.true]
    return Position.of(
        GAME, GAME.state(rows_of(columns, GAME.rows), mover, (first, second), may_flip)
    )


def _values_of(columns: list[str]) -> dict[str, list[str]]:
    """Return the values of a bare board: the player with fewer discs is to move."""
    first, second = ("".join(columns).count(symbol) for symbol in GAME.players)
    turn = JSON.true if first <= second else JSON.false
    flips = [str(GAME.flips)] * 2
    return {BOARD: columns, TURN: [turn], FLIPS: flips, FLIPPABLE: [JSON.true]}


def _values(scanner: Scanner) -> dict[str, list[str]]:
    """Return the value of each key of an object, as a list of texts."""
    values: dict[str, list[str]] = {}
    scanner.take("state", OBJECT)
    sign = ","
    while sign == ",":
        key = _key(scanner, values)
        scanner.take(key, ":")
        values[key] = _value(scanner, key)
        closing = scanner.peek()
        sign = scanner.take("state", ",", "}")
    for key in KEYS:
        if key not in values:
            raise unreadable("missing key", closing.where, closing.text, f'"{key}"')
    return values


def _key(scanner: Scanner, known: dict[str, list[str]]) -> str:
    piece = scanner.next()
    if piece.text[:1] != '"' or len(piece.text) < 2:
        raise unreadable("no key", piece.where, piece.text, "a key in quotes")
    key = piece.text[1:-1]
    if key not in KEYS:
        raise unreadable("unknown key", piece.where, key, choices(key, KEYS))
    if key in known:
        raise unreadable("key given twice", piece.where, key, "each key once")
    return key


def _value(scanner: Scanner, key: str) -> list[str]:
    if key == BOARD:
        return _columns(scanner, JSON)
    if key == FLIPS:
        numbers = [str(number) for number in range(GAME.flips + 1)]
        two = range(2, 3)
        return scanner.items(JSON, key, two, lambda: scanner.take("flips", *numbers))
    return [scanner.take(key, JSON.true, JSON.false)]


def _columns(scanner: Scanner, style: Style) -> list[str]:
    """Return the columns of a board from the bottom, as symbols of the players."""
    heights, seven = range(GAME.rows + 1), range(GAME.columns, GAME.columns + 1)

    def disc() -> str:
        told = scanner.take("disc", style.true, style.false)
        return GAME.players[0] if told == style.true else GAME.players[1]

    def column() -> str:
        return "".join(scanner.items(style, "column", heights, disc))

    return scanner.items(style, "board", seven, column)


def write(position: Position) -> str:
    """Return the object on one line."""
    game = require_default_game(position.game, GAME, NAME)
    flips, flippable = game.facts(position.state)
    columns = columns_of(game.grid(position.state))
    values: dict[str, object] = {
        BOARD: [[disc == game.players[0] for disc in column] for column in columns],
        TURN: position.mover == 0,
        FLIPS: [int(left) for left in flips],
        FLIPPABLE: flippable,
    }
    return json.dumps(values) + "\n"


FORMAT = Format(
    NAME,
    "columns of true and false in a JSON object, bottom first",
    (Conniption.name,),
    read,
    write,
)
