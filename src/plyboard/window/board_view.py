"""A board on a canvas: draws a picture, moves its pieces, and turns clicks into cells."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from plyboard.games.board_input import BoardInput, BoardMove, Target
from plyboard.games.game import Modifier
from plyboard.games.picture import TERRITORY, Cell, Picture
from plyboard.window import sprites
from plyboard.window.layout import BoardLayout
from plyboard.window.motion import Motion, lit_cells, motions
from plyboard.window.style import (
    ACCENT,
    BACKGROUND,
    GLOW,
    INK,
    LINE,
    MUTED,
    OUTLINE,
    WindowStyle,
)

FRAME_PAUSE = 15  # milliseconds between two drawings of something that moves
SHIFT, CONTROL = 0x1, 0x4
SMALLEST_LETTERS = 10  # pixels
LARGEST_LETTERS = 17  # units
LIT, DIM = 0.16, 0.14  # how much lighter or darker a column gets


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


Preview = Callable[[Cell, frozenset[Modifier]], Ghost | None]
"""Returns the ghost for a click on a cell; None if that is not a legal move."""
Choose = Callable[[Cell, frozenset[Modifier]], None]
"""Called for a click on a cell, with the modifiers of the keys held."""


class BoardView:
    """Draws one picture at a time. Columns and cells light under the mouse and dim when pressed."""

    def __init__(
        self,
        parent: tk.Misc,
        style: WindowStyle,
        preview: Preview,
        choose: Choose,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.style, self.now = style, now
        self._preview, self._choose = preview, choose
        self.canvas = tk.Canvas(
            parent, background=BACKGROUND, highlightthickness=style.px(2), borderwidth=0,
            highlightcolor=BACKGROUND, highlightbackground=BACKGROUND, takefocus=True,
        )  # fmt: skip
        self.picture: Picture | None = None
        self.input = BoardInput((), frozenset())
        self.hint: HintMark | None = None
        self.can_play = False  # whether a click would be a move of a person
        self.layout: BoardLayout | None = None
        self.cursor: Cell | None = None  # under the mouse, or chosen by keys
        self.has_key_cursor = False
        self._pressed: Cell | None = None
        self._held: frozenset[Modifier] = frozenset()
        self._chosen: frozenset[Modifier] = frozenset()
        self._queue: list[tuple[Motion, Picture]] = []  # with the picture that it leads to
        self._next: tuple[Picture, BoardInput] | None = None
        self._moving: tuple[Motion, float, list[tuple[int, int]]] | None = None
        self._line_since = self.now()
        self._after: str | None = None
        self._drawn_for: tuple[int, str, str] | None = None  # size and colours of the images
        self._images = dict[tuple[object, ...], tk.PhotoImage]()
        self._bind()

    # ------------------------------------------------------------------ what is shown

    @property
    def is_moving(self) -> bool:
        """Whether pieces are on their way."""
        return bool(self._queue) or self._moving is not None

    def show(
        self, picture: Picture, board_input: BoardInput, played: BoardMove | None = None
    ) -> None:
        """Show a picture at once, or after its pieces have moved there by a move."""
        last = self._next[0] if self._next is not None else self.picture
        found: tuple[Motion, ...] = ()
        if played is not None and last is not None:
            found = motions(last, picture, _turns_of(played))
        if not found or self.layout is None:  # nothing moves on a board that was never drawn
            self._stop_moving()
            self._set(picture, board_input)
            return
        self.hint = None
        self._queue += [(motion, picture) for motion in found]
        self._next = picture, board_input
        if self._moving is None:
            self._move_on()

    def show_hint(self, hint: HintMark | None) -> None:
        """Mark a suggested move, or none."""
        self.hint = hint
        self.redraw()

    def set_can_play(self, can_play: bool) -> None:
        """Set whether a click would be a move; the ghost is only shown then."""
        if can_play != self.can_play:
            self.can_play = can_play
            self.redraw()

    def set_modifiers(self, modifiers: frozenset[Modifier]) -> None:
        """Set the modifiers that are switched on, for the ghost."""
        if modifiers != self._chosen:
            self._chosen = modifiers
            self.redraw()

    def move_cursor(self, rows: int, columns: int) -> None:
        """Move the cursor of the keyboard; it wraps at the edges."""
        if self.picture is None:
            return
        height, width = len(self.picture.rows), len(self.picture.rows[0])
        if self.cursor is None:
            start = Cell((height - 1) // 2, (width - 1) // 2)
        else:
            start = Cell((self.cursor.row + rows) % height, (self.cursor.column + columns) % width)
        self.cursor, self.has_key_cursor = start, True
        self.redraw()

    def close(self) -> None:
        """Stop all motion."""
        if self._after is not None:
            self.canvas.after_cancel(self._after)
            self._after = None

    def _set(self, picture: Picture, board_input: BoardInput) -> None:
        if self.picture is None or picture.line != self.picture.line:
            self._line_since = self.now()
        self.picture, self.input = picture, board_input
        self.hint = None
        self.redraw()
        if picture.line:
            self._schedule()

    def _stop_moving(self) -> None:
        self._queue.clear()
        self._next = self._moving = None

    def _move_on(self) -> None:
        """Begin the next motion, or show the picture that all of them led to."""
        while self._queue:
            motion, _ = self._queue.pop(0)
            if motion.seconds > 0:
                self._moving = motion, self.now(), []
                self.redraw()
                self._schedule()
                return
        self._moving = None
        if self._next is not None:
            (picture, board_input), self._next = self._next, None
            self._set(picture, board_input)

    # ------------------------------------------------------------------ time

    def _schedule(self) -> None:
        if self._after is None:
            self._after = self.canvas.after(FRAME_PAUSE, self._tick)

    def _tick(self) -> None:
        self._after = None
        if self._moving is not None:
            self._move_pieces()
        elif self.picture is not None and self.picture.line:
            self._mark_line()
            if len(self._lit()) < len(self.picture.line):
                self._schedule()

    def _move_pieces(self) -> None:
        assert self._moving is not None
        assert self.layout is not None
        motion, began, items = self._moving
        share = min(1.0, (self.now() - began) / motion.seconds)
        if share >= 1.0:
            self._move_on()
            return
        for piece, (image, text) in zip(motion.pieces, items, strict=False):
            if piece.start != piece.end:
                x, y = self.layout.centre(piece.column, motion.row(piece, share))
                half = self.layout.cell / 2
                self.canvas.coords(image, round(x - half), round(y - half))
                self.canvas.coords(text, x, y)
        self._schedule()

    def _lit(self) -> tuple[Cell, ...]:
        assert self.picture is not None
        return lit_cells(sorted(self.picture.line), self.now() - self._line_since)

    # ------------------------------------------------------------------ input

    def _bind(self) -> None:
        canvas = self.canvas
        canvas.bind("<Configure>", lambda _: self.redraw())
        canvas.bind("<Motion>", self._on_motion)
        canvas.bind("<Leave>", self._on_leave)
        for button in (1, 2, 3):
            canvas.bind(f"<ButtonPress-{button}>", self._on_press)
            canvas.bind(f"<ButtonRelease-{button}>", self._on_release)
        canvas.bind("<<TraverseIn>>", lambda _: self.move_cursor(0, 0))  # shows the focus

    def _on_motion(self, event: tk.Event[tk.Canvas]) -> None:
        cell = None if self.layout is None else self.layout.cell_at(event.x, event.y)
        held = self._modifiers_of(event, 1)
        if (cell, held) != (self.cursor, self._held) or self.has_key_cursor:
            self.cursor, self._held, self.has_key_cursor = cell, held, False
            self.redraw()

    def _on_leave(self, _: tk.Event[tk.Canvas]) -> None:
        self.cursor = self._pressed = None
        self.redraw()

    def _on_press(self, event: tk.Event[tk.Canvas]) -> None:
        self.canvas.focus_set()
        self._pressed = None if self.layout is None else self.layout.cell_at(event.x, event.y)
        self.redraw()

    def _on_release(self, event: tk.Event[tk.Canvas]) -> None:
        cell = None if self.layout is None else self.layout.cell_at(event.x, event.y)
        pressed, self._pressed = self._pressed, None
        self.redraw()
        if cell is not None and pressed is not None and self._is_same(cell, pressed):
            self._choose(cell, self._modifiers_of(event, int(event.num)))

    def _modifiers_of(self, event: tk.Event[tk.Canvas], button: int) -> frozenset[Modifier]:
        """Return the modifiers of the keys held: Shift for those before, Control for those after.

        The middle and the right button mean those after, too.
        """
        state = event.state if isinstance(event.state, int) else 0
        has_shift, has_control = bool(state & SHIFT), bool(state & CONTROL) or button > 1
        return frozenset(
            each for each in self.input.modifiers if (has_shift if each.is_before else has_control)
        )

    def _is_same(self, cell: Cell, other: Cell) -> bool:
        return cell == other or (self.input.is_by_column and cell.column == other.column)

    # ------------------------------------------------------------------ drawing

    def redraw(self) -> None:
        """Draw everything again."""
        picture, canvas = self.picture, self.canvas
        width, height = canvas.winfo_width(), canvas.winfo_height()
        if picture is None or width < 2 or height < 2:
            return
        layout = BoardLayout.of(width, height, picture, has_hand=self.input.is_by_column)
        key = layout.cell, picture.ground, picture.hole
        if key != self._drawn_for:
            self._images.clear()
            self._drawn_for = key
        self.layout = layout
        canvas.delete("all")
        self._draw_frame(picture, layout)
        self._draw_pieces(picture, layout)
        self._draw_front(picture, layout)
        self._draw_names(picture, layout)
        if self._moving is None:
            self._draw_last(picture, layout)
            self._mark_line()
            self._draw_hint(layout)
            self._draw_ghost_in_hand(layout)
        self._draw_cursor(layout)

    def _draw_frame(self, picture: Picture, layout: BoardLayout) -> None:
        canvas, edge, ground = self.canvas, layout.frame, picture.ground
        left, top = layout.left - edge, layout.top - edge
        right, bottom = layout.right + edge, layout.bottom + edge
        image = self._image(("corner", ground), lambda: sprites.plain_disc(2 * edge, ground))
        for x in (left, right - 2 * edge):
            for y in (top, bottom - 2 * edge):
                canvas.create_image(x, y, image=image, anchor="nw")
        canvas.create_rectangle(left + edge, top, right - edge, bottom, fill=ground, width=0)
        canvas.create_rectangle(left, top + edge, right, bottom - edge, fill=ground, width=0)
        behind = self._image(("hole",), lambda: sprites.hole(layout.cell, picture.hole))
        for cell, _ in picture.cells():
            owner = picture.territory.get(cell)
            self._put(behind if owner is None else self._territory(owner, layout), cell)

    def _territory(self, owner: int, layout: BoardLayout) -> tk.PhotoImage:
        return self._image(
            ("territory", owner),
            lambda: sprites.hatched(layout.cell, TERRITORY[owner], "#000000", rises=owner == 0),
        )

    def _draw_pieces(self, picture: Picture, layout: BoardLayout) -> None:
        if self._moving is not None:
            motion, began, items = self._moving
            share = min(1.0, (self.now() - began) / motion.seconds)
            items[:] = [
                self._draw_piece(picture, piece.symbol, piece.column, motion.row(piece, share))
                for piece in motion.pieces
            ]
            return
        for cell, symbol in picture.cells():
            if symbol in picture.pieces:
                self._draw_piece(picture, symbol, cell.column, cell.row)
        ghost = self._ghost()
        if ghost is not None and ghost.symbol in picture.pieces:
            for cell in ghost.cells:
                self._draw_piece(picture, ghost.symbol, cell.column, cell.row, opacity=0.42)

    def _draw_piece(
        self, picture: Picture, symbol: str, column: int, row: float, opacity: float = 1.0
    ) -> tuple[int, int]:
        """Draw a piece with its letter, and return both items."""
        layout, piece = self._layout(), picture.pieces[symbol]
        radius = piece.radius / 100 * 1.06  # a disc is a little larger than the hole
        image = self._image(
            ("disc", piece.fill, piece.radius, opacity),
            lambda: sprites.disc(layout.cell, piece.fill, radius, opacity),
        )
        x, y = layout.centre(column, row)
        half = layout.cell / 2
        disc = self.canvas.create_image(round(x - half), round(y - half), image=image, anchor="nw")
        ink = piece.ink if opacity == 1.0 else sprites.mixed(piece.ink, picture.hole, 0.5)
        letter = self.canvas.create_text(
            x, y, text=symbol, fill=ink,
            font=self.style.pixel_font(round(radius * layout.cell * 0.78), bold=True),
        )  # fmt: skip
        return disc, letter

    def _draw_front(self, picture: Picture, layout: BoardLayout) -> None:
        """Draw the board in front of its pieces; the column or cell of the cursor is lit."""
        cell_size = layout.cell
        for cell, _ in picture.cells():
            if cell in picture.territory:
                continue
            shade = self._shade(cell)
            ground = picture.ground
            if shade:
                ground = sprites.mixed(ground, "#ffffff" if shade > 0 else "#000000", abs(shade))
            image = self._image(("front", ground), partial(sprites.front, cell_size, ground))
            self._put(image, cell)

    def _shade(self, cell: Cell) -> float:
        if self._pressed is not None and self._is_same(cell, self._pressed):
            return -DIM
        if self.cursor is not None and self._is_same(cell, self.cursor) and self._is_open():
            return LIT
        return 0.0

    def _is_open(self) -> bool:
        """Return whether the cursor is on a legal move of a person."""
        return self.cursor is not None and self.can_play and self._ghost() is not None

    def _ghost(self) -> Ghost | None:
        if self.cursor is None or not self.can_play or self.is_moving:
            return None
        return self._preview(self.cursor, self._held)

    def _draw_ghost_in_hand(self, layout: BoardLayout) -> None:
        ghost = self._ghost()
        if ghost is None or self.cursor is None or not layout.has_hand or self.picture is None:
            return
        if ghost.symbol in self.picture.pieces:
            self._draw_piece(self.picture, ghost.symbol, self.cursor.column, -1)
        else:
            self._draw_chevron(self.cursor.column, layout, MUTED)

    def _draw_chevron(self, column: int, layout: BoardLayout, fill: str) -> None:
        x, y = layout.centre(column, -1)
        size = layout.cell * 0.16
        self.canvas.create_line(
            [(x - size, y - size / 2), (x, y + size / 2), (x + size, y - size / 2)],
            fill=fill, width=max(2, layout.cell // 14), capstyle="round", joinstyle="round",
        )  # fmt: skip

    def _draw_last(self, picture: Picture, layout: BoardLayout) -> None:
        image = self._image(("last",), lambda: sprites.ring(layout.cell, 0.4, 0.045, GLOW))
        for cell in picture.last - picture.line:
            self._put(image, cell)

    def _mark_line(self) -> None:
        layout, picture = self.layout, self.picture
        if layout is None or picture is None:
            return
        self.canvas.delete("line")
        image = self._image(
            ("line",), lambda: sprites.ring(layout.cell, 0.41, 0.075, LINE, OUTLINE)
        )
        for cell in self._lit():
            self._put(image, cell, "line")

    def _draw_hint(self, layout: BoardLayout) -> None:
        if self.hint is None:
            return
        image = self._image(("hint",), lambda: sprites.ring(layout.cell, 0.34, 0.07, GLOW, OUTLINE))
        for cell in self.hint.cells:
            self._put(image, cell)
        if self.hint.target is not None and layout.has_hand:
            self._draw_chevron(self.hint.target.column, layout, ACCENT)

    def _draw_cursor(self, layout: BoardLayout) -> None:
        """Outline the cursor of the keyboard."""
        if self.cursor is None or not self.has_key_cursor:
            return
        half, edge = layout.cell / 2, max(2, layout.cell // 22)
        x, y = layout.centre(self.cursor.column, self.cursor.row)
        top, bottom = y - half, y + half
        if self.input.is_by_column:
            top, bottom = layout.top, layout.bottom
        self.canvas.create_rectangle(
            x - half + edge, top + edge, x + half - edge, bottom - edge, outline=GLOW, width=edge
        )

    def _draw_names(self, picture: Picture, layout: BoardLayout) -> None:
        largest = self.style.px(LARGEST_LETTERS)
        font = self.style.pixel_font(min(largest, max(SMALLEST_LETTERS, round(layout.cell * 0.24))))
        for column, name in enumerate(picture.column_names):
            x, _ = layout.centre(column, 0)
            self.canvas.create_text(x, layout.names_at, text=name, fill=MUTED, font=font)
        for row, name in enumerate(picture.row_names):
            _, y = layout.centre(0, row)
            self.canvas.create_text(layout.row_names_at, y, text=name, fill=MUTED, font=font)
        for index, note in enumerate(picture.notes):
            middle = (layout.left + layout.right) / 2
            self.canvas.create_text(middle, layout.note_at(index), text=note, fill=INK, font=font)

    def _put(self, image: tk.PhotoImage, cell: Cell, tag: str = "") -> None:
        x, y = self._layout().centre(cell.column, cell.row)
        half = self._layout().cell / 2
        left, top = round(x - half), round(y - half)
        self.canvas.create_image(left, top, image=image, anchor="nw", tags=tag)

    def _layout(self) -> BoardLayout:
        assert self.layout is not None
        return self.layout

    def _image(self, key: tuple[object, ...], draw: Callable[[], sprites.Pixels]) -> tk.PhotoImage:
        """Return an image at the current size, drawn once."""
        image = self._images.get(key)
        if image is None:
            image = tk.PhotoImage(master=self.canvas, data=sprites.png(draw()))
            self._images[key] = image
        return image


def _turns_of(move: BoardMove) -> tuple[bool, bool]:
    """Return whether a move has modifiers before and after its target."""
    places = {each.is_before for each in move.modifiers}
    return True in places, False in places
