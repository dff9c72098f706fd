"""The format `cfour-fen`: Connect Four as chess programs write it for the variant `cfour`.

    7/7/7/7/3p3/3P3[PPPPPPPPPPPPPPPPPPPPpppppppppppppppppppp] w - - 0 2

The fields: ranks from the top, with numbers for empty cells, P for the first player and p for the
second; in brackets the discs not yet played; the side to move; two unused fields; a clock; the move
number. Everything after the ranks is optional. Clock and move number are ignored.
"""

from __future__ import annotations

import re
from itertools import groupby

from plyboard.errors import IllegalMoveError, Place, UnreachableError
from plyboard.games.connect_four import ConnectFour
from plyboard.games.formats.requirements import require_game, require_reachable
from plyboard.games.formats.tokens import Token, check_floor, only_line, split_words
from plyboard.games.game import Game
from plyboard.games.position import Position
from plyboard.games.reading import unreadable
from plyboard.games.rules import State

NAME = "cfour-fen"
MOST = 16
FILES = "abcdefghijklmnop"
SIDES = "wb"
EXPECTED = "ranks[discs left] w|b - - clock move"
FIELDS = (
    ("side to move", r"[wb]", "w or b"),
    ("third field", r"-", "-"),
    ("fourth field", r"-", "-"),
    ("clock", r"0|[1-9][0-9]{0,3}", "a number"),
    ("move number", r"[1-9][0-9]{0,3}", "a number from 1"),
)


def read(text: str, game: Game) -> Position:
    """Return the position; the ranks give the size of the board."""
    asked = require_game(game, ConnectFour, NAME)
    first, *rest = split_words(only_line(text, "position", EXPECTED))
    board, bracket, left = first.text.partition("[")
    ranks = _ranks(Token(board, first.line, first.column))
    holdings = Token(bracket + left, first.line, first.column + len(board))
    _check_form(holdings, rest)
    position = _position(asked, ranks)
    _check_facts(position, holdings, rest)
    return position


def _ranks(board: Token) -> list[list[Token]]:
    texts = board.text.split("/")
    if len(texts) > MOST:
        raise unreadable("wrong board", board.where, f"{len(texts)} ranks", f"1 to {MOST} ranks")
    ranks: list[list[Token]] = []
    column = board.column
    for text in texts:
        rank = _rank(Token(text, board.line, column))
        if ranks and len(rank) != len(ranks[0]):
            expected = f"{len(ranks[0])} cells, as in the first rank"
            raise unreadable("wrong rank", Place(board.line, column), text, expected)
        ranks.append(rank)
        column += len(text) + 1
    check_floor(ranks, ".")
    return ranks


def _rank(rank: Token) -> list[Token]:
    """Return the cells of a rank, `.` for each empty one."""
    cells: list[Token] = []
    for match in re.finditer(r"[1-9][0-9]?|.", rank.text, re.ASCII):
        part = Token(match[0], rank.line, rank.column + match.start())
        if part.text in "Pp":
            cells.append(part)
        elif re.fullmatch(r"[1-9][0-9]?", part.text, re.ASCII):
            cells += [part._replace(text=".")] * int(part.text)
        else:
            raise unreadable("no cell", part.where, part.text, "P, p or a number of empty cells")
        if len(cells) > MOST:
            break
    if not 1 <= len(cells) <= MOST:
        raise unreadable("wrong rank", rank.where, rank.text, f"1 to {MOST} cells")
    return cells


def _check_form(holdings: Token, rest: list[Token]) -> None:
    """Raise if a field cannot be read; the board is not considered."""
    if not re.fullmatch(r"(?:\[[Pp]*\])?", holdings.text, re.ASCII):
        raise unreadable("no holdings", holdings.where, holdings.text, "P and p in brackets")
    for field, (what, form, expected) in zip(rest, FIELDS, strict=False):
        if not re.fullmatch(form, field.text, re.ASCII):
            raise unreadable(f"no {what}", field.where, field.text, expected)
    for field in rest[len(FIELDS) :]:
        raise unreadable("one field too many", field.where, field.text, EXPECTED)


def _position(asked: ConnectFour, ranks: list[list[Token]]) -> Position:
    columns, rows = len(ranks[0]), len(ranks)
    game = asked
    if (columns, rows) != (asked.columns, asked.rows):
        game = ConnectFour(columns, rows, asked.line)
    symbols = {".": ".", "P": game.players[0], "p": game.players[1]}
    cells = ["".join(symbols[cell.text] for cell in rank) for rank in ranks]
    discs = columns * rows - "".join(cells).count(".")
    return require_reachable(Position.of(game, game.state(cells, discs % 2)))


def _check_facts(position: Position, holdings: Token, rest: list[Token]) -> None:
    """Raise if the side to move or the discs left contradict the board."""
    side = SIDES[position.mover]
    if rest and rest[0].text != side:
        where, got = rest[0].where, rest[0].text
        raise UnreachableError("wrong side to move", where=where, got=got, expected=side)
    right = _holdings(position)
    if holdings.text and sorted(holdings.text[1:-1]) != sorted(right):
        told, fits = _counts(holdings.text), _counts(right)
        raise UnreachableError("wrong holdings", where=holdings.where, got=told, expected=fits)


def _holdings(position: Position) -> str:
    """Return the discs not yet played; the first player has the odd one."""
    game = require_game(position.game, ConnectFour, NAME)
    board = "".join(game.grid(position.state))
    first, second = (board.count(symbol) for symbol in game.players)
    return "P" * ((len(board) + 1) // 2 - first) + "p" * (len(board) // 2 - second)


def _counts(holdings: str) -> str:
    return f"{holdings.count('P')} P and {holdings.count('p')} p"


def write(position: Position) -> str:
    """Return all fields; the clock is always 0, as every move drops a disc."""
    game = require_game(position.game, ConnectFour, NAME)
    rows = game.grid(position.state)
    board = "/".join(_rank_text(row, game.players) for row in rows)
    discs = sum(len(row) - row.count(".") for row in rows)
    side = SIDES[position.mover]
    return f"{board}[{_holdings(position)}] {side} - - 0 {1 + discs // 2}\n"


def _rank_text(row: str, players: tuple[str, str]) -> str:
    letters = {players[0]: "P", players[1]: "p"}
    return "".join(
        str(len(list(run))) if symbol == "." else letters[symbol] * len(list(run))
        for symbol, run in groupby(row)
    )


def drop_text(game: Game, action: int, state: State) -> str:
    """Return a legal action as `P@d1`: the column, and the rank where the disc lands."""
    return f"P@{FILES[action]}{_height(require_game(game, ConnectFour, NAME), action, state) + 1}"


def read_drop(game: Game, text: str, state: State) -> int:
    """Return the action of a text like `P@d1`; raise if the disc does not land on this rank."""
    four = require_game(game, ConnectFour, NAME)
    files = FILES[: four.columns]
    match = re.fullmatch(r"P@([a-p])([1-9][0-9]?)", text, re.ASCII)
    if not match or match[1] not in files:
        expected = f"P@, a file from a to {files[-1]} and a rank from 1"
        raise unreadable("not a move", "move", text, expected)
    file, action = match[1], files.index(match[1])
    height = _height(four, action, state)
    if height == four.rows:
        raise IllegalMoveError("illegal move", move=text, reason=f"file {file} is full")
    if int(match[2]) != height + 1:
        raise IllegalMoveError(
            "illegal move", move=text, reason=f"the disc lands on {file}{height + 1}"
        )
    return action


def _height(game: ConnectFour, action: int, state: State) -> int:
    return sum(row[action] != "." for row in game.grid(state))
