"""The format `alice-bill`: Connect Four as seven lines, one per column, bottom disc first.

    e         an empty column
    abba      discs of Alice (a) and of Bill (b)
    ...       seven in all, from the left

Alice moves next. So she began if both have the same number of discs; otherwise Bill began. A board
with a line of hers can be read, to find the winner, but not continued.
"""

from __future__ import annotations

from plyboard.errors import Place, UnreachableError
from plyboard.games.connect_four import ConnectFour
from plyboard.games.formats import Format
from plyboard.games.formats.requirements import require_default_game
from plyboard.games.formats.tokens import Token, columns_of, rows_of, token_lines
from plyboard.games.game import Game
from plyboard.games.grid_text import lines_of
from plyboard.games.position import Position
from plyboard.games.reading import unreadable

NAME = "alice-bill"
GAME = ConnectFour()
EMPTY = "e"
LETTERS = "ab"


def read(text: str, game: Game) -> Position:
    """Return the position of a board of seven columns of at most six discs, in any case."""
    require_default_game(game, GAME, NAME)
    columns = _columns(text)
    mover = _mover(columns)
    _check_lines(columns)
    mine, theirs = GAME.players[mover], GAME.players[1 - mover]
    symbols = str.maketrans({"a": mine, "b": theirs})
    rows = rows_of([column.translate(symbols) for column in columns], GAME.rows)
    return Position.of(GAME, GAME.state(rows, mover))


def _columns(text: str) -> list[str]:
    found: list[str] = []
    end = Token("", 0, 1)
    for end in token_lines(text):
        if len(found) == GAME.columns:
            expected = f"{GAME.columns} columns"
            raise unreadable("one column too many", end.where, end.text, expected)
        found.append(_column(end, len(found) + 1))
    if len(found) < GAME.columns:
        what, where = f"no column {len(found) + 1}", Place(end.line + 1, 1)
        raise unreadable(what, where, "", f"{GAME.columns} columns, e for an empty one")
    return found


def _column(line: Token, number: int) -> str:
    """Return the discs of a column, none for `e`."""
    letters = line.text.lower()
    for index, (char, letter) in enumerate(zip(line.text, letters, strict=True)):
        if index == GAME.rows:
            expected = f"at most {GAME.rows} letters"
        elif letter == EMPTY and index == 0:
            continue
        elif letters[0] == EMPTY:
            expected = "nothing after e"
        elif letter not in LETTERS:
            expected = "a or b, or e alone"
        else:
            continue
        raise unreadable(f"column {number}", Place(line.line, line.column + index), char, expected)
    return "" if letters == EMPTY else letters


def _mover(columns: list[str]) -> int:
    """Return the player that Alice is, from the numbers of discs."""
    alice, bill = ("".join(columns).count(letter) for letter in LETTERS)
    if bill - alice not in (0, 1):
        raise _unreachable(f"{alice} a and {bill} b", "as many a as b, or one b more: Alice moves")
    return bill - alice


def _check_lines(columns: list[str]) -> None:
    owners = [letter for letter in LETTERS if _has_line(columns, letter)]
    if len(owners) == 2:
        raise _unreachable("a line of a and one of b", "one of them at most")
    for letter in owners:
        if not any(
            column.endswith(letter) and not _has_line(_without_top(columns, index), letter)
            for index, column in enumerate(columns)
        ):
            raise _unreachable(f"lines of {letter}", "a single disc that completed them")


def _has_line(columns: list[str], letter: str) -> bool:
    return bool(lines_of(rows_of(columns, GAME.rows), letter, GAME.line))


def _without_top(columns: list[str], index: int) -> list[str]:
    return [*columns[:index], columns[index][:-1], *columns[index + 1 :]]


def _unreachable(got: str, expected: str) -> UnreachableError:
    return UnreachableError("unreachable position", where="board", got=got, expected=expected)


def write(position: Position) -> str:
    """Return the columns, with the player to move as Alice."""
    game = require_default_game(position.game, GAME, NAME)
    mine, theirs = game.players[position.mover], game.players[1 - position.mover]
    letters = str.maketrans({mine: "a", theirs: "b"})
    columns = columns_of(game.grid(position.state))
    return "".join(f"{column.translate(letters) or EMPTY}\n" for column in columns)


FORMAT = Format(
    NAME,
    "seven columns of a and b, bottom first, e if empty; Alice (a) moves",
    (ConnectFour.name,),
    read,
    write,
    players=("Alice", "Bill"),
)
