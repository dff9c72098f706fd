"""Pictures of positions, and their drawing as text or SVG."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from html import escape
from typing import NamedTuple


class Cell(NamedTuple):
    """A place on the board; row 0 is the top one."""

    row: int
    column: int


@dataclass(frozen=True)
class Piece:
    """The look of a symbol: its player, fill colour, letter colour and size."""

    player: int
    fill: str
    ink: str
    radius: int = 40


# By player, in all games: the first is white and the second dark, which every eye can tell apart.
COLOURS = (("#ffffff", "#222222"), ("#222222", "#ffffff"))  # the fill, and the letter on it
TERRITORY = ("#d8d0c0", "#6f6a62")


def piece_of(player: int, radius: int = 40) -> Piece:
    """Return the piece of a player, in the colours that this player has in every game."""
    return Piece(player, *COLOURS[player], radius)


@dataclass(frozen=True)
class Picture:
    """A board of symbols, top row first, with highlights."""

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

    def with_last(self, cells: frozenset[Cell]) -> Picture:
        """Return this picture with the cells of the last move marked."""
        return replace(self, last=cells)

    def cells(self) -> Iterator[tuple[Cell, str]]:
        """Yield each cell with its symbol."""
        for row, symbols in enumerate(self.rows):
            for column, symbol in enumerate(symbols):
                yield Cell(row, column), symbol


def changed_cells(before: Picture, after: Picture) -> frozenset[Cell]:
    """Return the cells whose symbols differ."""
    old = dict(before.cells())
    return frozenset(cell for cell, symbol in after.cells() if old.get(cell) != symbol)


def filled_cells(before: Picture, after: Picture) -> frozenset[Cell]:
    """Return the cells that were empty and hold a piece now."""
    old, pieces = dict(before.cells()), after.pieces
    return frozenset(
        cell for cell, symbol in after.cells() if symbol in pieces and old.get(cell) not in pieces
    )


def draw(picture: Picture) -> str:
    """Return the board as plain text: the column names, then the rows."""
    width = max(len(name) for name in picture.column_names)
    margin = max((len(name) for name in picture.row_names), default=0)
    lines = [_text_row(picture.column_names, width, " " * margin)]
    for row, symbols in enumerate(picture.rows):
        name = picture.row_names[row].rjust(margin) if margin else ""
        lines.append(_text_row(tuple(symbols), width, name))
    return "\n".join(lines)


def _text_row(cells: tuple[str, ...], width: int, name: str) -> str:
    body = " ".join(cell.rjust(width) for cell in cells)
    return f"{name} {body}" if name else body


UNIT = 100
EDGE = 50
NOTE = 36


def draw_svg(picture: Picture) -> str:
    """Return the board as an SVG document that is readable without colours, too."""
    columns, rows = len(picture.rows[0]), len(picture.rows)
    left = EDGE + (NOTE if picture.row_names else 0)
    width = left + columns * UNIT + EDGE
    height = EDGE + NOTE + rows * UNIT + EDGE + NOTE * len(picture.notes)
    title = escape("; ".join(picture.notes) or "board")
    body = "\n".join(_svg_parts(picture, left, EDGE + NOTE))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        f'width="{width // 2}" height="{height // 2}" '
        f'font-family="DejaVu Sans, Verdana, sans-serif" text-anchor="middle">\n'
        f"<title>{title}</title>\n<desc>{escape(draw(picture))}</desc>\n"
        f'<rect width="{width}" height="{height}" fill="#fbfaf7"/>\n{body}\n</svg>\n'
    )


def _svg_parts(picture: Picture, left: int, top: int) -> Iterator[str]:
    columns, rows = len(picture.rows[0]), len(picture.rows)
    for column, name in enumerate(picture.column_names):
        yield _label(left + column * UNIT + UNIT // 2, top - 22, name)
    for row, name in enumerate(picture.row_names):
        yield _label(left - 30, top + row * UNIT + UNIT // 2 + 12, name)
    yield (
        f'<rect x="{left - 10}" y="{top - 10}" width="{columns * UNIT + 20}" '
        f'height="{rows * UNIT + 20}" rx="18" fill="{picture.ground}"/>'
    )
    for cell, symbol in picture.cells():
        x = left + cell.column * UNIT + UNIT // 2
        y = top + cell.row * UNIT + UNIT // 2
        yield from _svg_cell(picture, cell, symbol, x, y)
    for index, note in enumerate(picture.notes):
        y = top + rows * UNIT + EDGE + NOTE * index
        yield _label(left + columns * UNIT // 2, y, note)


def _label(x: int, y: int, text: str) -> str:
    return f'<text x="{x}" y="{y}" font-size="30" fill="#333">{escape(text)}</text>'


def _svg_cell(picture: Picture, cell: Cell, symbol: str, x: int, y: int) -> Iterator[str]:
    owner = picture.territory.get(cell)
    if owner is not None:
        yield from _svg_territory(owner, x, y)
    piece = picture.pieces.get(symbol)
    if piece is None:
        if owner is None:
            yield f'<circle cx="{x}" cy="{y}" r="40" fill="{picture.hole}"/>'
        yield from _svg_last(picture, cell, x, y)
        return
    yield (
        f'<circle cx="{x}" cy="{y}" r="{piece.radius}" fill="{piece.fill}" '
        f'stroke="#222" stroke-width="2"/>'
    )
    size = piece.radius
    yield (
        f'<text x="{x}" y="{y + size * 2 // 5}" font-size="{size * 6 // 5}" '
        f'font-weight="bold" fill="{piece.ink}">{escape(symbol)}</text>'
    )
    if cell in picture.line:
        yield f'<circle cx="{x}" cy="{y}" r="44" fill="none" stroke="#111" stroke-width="9"/>'
        yield f'<circle cx="{x}" cy="{y}" r="44" fill="none" stroke="#7CFC9A" stroke-width="5"/>'
    yield from _svg_last(picture, cell, x, y)


def _svg_last(picture: Picture, cell: Cell, x: int, y: int) -> Iterator[str]:
    if cell in picture.last:
        yield (
            f'<circle cx="{x}" cy="{y}" r="47" fill="none" stroke="#fff" '
            f'stroke-width="4" stroke-dasharray="8 6"/>'
        )


def _svg_territory(owner: int, x: int, y: int) -> Iterator[str]:
    """Hatch territory: rising to the right for the first player, falling for the second."""
    yield (f'<rect x="{x - 48}" y="{y - 48}" width="96" height="96" fill="{TERRITORY[owner]}"/>')
    for offset in (-48, 0, 48):
        low, high = (y + 48, y - 48) if owner == 0 else (y - 48, y + 48)
        start, end = max(x - 48, x - 48 + offset), min(x + 48, x + 48 + offset)
        sign = 1 if owner == 0 else -1
        begin = low - sign * (start - (x - 48 + offset))
        stop = high + sign * (x + 48 + offset - end)
        yield (
            f'<line x1="{start}" y1="{begin}" x2="{end}" y2="{stop}" '
            f'stroke="#0006" stroke-width="4"/>'
        )
