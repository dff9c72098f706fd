"""Boards with gravity as text, shared by the three games of the Connect Four family."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from plyboard.games.gravity import Gravity
from plyboard.games.picture import Cell
from plyboard.games.reading import unreadable
from plyboard.kernel.wide import Board, join

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def read_discs(board: Gravity, rows: list[str], symbols: tuple[str, str]) -> tuple[Board, Board]:
    """Return the discs of both players on a board given row by row from the top."""
    cells: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    for column in range(board.columns):
        upwards = [row[column] for row in reversed(rows)]
        height = board.rows - "".join(upwards)[::-1].count(".")
        for row, symbol in enumerate(upwards):
            if symbol == ".":
                continue
            if row >= height:
                top = board.rows - row
                raise unreadable(
                    "floating disc", f"row {top} from the top, column {column + 1} from the left",
                    symbol, "a disc or the floor below each disc",
                )  # fmt: skip
            cells[symbols.index(symbol)].append((row, column))
    return board.board(cells[0]), board.board(cells[1])


def write_discs(board: Gravity, discs: tuple[Board, Board], symbols: tuple[str, str]) -> list[str]:
    """Return the rows of a board from the top."""
    step = board.rows + 1
    first, second = (int(f"{join(each):b}") for each in discs)  # each bit becomes a decimal digit
    digits = f"{first + 2 * second:0{board.columns * step}}"[::-1]
    cells = digits.translate(str.maketrans("012", f".{symbols[0]}{symbols[1]}"))
    return [cells[row::step] for row in reversed(range(board.rows))]


def lines_of(rows: list[str], symbol: str, length: int) -> frozenset[Cell]:
    """Return the cells of every line of at least this many equal symbols."""
    return frozenset().union(*_lines(rows, symbol, length))


def may_complete_lines(rows: list[str], symbol: str, length: int) -> bool:
    """Return whether one disc on top of its column is part of all lines of this many symbols."""
    lines = [frozenset(line) for line in _lines(rows, symbol, length)]
    in_all = frozenset.intersection(*lines) if lines else frozenset()
    return any(row == 0 or rows[row - 1][column] == "." for row, column in in_all)


def _lines(rows: list[str], symbol: str, length: int) -> Iterator[list[Cell]]:
    """Yield the cells of each straight line of exactly this many equal symbols."""
    last_row, last_column = len(rows) - 1, len(rows[0]) - 1
    for row, column in product(range(len(rows)), range(len(rows[0]))):
        for down, across in DIRECTIONS if rows[row][column] == symbol else ():
            end_row, end_column = row + down * (length - 1), column + across * (length - 1)
            if end_row <= last_row and 0 <= end_column <= last_column:
                steps = range(length)
                if all(rows[row + down * k][column + across * k] == symbol for k in steps):
                    yield [Cell(row + down * k, column + across * k) for k in steps]


def column_number(text: str, columns: int) -> int | None:
    """Return the column, from 0, of a text that counts from 1; None if there is no such column."""
    if not re.fullmatch(r"[1-9][0-9]?", text, re.ASCII) or int(text) > columns:
        return None
    return int(text) - 1


def range_text(columns: int) -> str:
    """Return the valid column numbers as text: `[1-7]`."""
    return f"[1-{columns}]" if columns < 10 else f"1 to {columns}"


def numbers(mask: int, base: int = 1) -> str:
    """Return the columns of a mask as text, counted from `base`."""
    return " ".join(str(index + base) for index in range(mask.bit_length()) if mask >> index & 1)


def winning_cells(rows: list[str], symbol: str, length: int) -> set[Cell]:
    """Return the empty cells that complete a line of a player."""
    found = set()
    for row, column in product(range(len(rows)), range(len(rows[0]))):
        for down, across in DIRECTIONS:
            line = [Cell(row + down * k, column + across * k) for k in range(length)]
            if line[-1].row >= len(rows) or not 0 <= line[-1].column < len(rows[0]):
                continue
            empty = [cell for cell in line if rows[cell.row][cell.column] == "."]
            if len(empty) == 1 and sum(rows[r][c] == symbol for r, c in line) == length - 1:
                found.add(empty[0])
    return found
