"""Squatter boards as rows of symbols separated by blanks, shared by two formats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plyboard.errors import Place, UnreachableError, code_point
from plyboard.games.picture import Cell
from plyboard.games.reading import unreadable

CAPTURED = "-wb"
STEPS = ((-1, 0), (0, -1), (0, 1), (1, 0))


@dataclass(frozen=True)
class SymbolRows:
    """The symbols of a square board, and the line number of its top row in the text."""

    rows: tuple[str, ...]
    first_line: int

    @property
    def size(self) -> int:
        """The number of rows and columns."""
        return len(self.rows)

    def symbol(self, cell: Cell) -> str:
        """Return the symbol of a cell."""
        return self.rows[cell.row][cell.column]

    def where(self, cell: Cell) -> Place:
        """Return the place of a cell in the text."""
        return Place(self.first_line + cell.row, 2 * cell.column + 1)

    def cells(self) -> Iterator[Cell]:
        """Yield all cells, row by row from the top."""
        for row in range(self.size):
            for column in range(self.size):
                yield Cell(row, column)

    def is_border(self, cell: Cell) -> bool:
        """Tell whether a cell is on the edge of the board."""
        return not 0 < cell.row < self.size - 1 or not 0 < cell.column < self.size - 1

    def count(self, symbols: str) -> int:
        """Return how many cells show one of these symbols."""
        return sum(row.count(symbol) for row in self.rows for symbol in symbols)


def filled(lines: Sequence[str]) -> list[str]:
    """Return the lines without the empty ones at the end."""
    end = len(lines)
    while end and not lines[end - 1]:
        end -= 1
    return list(lines[:end])


def read_rows(lines: Sequence[str], first_line: int, size: int, symbols: str) -> SymbolRows:
    """Return a board of this size; raise if the lines have another form."""
    numbered = enumerate(lines[:size], first_line)
    rows = tuple(_row(line, number, size, symbols) for number, line in numbered)
    if len(lines) > size:
        extra = Place(first_line + size, 1)
        raise unreadable("one row too many", extra, lines[size], f"the end after {size} rows")
    if len(rows) < size:
        missing = Place(first_line + len(rows), 1)
        raise unreadable(f"no row {len(rows) + 1}", missing, "", f"{size} rows")
    return SymbolRows(rows, first_line)


def _row(line: str, number: int, size: int, symbols: str) -> str:
    width = 2 * size - 1
    for column, char in enumerate(line[:width], 1):
        if column % 2 and char not in symbols:
            raise unreadable("no cell", Place(number, column), char, f"one of {symbols}")
        if column % 2 == 0 and char != " ":
            raise unreadable("no gap", Place(number, column), char, "a blank between cells")
    if len(line) != width:
        place = min(len(line), width)
        what = f"{size} cells with a blank between"
        raise unreadable("wrong row", Place(number, place + 1), line[place : place + 1], what)
    return line[::2]


def owners(board: SymbolRows) -> dict[Cell, str]:
    """Return who captured each captured cell: the colour that surrounds it."""
    captured = [cell for cell in board.cells() if board.symbol(cell) in CAPTURED]
    for cell in captured:
        if board.is_border(cell):
            raise unreadable(
                "captured cell on the border", board.where(cell), board.symbol(cell), "+, B or W"
            )
    return {cell: _owner(board, cell) for cell in captured}


def _owner(board: SymbolRows, cell: Cell) -> str:
    """Return the colour of the first live piece in each of the four directions."""
    seen = [_first_live(board, cell, step) for step in STEPS]
    for other in seen:
        if board.symbol(other) == "+":
            what, expected = "captured cell not enclosed", "pieces"
        elif board.symbol(other) != board.symbol(seen[0]):
            what, expected = "captured cell between two colours", f"only {board.symbol(seen[0])}"
        else:
            continue
        told = f"{expected} around it, not {board.symbol(other)} at {board.where(other)}"
        raise unreadable(what, board.where(cell), board.symbol(cell), told)
    return board.symbol(seen[0])


def _first_live(board: SymbolRows, cell: Cell, step: tuple[int, int]) -> Cell:
    """Skip captured cells; the border has none, so this ends on the board."""
    while board.symbol(cell) in CAPTURED:
        cell = Cell(cell.row + step[0], cell.column + step[1])
    return cell


def check_reachable(board: SymbolRows, owned: dict[Cell, str]) -> None:
    """Raise if the piece counts are impossible, or if an enclosed cell is not captured.

    A `-` may hide a piece, so counts are compared only if there is none.
    """
    white, black = board.count("Ww"), board.count("Bb")
    if abs(white - black) > 1 and not board.count("-"):
        raise UnreachableError(
            "unreachable position",
            where="board",
            got=f"{black} B and {white} W",
            expected="as many, or one more of either",
        )
    for colour in "WB":
        for cell in _inside(board, colour):
            if owned.get(cell) != colour:
                where, got = board.where(cell), code_point(board.symbol(cell))
                expected = f"a captured cell, for {colour} stands all around it"
                raise UnreachableError("open cell", where=where, got=got, expected=expected)


def _inside(board: SymbolRows, colour: str) -> list[Cell]:
    """Return the cells that are cut off from the border by live pieces of a colour."""
    passable = {cell for cell in board.cells() if board.symbol(cell) != colour}
    ahead = [cell for cell in passable if board.is_border(cell)]
    outside = set(ahead)
    while ahead:
        row, column = ahead.pop()
        for down, across in STEPS:
            cell = Cell(row + down, column + across)
            if cell in passable and cell not in outside:
                outside.add(cell)
                ahead.append(cell)
    return sorted(passable - outside)


def next_player(board: SymbolRows) -> int:
    """Return who moves next: White (0), unless there are more white pieces than black ones."""
    return int(board.count("Ww") > board.count("Bb"))
