"""Pictures of positions as SVG documents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.sax.saxutils import escape

from plyboard.games.drawing import Drawing, Shape, drawing_of
from plyboard.games.picture import TERRITORY, Cell, Picture, draw

UNIT = 100
EDGE = 50
NOTE = 36


def draw_svg(picture: Picture) -> str:
    """Return the board as an SVG document that is readable without colours, too."""
    drawing = drawing_of(picture)
    if drawing is not None:
        return _drawn_svg(picture, drawing)
    columns, rows = len(picture.rows[0]), len(picture.rows)
    left = EDGE + (NOTE if picture.row_names else 0)
    width = left + columns * UNIT + EDGE
    height = EDGE + NOTE + rows * UNIT + EDGE + NOTE * len(picture.notes)
    return _document(picture, width, height, _svg_parts(picture, left, EDGE + NOTE))


def _document(picture: Picture, width: int, height: int, parts: Iterable[str]) -> str:
    title = escape("; ".join(picture.notes) or "board")
    body = "\n".join(parts)
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


def _drawn_svg(picture: Picture, drawing: Drawing) -> str:
    """Return a board of shapes as an SVG document."""
    parts = [_svg_shape(shape) for shape in (*drawing.back, *drawing.names)]
    for cell, place in drawing.places.items():
        shapes = "".join(map(_svg_shape, drawing.look(picture, cell)))
        parts.append(f'<g transform="translate({place.x} {place.y})">{shapes}</g>')
    for index, note in enumerate(picture.notes):
        parts.append(_label(drawing.width // 2, drawing.height + NOTE * index + NOTE // 2, note))
    height = drawing.height + NOTE * len(picture.notes)
    return _document(picture, drawing.width, height, parts)


def _svg_shape(shape: Shape) -> str:
    if shape.text:
        return (
            f'<text x="{shape.at[0]}" y="{shape.at[1]}" dy=".35em" font-size="{shape.size}" '
            f'font-weight="bold" fill="{shape.fill}">{escape(shape.text)}</text>'
        )
    colours = f'fill="{shape.fill or "none"}"'
    if shape.stroke:
        colours += f' stroke="{shape.stroke}" stroke-width="{shape.width}" stroke-linejoin="round"'
    if shape.circle is not None:
        x, y, radius = shape.circle
        return f'<circle cx="{x}" cy="{y}" r="{radius}" {colours}/>'
    tag = "polygon" if shape.fill else "polyline"
    return f'<{tag} points="{" ".join(map(str, shape.points))}" {colours}/>'


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
