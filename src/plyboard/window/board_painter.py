"""Draws a board on a canvas, from behind to the front."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from plyboard.games.board_input import Path, Target
from plyboard.games.drawing import Drawing
from plyboard.games.picture import TERRITORY, Cell, Picture
from plyboard.window import sprites
from plyboard.window.layout import BoardLayout
from plyboard.window.motion import MovingPiece
from plyboard.window.shape_painter import ShapePainter
from plyboard.window.style import ACCENT, GLOW, INK, LINE, MUTED, OUTLINE, WindowStyle

SMALLEST_LETTERS = 10  # pixels
LARGEST_LETTERS = 17  # units
LINE_TAG = "line"


@dataclass(frozen=True)
class Ghost:
    """The piece that a move would bring, and where it would lie; no cells if nobody knows."""

    symbol: str
    cells: frozenset[Cell]


@dataclass(frozen=True)
class HintMark:
    """A suggested move: its target, and the cells that it fills."""

    target: Target | None
    cells: frozenset[Cell]


@dataclass(frozen=True)
class Scene:
    """What is drawn: a picture, the mouse or the keys over it, and pieces on their way."""

    picture: Picture
    layout: BoardLayout
    is_by_column: bool  # whether a whole column is clicked
    cursor: Cell | None = None
    has_key_cursor: bool = False
    ghost: Ghost | None = None  # of the move under the cursor
    hint: HintMark | None = None
    line: tuple[Cell, ...] = ()  # the marked cells of a line
    shade: Callable[[Cell], float] = lambda _: 0.0  # how much lighter or darker a cell is
    path: Path = ()  # the cells clicked for a move
    open: frozenset[Cell] = frozenset()  # where such a move begins or goes on


class BoardPainter:
    """Draws scenes. Images are made once for each size and colour."""

    def __init__(self, canvas: tk.Canvas, style: WindowStyle) -> None:
        self._canvas, self._style = canvas, style
        self._images = dict[tuple[object, ...], tk.PhotoImage]()
        self._drawn_for: tuple[int, str, str] | None = None  # size and colours of the images
        self._moving: list[tuple[int, int]] = []  # discs and letters of pieces on their way

    def paint(self, scene: Scene, moving: Sequence[tuple[MovingPiece, float]] = ()) -> None:
        """Draw a scene. Pieces on their way are drawn instead of those of the picture."""
        picture, layout = scene.picture, scene.layout
        key = layout.cell, picture.ground, picture.hole
        if key != self._drawn_for:
            self._images.clear()
            self._drawn_for = key
        self._canvas.delete("all")
        if layout.drawing is not None:
            self._paint_shapes(scene, layout.drawing)
            return
        self._paint_frame(scene)
        self._moving = [
            self._paint_piece(scene, piece.symbol, piece.column, row) for piece, row in moving
        ]
        if not moving:
            self._paint_pieces(scene)
        self._paint_front(scene)
        self._paint_names(scene)
        if not moving:
            self._paint_last(scene)
            self.mark_line(scene)
            self._paint_path(scene)
            self._paint_hint(scene)
            self._paint_ghost_in_hand(scene)
        self._paint_cursor(scene)

    def _paint_shapes(self, scene: Scene, drawing: Drawing) -> None:
        """Draw a board of shapes: the hint, and the cell of a possible move, have outlines."""
        shapes = ShapePainter(self._canvas, self._style, scene.layout, self._image)
        shapes.paint(scene.picture, drawing)
        self._paint_notes(scene)
        for cell in scene.hint.cells if scene.hint is not None else ():
            shapes.outline(drawing, cell, GLOW)
        if scene.cursor is not None and (scene.ghost is not None or scene.has_key_cursor):
            shapes.outline(drawing, scene.cursor, ACCENT)

    def move(self, layout: BoardLayout, moving: Sequence[tuple[MovingPiece, float]]) -> None:
        """Move the pieces on their way to where they are now."""
        for (piece, row), (disc, letter) in zip(moving, self._moving, strict=False):
            if piece.start != piece.end:
                x, y = layout.centre(piece.column, row)
                half = layout.cell / 2
                self._canvas.coords(disc, round(x - half), round(y - half))
                self._canvas.coords(letter, x, y)

    def mark_line(self, scene: Scene) -> None:
        """Mark the cells of a line, and only those."""
        if scene.layout.drawing is not None:  # its marks are part of the shapes
            return
        cell = scene.layout.cell
        self._canvas.delete(LINE_TAG)
        image = self._image(("line",), lambda: sprites.ring(cell, 0.41, 0.075, LINE, OUTLINE))
        for each in scene.line:
            self._put(scene, image, each, LINE_TAG)

    def _paint_frame(self, scene: Scene) -> None:
        canvas, layout, ground = self._canvas, scene.layout, scene.picture.ground
        edge = layout.frame
        left, top = layout.left - edge, layout.top - edge
        right, bottom = layout.right + edge, layout.bottom + edge
        image = self._image(("corner", ground), lambda: sprites.plain_disc(2 * edge, ground))
        for x in (left, right - 2 * edge):
            for y in (top, bottom - 2 * edge):
                canvas.create_image(x, y, image=image, anchor="nw")
        canvas.create_rectangle(left + edge, top, right - edge, bottom, fill=ground, width=0)
        canvas.create_rectangle(left, top + edge, right, bottom - edge, fill=ground, width=0)
        behind = self._image(("hole",), lambda: sprites.hole(layout.cell, scene.picture.hole))
        for cell, _ in scene.picture.cells():
            owner = scene.picture.territory.get(cell)
            self._put(scene, behind if owner is None else self._territory(owner, layout), cell)

    def _territory(self, owner: int, layout: BoardLayout) -> tk.PhotoImage:
        return self._image(
            ("territory", owner),
            lambda: sprites.hatched(layout.cell, TERRITORY[owner], "#000000", rises=owner == 0),
        )

    def _paint_pieces(self, scene: Scene) -> None:
        picture, ghost = scene.picture, scene.ghost
        for cell, symbol in picture.cells():
            if symbol in picture.pieces:
                self._paint_piece(scene, symbol, cell.column, cell.row)
        if ghost is not None and ghost.symbol in picture.pieces:
            for cell in ghost.cells:
                self._paint_piece(scene, ghost.symbol, cell.column, cell.row, opacity=0.42)

    def _paint_piece(
        self, scene: Scene, symbol: str, column: int, row: float, opacity: float = 1.0
    ) -> tuple[int, int]:
        """Draw a piece with its letter, and return both items."""
        layout, piece = scene.layout, scene.picture.pieces[symbol]
        radius = piece.radius / 100 * 1.06  # a disc is a little larger than the hole
        image = self._image(
            ("disc", piece.fill, piece.radius, opacity),
            lambda: sprites.disc(layout.cell, piece.fill, radius, opacity),
        )
        x, y = layout.centre(column, row)
        half = layout.cell / 2
        disc = self._canvas.create_image(round(x - half), round(y - half), image=image, anchor="nw")
        ink = piece.ink if opacity == 1.0 else sprites.mixed(piece.ink, scene.picture.hole, 0.5)
        letter = self._canvas.create_text(
            x, y, text=symbol, fill=ink,
            font=self._style.pixel_font(round(radius * layout.cell * 0.78), bold=True),
        )  # fmt: skip
        return disc, letter

    def _paint_front(self, scene: Scene) -> None:
        """Draw the board in front of its pieces; the column or cell of the cursor is lit."""
        size = scene.layout.cell
        for cell, _ in scene.picture.cells():
            if cell in scene.picture.territory:
                continue
            ground, shade = scene.picture.ground, scene.shade(cell)
            if shade:
                ground = sprites.mixed(ground, "#ffffff" if shade > 0 else "#000000", abs(shade))
            image = self._image(("front", ground), partial(sprites.front, size, ground))
            self._put(scene, image, cell)

    def _paint_ghost_in_hand(self, scene: Scene) -> None:
        ghost, cursor = scene.ghost, scene.cursor
        if ghost is None or cursor is None or not scene.layout.has_hand:
            return
        if ghost.symbol in scene.picture.pieces:
            self._paint_piece(scene, ghost.symbol, cursor.column, -1)
        else:
            self._paint_chevron(scene, cursor.column, MUTED)

    def _paint_chevron(self, scene: Scene, column: int, fill: str) -> None:
        layout = scene.layout
        x, y = layout.centre(column, -1)
        size = layout.cell * 0.16
        self._canvas.create_line(
            [(x - size, y - size / 2), (x, y + size / 2), (x + size, y - size / 2)],
            fill=fill, width=max(2, layout.cell // 14), capstyle="round", joinstyle="round",
        )  # fmt: skip

    def _paint_last(self, scene: Scene) -> None:
        cell = scene.layout.cell
        image = self._image(("last",), lambda: sprites.ring(cell, 0.4, 0.045, GLOW))
        for each in scene.picture.last - scene.picture.line:
            self._put(scene, image, each)

    def _paint_path(self, scene: Scene) -> None:
        """Mark the cells clicked with a thick ring, those where the move can go on with a dot."""
        cell, begins = scene.layout.cell, not scene.path
        chosen = self._image(("chosen",), lambda: sprites.ring(cell, 0.42, 0.08, ACCENT, OUTLINE))
        can_move = self._image(("source",), lambda: sprites.ring(cell, 0.44, 0.025, ACCENT))
        dot = self._image(("target",), lambda: sprites.ring(cell, 0.06, 0.2, ACCENT, OUTLINE))
        for each in scene.path:
            self._put(scene, chosen, each)
        for each in scene.open:
            self._put(scene, can_move if begins else dot, each)

    def _paint_hint(self, scene: Scene) -> None:
        hint, cell = scene.hint, scene.layout.cell
        if hint is None:
            return
        image = self._image(("hint",), lambda: sprites.ring(cell, 0.34, 0.07, GLOW, OUTLINE))
        for each in hint.cells:
            self._put(scene, image, each)
        if hint.target is not None and scene.layout.has_hand:
            self._paint_chevron(scene, hint.target.column, ACCENT)

    def _paint_cursor(self, scene: Scene) -> None:
        """Outline the cursor of the keyboard."""
        layout, cursor = scene.layout, scene.cursor
        if cursor is None or not scene.has_key_cursor:
            return
        half, edge = layout.cell / 2, max(2, layout.cell // 22)
        x, y = layout.centre(cursor.column, cursor.row)
        top, bottom = y - half, y + half
        if scene.is_by_column:
            top, bottom = layout.top, layout.bottom
        self._canvas.create_rectangle(
            x - half + edge, top + edge, x + half - edge, bottom - edge, outline=GLOW, width=edge
        )

    def _paint_names(self, scene: Scene) -> None:
        picture, layout = scene.picture, scene.layout
        largest = self._style.px(LARGEST_LETTERS)
        size = min(largest, max(SMALLEST_LETTERS, round(layout.cell * 0.24)))
        font = self._style.pixel_font(size)
        for column, name in enumerate(picture.column_names):
            x, _ = layout.centre(column, 0)
            self._canvas.create_text(x, layout.names_at, text=name, fill=MUTED, font=font)
        for row, name in enumerate(picture.row_names):
            _, y = layout.centre(0, row)
            self._canvas.create_text(layout.row_names_at, y, text=name, fill=MUTED, font=font)
        self._paint_notes(scene)

    def _paint_notes(self, scene: Scene) -> None:
        layout = scene.layout
        largest = self._style.px(LARGEST_LETTERS)
        font = self._style.pixel_font(
            min(largest, max(SMALLEST_LETTERS, round(layout.cell * 0.24)))
        )
        for index, note in enumerate(scene.picture.notes):
            middle = (layout.left + layout.right) / 2
            self._canvas.create_text(middle, layout.note_at(index), text=note, fill=INK, font=font)

    def _put(self, scene: Scene, image: tk.PhotoImage, cell: Cell, tag: str = "") -> None:
        x, y = scene.layout.centre(cell.column, cell.row)
        half = scene.layout.cell / 2
        self._canvas.create_image(
            round(x - half), round(y - half), image=image, anchor="nw", tags=tag
        )

    def _image(self, key: tuple[object, ...], draw: Callable[[], sprites.Pixels]) -> tk.PhotoImage:
        """Return an image at the current size, drawn once."""
        image = self._images.get(key)
        if image is None:
            image = tk.PhotoImage(master=self._canvas, data=sprites.png(draw()))
            self._images[key] = image
        return image
