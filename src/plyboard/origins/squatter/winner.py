"""The winner of a Squatter board given as text, up to 16 by 16 cells."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import Literal

from plyboard.errors import Place
from plyboard.games.reading import check_length, unreadable
from plyboard.origins.squatter.rows import SymbolRows, filled, owners, read_rows

LEAST, MOST = 3, 16
SYMBOLS = "BW+-"


@dataclass(frozen=True)
class BoardResult:
    """The winner, or `None` while a cell is free, and the numbers of captured cells."""

    winner: Literal["White", "Black", "Draw", "None"]
    white: int
    black: int


def board_result(text: str) -> BoardResult:
    """Return the result of a board on which each captured cell is a `-`.

    The board need not be reachable.
    """
    board = read_board(check_length(text), MOST)
    captured = Counter(owners(board).values())
    white, black = captured["W"], captured["B"]
    if board.count("+"):
        return BoardResult("None", white, black)
    if white == black:
        return BoardResult("Draw", white, black)
    return BoardResult("White" if white > black else "Black", white, black)


def read_board(text: str, most: int) -> SymbolRows:
    """Return the board of a text: its size on a line, then its rows."""
    size, *rows = filled(text.split("\n")) or [""]
    if not re.fullmatch(r"[1-9][0-9]?", size, re.ASCII) or not LEAST <= int(size) <= most:
        raise unreadable("no size", Place(1, 1), size, f"a number from {LEAST} to {most}")
    return read_rows(rows, 2, int(size), SYMBOLS)
