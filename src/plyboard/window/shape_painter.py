"""Draws boards of shapes on a canvas: hexagons, pits, dots and edges."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Iterable

from plyboard.games.drawing import UNIT, Drawing, Shape
from plyboard.games.picture import Cell, Picture
from plyboard.window import sprites
from plyboard.window.layout import BoardLayout
from plyboard.window.style import WindowStyle

SMALLEST_TEXT = 7  # pixels
Image = Callable[[tuple[object, ...], Callable[[], sprites.Pixels]], tk.PhotoImage]


class ShapePainter:
    """Draws the shapes of one board at its place. Circles are images, which have smooth edges."""

    def __init__(
        self, canvas: tk.Canvas, style: WindowStyle, layout: BoardLayout, image: Image
    ) -> None:
        self._canvas, self._style, self._layout, self._image = canvas, style, layout, image
        self._scale = layout.cell / UNIT

    def paint(self, picture: Picture, drawing: Drawing) -> None:
        """Draw a board with its pieces and names."""
        left, top = self._layout.left, self._layout.top
        self._shapes((*drawing.back, *drawing.names), left, top)
        for cell in drawing.places:
            self._shapes(drawing.look(picture, cell), *self._layout.centre(cell.column, cell.row))

    def outline(self, drawing: Drawing, cell: Cell, colour: str, tag: str = "") -> None:
        """Draw a line around a cell."""
        place = drawing.places.get(cell)
        if place is not None:
            x, y = self._layout.centre(cell.column, cell.row)
            self._canvas.create_polygon(
                self._points(place.outline, x, y), fill="", outline=colour, tags=tag,
                width=max(2, round(7 * self._scale)), joinstyle="round",
            )  # fmt: skip

    def _shapes(self, shapes: Iterable[Shape], x: float, y: float) -> None:
        for shape in shapes:
            if shape.text:
                self._text(shape, x, y)
            elif shape.circle is not None:
                self._circle(shape, shape.circle, x, y)
            elif shape.fill:
                self._canvas.create_polygon(
                    self._points(shape.points, x, y), fill=shape.fill, outline=shape.stroke,
                    width=self._width(shape), joinstyle="round",
                )  # fmt: skip
            else:
                self._canvas.create_line(
                    self._points(shape.points, x, y), fill=shape.stroke, width=self._width(shape),
                    joinstyle="round",
                )  # fmt: skip

    def _width(self, shape: Shape) -> int:
        return max(1, round(shape.width * self._scale)) if shape.width else 0

    def _points(self, points: tuple[int, ...], x: float, y: float) -> list[float]:
        return [(y if index % 2 else x) + each * self._scale for index, each in enumerate(points)]

    def _circle(self, shape: Shape, circle: tuple[int, int, int], x: float, y: float) -> None:
        across, down, radius = (each * self._scale for each in circle)
        edge = shape.width * self._scale if shape.stroke else 0
        if shape.fill:
            for size, colour in (
                (radius + edge / 2, shape.stroke),
                (radius - edge / 2, shape.fill),
            ):
                if colour:
                    self._disc(round(2 * size), colour, x + across, y + down)
        else:
            box = (x + across - radius, y + down - radius, x + across + radius, y + down + radius)
            self._canvas.create_oval(box, outline=shape.stroke, width=self._width(shape))

    def _disc(self, size: int, colour: str, x: float, y: float) -> None:
        size = max(size, 2)
        image = self._image(("plain", size, colour), lambda: sprites.plain_disc(size, colour))
        self._canvas.create_image(
            round(x - size / 2), round(y - size / 2), image=image, anchor="nw"
        )

    def _text(self, shape: Shape, x: float, y: float) -> None:
        size = max(SMALLEST_TEXT, round(shape.size * self._scale))
        self._canvas.create_text(
            x + shape.at[0] * self._scale, y + shape.at[1] * self._scale, text=shape.text,
            fill=shape.fill, font=self._style.pixel_font(size, bold=True),
        )  # fmt: skip
