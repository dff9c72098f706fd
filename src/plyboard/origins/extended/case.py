"""The format `extended-case`: Extended Connect Four as its starter program reads a case.

    6                   the pops of each player
    0 0 0 0 0 0 0 0     the rows from the top, 0 for an empty cell
    0 0 1 2 0 0 0 0     1 and 2 for the discs of the players

Player 1 moves next. Extra blanks and blank lines are ignored.
"""

from __future__ import annotations

import re

from plyboard.errors import Place, UsageError
from plyboard.games.extended import Extended
from plyboard.games.formats import Format
from plyboard.games.formats.requirements import require_game
from plyboard.games.formats.tokens import Token, check_floor, split_words, token_lines
from plyboard.games.game import Game
from plyboard.games.position import Position
from plyboard.games.reading import unreadable

NAME = "extended-case"
MOST_POPS = 10
MOST_ROWS = MOST_COLUMNS = 12
TIME_OUT = "(1000, True)"


def read(text: str, game: Game) -> Position:
    """Return the position of a case; it gives the size of the board and the number of pops."""
    require_game(game, Extended, NAME)
    found = token_lines(text)
    head = next(found, Token("", 1, 1))
    pops = _pops(head)
    rows: list[list[Token]] = []
    for line in found:
        if len(rows) == MOST_ROWS:
            raise unreadable("one row too many", line.where, line.text, f"at most {MOST_ROWS} rows")
        rows.append(_row(line, len(rows[0]) if rows else None))
    if not rows:
        raise unreadable(
            "no board", Place(head.line + 1, 1), "", "rows of 0, 1 and 2 after the pops"
        )
    check_floor(rows, "0")
    case = Extended(len(rows), len(rows[0]), pops)
    cells = ["".join(cell.text for cell in row).replace("0", ".") for row in rows]
    return Position.of(case, case.state(cells, 0, (pops, pops)))


def _pops(line: Token) -> int:
    if not re.fullmatch(r"[0-9]|10", line.text, re.ASCII):
        expected = f"a number from 0 to {MOST_POPS} on a line of its own"
        raise unreadable("no pops", line.where, line.text, expected)
    return int(line.text)


def _row(line: Token, columns: int | None) -> list[Token]:
    """Return the cells of a row; the first row may have any even number of cells."""
    cells: list[Token] = []
    for cell in split_words(line):
        if cell.text not in ("0", "1", "2"):
            raise unreadable("no cell", cell.where, cell.text, "0, 1 or 2")
        cells.append(cell)
    fits = len(cells) % 2 == 0 and len(cells) <= MOST_COLUMNS
    if not fits or len(cells) != (columns or len(cells)):
        even = f"an even number of cells from 2 to {MOST_COLUMNS}"
        expected = f"{columns} cells, as in the first row" if columns else even
        raise unreadable("wrong row", line.where, f"{len(cells)} cells", expected)
    return cells


def write(position: Position) -> str:
    """Return the position as a case; raise unless player 1 moves and both have the same pops."""
    game = require_game(position.game, Extended, NAME)
    pops, others = game.pops_left(position.state)
    if position.mover != 0:
        raise UsageError("wrong player", where=NAME, got="2 to move", expected="1 to move")
    if pops != others or pops > MOST_POPS:
        expected = f"as many pops for both, at most {MOST_POPS}"
        raise UsageError("wrong pops", where=NAME, got=f"{pops} and {others}", expected=expected)
    rows = (" ".join(row.replace(".", "0")) for row in game.grid(position.state))
    return "\n".join([str(pops), *rows]) + "\n"


def read_tuple(text: str, where: str = "move") -> tuple[int, bool]:
    """Return the column, from 0, and whether to pop it, of a text like `(3, True)`."""
    if text == TIME_OUT:
        expected = "a move; this is the mark for a turn lost by the clock"
        raise unreadable("not a move", where, text, expected)
    match = re.fullmatch(r"\(([0-9]|1[01]), (True|False)\)", text, re.ASCII)
    if not match:
        expected = f"(column, True) or (column, False), columns 0 to {MOST_COLUMNS - 1}"
        raise unreadable("not a move", where, text, expected)
    return int(match[1]), match[2] == "True"


def write_tuple(move: tuple[int, bool]) -> str:
    """Return a column and whether to pop it as text, as `read_tuple` reads it."""
    column, pops = move
    return f"({column}, {pops})"


FORMAT = Format(
    NAME,
    "the pops of both, then rows of 0, 1 and 2; player 1 moves",
    (Extended.name,),
    read,
    write,
)
