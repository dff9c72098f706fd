"""Where everything on a board is drawn, in whole pixels."""

from __future__ import annotations

from dataclasses import dataclass

from plyboard.games.drawing import UNIT, Drawing, drawing_of
from plyboard.games.picture import Cell, Picture

FRAME = 0.14  # of a cell, around all cells
HAND = 0.96  # above the board, for the disc that hovers there
NAMES = 0.5  # for the names of columns
ROW_NAMES = 0.5
NOTE = 0.46
MARGIN = 0.12
SMALLEST_CELL = 8
LEAST = 40  # the side of what can be clicked for a cell of a board of shapes


@dataclass(frozen=True)
class BoardLayout:
    """The places of a board's parts. All sizes follow from that of a cell."""

    columns: int
    rows: int
    cell: int
    left: int  # of the first column
    top: int  # of the first row
    has_hand: bool
    has_row_names: bool
    drawing: Drawing | None = None  # of a board that is no grid of holes

    @classmethod
    def of(cls, width: int, height: int, picture: Picture, *, has_hand: bool) -> BoardLayout:
        """Return the layout of the largest board that fits, centred."""
        drawing = drawing_of(picture)
        if drawing is not None:
            return cls._of_shapes(width, height, picture, drawing)
        columns, rows = len(picture.rows[0]), len(picture.rows)
        has_row_names = bool(picture.row_names)
        above = FRAME + (HAND if has_hand else NAMES)
        below = FRAME + NAMES * has_hand + NOTE * len(picture.notes)
        before = FRAME + ROW_NAMES * has_row_names
        across = columns + before + FRAME + ROW_NAMES * has_row_names + 2 * MARGIN
        down = rows + above + below + 2 * MARGIN
        cell = max(SMALLEST_CELL, int(min(width / across, height / down)))
        left = round((width - columns * cell) / 2)
        top = round((height - (down - 2 * MARGIN) * cell) / 2 + above * cell)
        return cls(columns, rows, cell, left, top, has_hand, has_row_names)

    @classmethod
    def _of_shapes(cls, width: int, height: int, picture: Picture, drawing: Drawing) -> BoardLayout:
        """Return the layout of the largest board of shapes that fits, centred."""
        across, down = drawing.width / UNIT, drawing.height / UNIT
        notes = NOTE * len(picture.notes)
        cell = max(SMALLEST_CELL, int(min(width / across, height / (down + notes))))
        left = round((width - across * cell) / 2)
        top = round((height - (down + notes) * cell) / 2)
        columns, rows = len(picture.rows[0]), len(picture.rows)
        return cls(columns, rows, cell, left, top, False, False, drawing)

    @property
    def frame(self) -> int:
        """The width of the frame."""
        return max(2, round(FRAME * self.cell))

    @property
    def right(self) -> int:
        """The right edge of the last column."""
        if self.drawing is not None:
            return self.left + self._pixels(self.drawing.width)
        return self.left + self.columns * self.cell

    @property
    def bottom(self) -> int:
        """The bottom edge of the last row."""
        if self.drawing is not None:
            return self.top + self._pixels(self.drawing.height) - self.frame
        return self.top + self.rows * self.cell

    @property
    def names_at(self) -> float:
        """The middle of the names of columns."""
        distance = self.frame + NAMES * self.cell / 2
        return self.bottom + distance if self.has_hand else self.top - distance

    @property
    def row_names_at(self) -> float:
        """The middle of the names of rows."""
        return self.left - self.frame - ROW_NAMES * self.cell / 2

    def note_at(self, index: int) -> float:
        """Return the middle of a line of notes."""
        above = NAMES * self.has_hand + NOTE * (index + 0.5)
        return self.bottom + self.frame + above * self.cell

    def centre(self, column: int, row: float) -> tuple[float, float]:
        """Return the middle of a cell; row -1 is above the frame."""
        if self.drawing is not None:
            place = self.drawing.places[Cell(round(row), column)]
            return self.left + self._pixels(place.x), self.top + self._pixels(place.y)
        if row < 0:
            lifted = self.frame + (HAND - 1) * self.cell / 2
            return self.left + (column + 0.5) * self.cell, self._middle(row) + row * lifted
        return self.left + (column + 0.5) * self.cell, self._middle(row)

    def _pixels(self, length: float) -> int:
        return round(length * self.cell / UNIT)

    def _middle(self, row: float) -> float:
        return self.top + (row + 0.5) * self.cell

    def cell_at(self, x: float, y: float) -> Cell | None:
        """Return the cell at a point; the space above the board belongs to its first row."""
        if self.drawing is not None:
            return self._shape_at(self.drawing, x, y)
        column, row = int((x - self.left) // self.cell), int((y - self.top) // self.cell)
        highest = self.top - self.frame - (self.cell if self.has_hand else 0)
        if not 0 <= column < self.columns or not highest <= y < self.bottom + self.frame:
            return None
        if not self.has_hand and not 0 <= row < self.rows:
            return None
        return Cell(min(max(row, 0), self.rows - 1), column)

    def _shape_at(self, drawing: Drawing, x: float, y: float) -> Cell | None:
        """Return the cell whose middle is nearest, if the point is not far outside of it."""
        across, down = (x - self.left) * UNIT / self.cell, (y - self.top) * UNIT / self.cell
        near = [
            (abs(across - place.x) / width + abs(down - place.y) / height, cell)
            for cell, place in drawing.places.items()
            for width, height in (tuple(max(side, LEAST) for side in place.size),)
            if abs(across - place.x) <= width / 2 and abs(down - place.y) <= height / 2
        ]
        return min(near)[1] if near else None
