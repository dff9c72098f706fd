"""Boards that are no grid of holes, as shapes: hexagons, pits with stores, dots and edges.

All fronts draw these shapes and know nothing else about such a board: windows, pages, SVG files and
search trees. Lengths are hundredths of a cell; x grows to the right and y down.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from plyboard.games.picture import Cell, Picture

UNIT = 100
MARGIN = 16  # around everything
NAMES = 44  # for the names of columns and of rows
NAME_SIZE = 28
INK, FAINT = "#2a2622", "#6f6a62"
WON, PLAYED = "#7cfc9a", "#ffd54a"  # the marks of a line and of the last move
CORNERS = 10  # of a rounded corner


@dataclass(frozen=True)
class Shape:
    """A polygon, a line if it is not filled, a circle, or a text around its middle."""

    points: tuple[int, ...] = ()  # x, y, x, y ...
    circle: tuple[int, int, int] | None = None  # x, y, radius
    text: str = ""
    at: tuple[int, int] = (0, 0)  # of the text
    size: int = 0  # of the text
    fill: str = ""
    stroke: str = ""
    width: int = 0  # of the stroke


def shape_facts(shape: Shape) -> dict[str, Any]:
    """Return what a shape has, for pages: what it has not is left out."""
    return {name: value for name, value in vars(shape).items() if value and value != (0, 0)}


@dataclass(frozen=True)
class CellPlace:
    """Where a cell is, its outline around (0, 0), and how it looks while it is empty."""

    x: int
    y: int
    outline: tuple[int, ...]
    fill: str
    stroke: str = ""

    @property
    def size(self) -> tuple[int, int]:
        """The width and the height."""
        return 2 * max(self.outline[::2]), 2 * max(self.outline[1::2])


@dataclass(frozen=True)
class Drawing:
    """A board of one shape and size: what is behind its cells, and where they are."""

    width: int
    height: int
    back: tuple[Shape, ...]
    names: tuple[Shape, ...]  # of the columns and rows
    places: Mapping[Cell, CellPlace]  # cells without a place are not part of the board

    def look(self, picture: Picture, cell: Cell) -> tuple[Shape, ...]:
        """Return what is drawn for a cell, around (0, 0)."""
        return tuple(_look(picture, cell, self.places[cell]))


def drawing_of(picture: Picture) -> Drawing | None:
    """Return how a picture is drawn; None for a grid of holes, which each front draws itself."""
    if picture.shape not in SHAPES:
        return None
    return _drawing(
        picture.shape, len(picture.rows), len(picture.column_names), picture.column_names,
        picture.row_names, picture.ground, picture.hole, picture.sides,
    )  # fmt: skip


@cache
def _drawing(
    shape: str, rows: int, columns: int, column_names: tuple[str, ...], row_names: tuple[str, ...],
    ground: str, hole: str, sides: tuple[str, ...],
) -> Drawing:  # fmt: skip
    return SHAPES[shape](_Board(rows, columns, column_names, row_names, ground, hole, sides))


@dataclass(frozen=True)
class _Board:
    """The facts about a board that its drawing depends on."""

    rows: int
    columns: int
    column_names: tuple[str, ...]
    row_names: tuple[str, ...]
    ground: str
    hole: str
    sides: tuple[str, ...]

    def cells(self) -> Iterator[Cell]:
        for row in range(self.rows):
            for column in range(self.columns):
                yield Cell(row, column)


def _hexagons(board: _Board) -> Drawing:
    """Draw a rhombus of hexagons that stand on a corner; its sides have the colours of players."""
    half, side = UNIT // 2, UNIT / math.sqrt(3)
    left, top, edge = MARGIN + NAMES, MARGIN + NAMES, 24
    outline = (
        0,
        -side,
        half,
        -side / 2,
        half,
        side / 2,
        0,
        side,
        -half,
        side / 2,
        -half,
        -side / 2,
    )

    def centre(cell: Cell) -> tuple[int, int]:
        x = left + edge + half * (2 * cell.column + cell.row + 1)
        return x, round(top + edge + side * (1 + 1.5 * cell.row))

    hexagon = tuple(map(round, outline))
    places = {
        cell: CellPlace(*centre(cell), hexagon, board.hole, board.ground) for cell in board.cells()
    }

    def border(cells: list[Cell], corners: tuple[int, ...], colour: str) -> Shape:
        points = [
            place
            for x, y in map(centre, cells)
            for corner in corners
            for place in (x + hexagon[2 * corner], y + hexagon[2 * corner + 1])
        ]
        return Shape(tuple(points), stroke=colour, width=2 * edge)

    across, down = range(board.columns), range(board.rows)
    lines: list[tuple[list[Cell], tuple[int, ...]]] = [
        ([Cell(0, column) for column in across], (5, 0, 1)),
        ([Cell(row, board.columns - 1) for row in down], (0, 1, 2)),
        ([Cell(board.rows - 1, column) for column in across], (4, 3, 2)),
        ([Cell(row, 0) for row in down], (5, 4, 3)),
    ]
    order = (1, 3, 0, 2)  # the top and the bottom over the others
    back = [border(*lines[index], board.sides[index]) for index in order if board.sides]
    names = [
        _name(places[Cell(0, column)].x - 25, top - 18, name)
        for column, name in enumerate(board.column_names)
    ]
    names += [
        _name(places[Cell(row, 0)].x - half - edge - 26, places[Cell(row, 0)].y, name)
        for row, name in enumerate(board.row_names)
    ]
    x, y = centre(Cell(board.rows - 1, board.columns - 1))
    size = round(x + half + edge + MARGIN), round(y + side + edge + MARGIN)
    return Drawing(*size, tuple(back), tuple(names), places)


def _pits(board: _Board) -> Drawing:
    """Draw rows of round pits with a store at each end, the left one that of the upper player.

    The first and the last column are the stores: in the top row on the left, in the bottom row on
    the right.
    """
    left, top, pitch = MARGIN + NAMES, MARGIN + NAMES, 140
    pit = _rounded(44, 44, 44)
    tall = (board.rows - 1) * pitch // 2 + 44
    store, middle = _rounded(44, tall, 44), top + 26 + board.rows * pitch // 2
    places = {}
    for cell in board.cells():
        x, y = left + 20 + UNIT * cell.column + 50, top + 26 + pitch * cell.row + pitch // 2
        if 0 < cell.column < board.columns - 1:
            places[cell] = CellPlace(x, y, pit, board.hole, INK)
        elif cell in (Cell(0, 0), Cell(board.rows - 1, board.columns - 1)):
            places[cell] = CellPlace(x, middle, store, board.hole, INK)
    across, down = 20 + UNIT * board.columns // 2, 26 + pitch * board.rows // 2
    panel = _moved(_rounded(across, down, 40), left + across, top + down)
    names = [
        _name(left + 70 + UNIT * column, top - 20, name)
        for column, name in enumerate(board.column_names)
    ]
    names += [
        _name(left - 24, top + 26 + pitch * row + pitch // 2, name)
        for row, name in enumerate(board.row_names)
    ]
    size = left + 2 * across + MARGIN, top + 2 * down + MARGIN
    return Drawing(*size, (Shape(panel, fill=board.ground),), tuple(names), places)


def _dots(board: _Board) -> Drawing:
    """Draw dots in the even rows and columns, edges between them, and boxes between the edges."""
    thin, wide, left, top = 14, 43, MARGIN + NAMES, MARGIN + NAMES

    def along(index: int) -> int:
        return 30 + (thin + wide) * index

    places, dots = {}, []
    for cell in board.cells():
        x, y = left + along(cell.column), top + along(cell.row)
        if cell.row % 2 == cell.column % 2 == 0:
            dots.append(Shape(circle=(x, y, 11), fill=INK))
            continue
        across, down = (37 if cell.column % 2 else 6), (37 if cell.row % 2 else 6)
        is_edge = cell.row % 2 != cell.column % 2
        outline = _rounded(across, down, 6)
        places[cell] = CellPlace(x, y, outline, board.hole if is_edge else board.ground)
    right, bottom = left + along(board.columns - 1) + 30, top + along(board.rows - 1) + 30
    panel = _moved(
        _rounded((right - left) // 2, (bottom - top) // 2, 18), (left + right) // 2,
        (top + bottom) // 2,
    )  # fmt: skip
    names = [
        _name(left + along(column), top - 22, name)
        for column, name in enumerate(board.column_names)
    ]
    names += [_name(left - 24, top + along(row), name) for row, name in enumerate(board.row_names)]
    back = (Shape(panel, fill=board.ground), *dots)
    return Drawing(right + MARGIN, bottom + MARGIN, back, tuple(names), places)


SHAPES: Mapping[str, Callable[[_Board], Drawing]] = {
    "hexagons": _hexagons, "pits": _pits, "dots": _dots,
}  # fmt: skip


def _look(picture: Picture, cell: Cell, place: CellPlace) -> Iterator[Shape]:
    """Yield the outline of a cell, its piece or pieces, its text and its marks."""
    symbol, text = picture.rows[cell.row][cell.column], picture.texts.get(cell)
    piece, stack = picture.pieces.get(symbol), picture.stacks.get(cell)
    fills = piece is not None and piece.fills
    mark = WON if cell in picture.line else PLAYED if cell in picture.last else ""
    edge, wide = (mark, 8) if mark and (fills or piece is None) else (place.stroke, 3)
    fill = piece.fill if piece is not None and fills else place.fill
    yield Shape(place.outline, fill=fill, stroke=edge, width=wide if edge else 0)
    if stack is not None:
        yield from _stack(picture, stack, place)
    elif piece is not None and not fills:
        radius = piece.radius - 2
        yield Shape(circle=(0, 0, radius), fill=piece.fill, stroke=INK, width=3)
        if mark:
            yield Shape(circle=(0, 0, radius - 5), stroke=mark, width=6)
    if stack is not None and text is not None:
        yield Shape(text=text, at=(0, place.size[1] // 2 + 20), size=30, fill="#ffffff")
        return
    written = text if text is not None else symbol if piece is not None else ""
    if piece is not None and piece.text is not None and text is None:
        written = piece.text
    if written.strip():
        ink = piece.ink if piece is not None else INK
        yield Shape(text=written, size=38 if len(written) < 3 else 28, fill=ink)


def _stack(picture: Picture, stack: str, place: CellPlace) -> Iterator[Shape]:
    """Yield the pieces of a cell that holds several, spread from the middle outwards."""
    across, down = (side / 2 for side in place.size)
    radius = 9 if len(stack) < 20 else 6
    for index, symbol in enumerate(stack):
        share = math.sqrt((index + 0.35) / max(len(stack), 6))
        angle = 2.39996 * index  # the golden angle, as in a sunflower
        x = round(share * (across - radius - 5) * math.cos(angle))
        y = round(share * (down - radius - 5) * math.sin(angle))
        piece = picture.pieces[symbol]
        yield Shape(circle=(x, y, radius), fill=piece.fill, stroke=INK, width=2)


def _rounded(across: int, down: int, radius: int) -> tuple[int, ...]:
    """Return a rectangle of twice this width and height around (0, 0), with rounded corners."""
    radius = min(radius, across, down)
    points = []
    for corner, (x, y) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        for step in range(CORNERS + 1):
            angle = math.pi / 2 * (corner + step / CORNERS)
            points.append(round(x * (across - radius) + radius * math.cos(angle)))
            points.append(round(y * (down - radius) + radius * math.sin(angle)))
    return tuple(points)


def _moved(points: tuple[int, ...], x: int, y: int) -> tuple[int, ...]:
    return tuple(place + (y if index % 2 else x) for index, place in enumerate(points))


def _name(x: int, y: int, text: str) -> Shape:
    return Shape(text=text, at=(x, y), size=NAME_SIZE, fill=FAINT)
