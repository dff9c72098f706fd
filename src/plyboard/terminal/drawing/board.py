"""Boards as text that fits the screen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter

from rich.text import Text

from plyboard.games.picture import TERRITORY, Cell, Picture

EMPTY, DOT = ".", "\u00b7"
LAST, LINE, NO_MARK = ("[", "]"), ("*", "*"), (" ", " ")  # marks around a cell
TOP, LEFT = 0, 3  # sides
ROOMY, NARROW, DENSE = 3, 2, 1  # characters per column


@dataclass(frozen=True)
class BoardText:
    """A board drawn with the widest columns that fit the screen."""

    picture: Picture
    width: int
    fancy: bool = False  # whether Unicode can be used

    @property
    def pitch(self) -> int:
        """The characters per column: an even number for hexagons, more than usual for texts."""
        columns, texts = len(self.picture.column_names), self.picture.texts.values()
        roomy = ROOMY - 1 + max(map(len, texts), default=1)
        if self.picture.shape == "hexagons":
            roomy += roomy % 2
            columns += len(self.picture.rows) // 2
        elif roomy > ROOMY:
            return roomy
        fits = (roomy, columns * roomy), (NARROW, columns * NARROW + 1)
        room = self.width - self._margin
        return next((pitch for pitch, needed in fits if needed <= room), DENSE)

    def _slant(self, row: int) -> str:
        """Return how far a row of hexagons is to the right of the first one."""
        return " " * (self.pitch * row // 2 if self.picture.shape == "hexagons" else 0)

    def _side(self, side: int) -> str:
        """Return the style of the names at a side of the board."""
        sides = self.picture.sides
        return f"bold {sides[side]}" if sides else "dim"

    @property
    def _margin(self) -> int:
        names = self.picture.row_names
        return 1 + max(map(len, names)) if names else 0

    def lines(self) -> Iterator[Text]:
        """Yield the names of the columns, then the rows from the top."""
        yield from self._heading()
        for row, symbols in enumerate(self.picture.rows):
            names = self.picture.row_names
            name = f"{names[row]:>{self._margin - 1}} " if names else ""
            line = Text(self._slant(row)).append(name, style=self._side(LEFT))
            yield line.append(Text("", style="not dim").append_text(self._row(row, symbols)))

    def _heading(self) -> Iterator[Text]:
        """Yield the column names, on one line or with vertical names."""
        names = self.picture.column_names
        longest = max(map(len, names))
        if self.pitch >= ROOMY > longest:
            pitch = self.pitch
            parts = [[f"{name:^{pitch}}" if len(name) == 1 else f"{name:>2} " for name in names]]
        else:
            parts = [[name.rjust(longest)[place] for name in names] for place in range(longest)]
        for part in parts:
            air = " " if self.pitch == NARROW else ""
            text = " " * self._margin + air + air.join(part)
            yield Text(text.rstrip(), style=self._side(TOP))

    def _row(self, row: int, symbols: str) -> Text:
        """Return a row; neighbouring cells of the same style are joined."""
        cells = [self._cell(Cell(row, column), symbol) for column, symbol in enumerate(symbols)]
        if self.pitch == NARROW:
            cells.append((self._marks(Cell(row, len(symbols) - 1))[1], ""))
        text = Text()
        for style, pieces in groupby(cells, key=itemgetter(1)):
            text.append("".join(piece for piece, _ in pieces), style)
        return text

    def _cell(self, cell: Cell, symbol: str) -> tuple[str, str]:
        """Return a cell with its marks, as far as there is room, and its style."""
        before, after = self._marks(cell)
        style, drawn = self._style(cell, symbol), self.picture.texts.get(cell, self._drawn(symbol))
        if self.pitch >= ROOMY:
            return f"{before}{drawn:^{self.pitch - 2}}{after}", style
        if self.pitch == NARROW:
            left = self._marks(Cell(cell.row, cell.column - 1))[1]
            return f"{before if before != ' ' else left}{drawn}", style
        return drawn, style

    def _marks(self, cell: Cell) -> tuple[str, str]:
        if cell in self.picture.line:
            return LINE
        return LAST if cell in self.picture.last else NO_MARK

    def _drawn(self, symbol: str) -> str:
        return DOT if self.fancy and symbol == EMPTY else symbol

    def _style(self, cell: Cell, symbol: str) -> str:
        piece, owner = self.picture.pieces.get(symbol), self.picture.territory.get(cell)
        if piece is not None:
            return f"bold {piece.ink} on {piece.fill}"
        if owner is not None:
            return f"{ink_on(TERRITORY[owner])} on {TERRITORY[owner]}"
        if self.picture.text(cell) == " " and self.picture.shape == "pits":  # there is no cell
            return ""
        is_grid = self.picture.shape == "holes"
        ground = self.picture.ground if is_grid else self.picture.hole
        return f"{ink_on(ground)} on {ground}"


def ink_on(ground: str) -> str:
    """Return black or white, whichever is readable on a colour."""
    red, green, blue = (int(ground[place : place + 2], 16) for place in (1, 3, 5))
    return "#000000" if 299 * red + 587 * green + 114 * blue > 128_000 else "#ffffff"
