"""Pictures of positions, and their drawing as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple


class Cell(NamedTuple):
    """A place on the board; row 0 is the top one."""

    row: int
    column: int


@dataclass(frozen=True)
class Piece:
    """The look of a symbol: its player, fill colour, letter colour and size.

    A piece is a disc, or it `fills` its whole cell, such as an edge or a box. Its letter is the
    symbol, unless there is another text for it; an empty one leaves it out.
    """

    player: int
    fill: str
    ink: str
    radius: int = 40
    fills: bool = False
    text: str | None = None


# By player, in all games: the first is white and the second dark, which every eye can tell apart.
COLOURS = (("#ffffff", "#222222"), ("#222222", "#ffffff"))  # the fill, and the letter on it
TERRITORY = ("#d8d0c0", "#6f6a62")


def piece_of(player: int, radius: int = 40) -> Piece:
    """Return the piece of a player, in the colours that this player has in every game."""
    return Piece(player, *COLOURS[player], radius)


@dataclass(frozen=True)
class Picture:
    """A board of symbols, top row first, with highlights.

    The shape says what the cells are: `holes`, `hexagons` in a rhombus, `pits` between two stores,
    or `dots` with edges and boxes between them.
    """

    rows: tuple[str, ...]
    pieces: Mapping[str, Piece]
    column_names: tuple[str, ...]
    row_names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    line: frozenset[Cell] = field(default_factory=frozenset)
    last: frozenset[Cell] = field(default_factory=frozenset)
    territory: Mapping[Cell, int] = field(default_factory=dict)
    ground: str = "#3f7cbf"  # neither light nor dark, so that both players show on it
    hole: str = "#5a93d1"
    shape: str = "holes"
    sides: tuple[str, ...] = ()  # the colours of the top, right, bottom and left side
    texts: Mapping[Cell, str] = field(default_factory=dict)  # in place of symbols, such as counts
    stacks: Mapping[Cell, str] = field(default_factory=dict)  # the symbols of several pieces

    def with_last(self, cells: frozenset[Cell]) -> Picture:
        """Return this picture with the cells of the last move marked."""
        return replace(self, last=cells)

    def text(self, cell: Cell) -> str:
        """Return what a cell shows as text: its own text, or its symbol."""
        return self.texts.get(cell, self.rows[cell.row][cell.column])

    def cells(self) -> Iterator[tuple[Cell, str]]:
        """Yield each cell with its symbol."""
        for row, symbols in enumerate(self.rows):
            for column, symbol in enumerate(symbols):
                yield Cell(row, column), symbol


def changed_cells(before: Picture, after: Picture) -> frozenset[Cell]:
    """Return the cells whose symbols or texts differ."""
    old = dict(before.cells())
    return frozenset(
        cell
        for cell, symbol in after.cells()
        if old.get(cell) != symbol or before.texts.get(cell) != after.texts.get(cell)
    )


def filled_cells(before: Picture, after: Picture) -> frozenset[Cell]:
    """Return the cells that were empty and hold a piece now."""
    old, pieces = dict(before.cells()), after.pieces
    return frozenset(
        cell for cell, symbol in after.cells() if symbol in pieces and old.get(cell) not in pieces
    )


def draw(picture: Picture) -> str:
    """Return the board as plain text: the column names, then the rows."""
    texts = [[picture.text(cell) for cell, _ in row] for row in _cells_by_row(picture)]
    width = max(map(len, (*picture.column_names, *(text for row in texts for text in row))))
    margin = max((len(name) for name in picture.row_names), default=0)
    lines = [_text_row(picture.column_names, width, " " * margin)]
    for row, cells in enumerate(texts):
        name = picture.row_names[row].rjust(margin) if margin else ""
        indent = " " * ((width + 1) * row // 2) if picture.shape == "hexagons" else ""
        lines.append(indent + _text_row(tuple(cells), width, name))
    return "\n".join(line.rstrip() for line in lines)


def _cells_by_row(picture: Picture) -> list[list[tuple[Cell, str]]]:
    cells, columns = list(picture.cells()), len(picture.column_names)
    return [cells[start : start + columns] for start in range(0, len(cells), columns)]


def _text_row(cells: tuple[str, ...], width: int, name: str) -> str:
    body = " ".join(cell.rjust(width) for cell in cells)
    return f"{name} {body}" if name else body
