"""A board on a canvas: shows a picture, lets its pieces move, and turns clicks into cells."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable

from plyboard.games.board_input import BoardInput, BoardMove, Path
from plyboard.games.drawing import drawing_of
from plyboard.games.game import Modifier
from plyboard.games.picture import Cell, Picture
from plyboard.window.board_motion import BoardMotion
from plyboard.window.board_painter import BoardPainter, Ghost, HintMark, Scene
from plyboard.window.layout import BoardLayout
from plyboard.window.motion import Motion, motions
from plyboard.window.style import BACKGROUND, WindowStyle

FRAME_PAUSE = 15  # milliseconds between two drawings of something that moves
SHIFT, CONTROL = 0x1, 0x4
LIT, DIM = 0.16, 0.14  # how much lighter or darker a column gets

Preview = Callable[[Cell, frozenset[Modifier]], Ghost | None]
"""Returns the ghost for a click on a cell; None if that is not a legal move."""
Choose = Callable[[Cell, frozenset[Modifier]], None]
"""Called for a click on a cell, with the modifiers of the keys held."""


class BoardView:
    """Shows one picture at a time. Columns and cells light under the mouse and dim when pressed."""

    def __init__(
        self,
        parent: tk.Misc,
        style: WindowStyle,
        preview: Preview,
        choose: Choose,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._preview, self._choose = preview, choose
        self.canvas = tk.Canvas(
            parent, background=BACKGROUND, highlightthickness=style.px(2), borderwidth=0,
            highlightcolor=BACKGROUND, highlightbackground=BACKGROUND, takefocus=True,
        )  # fmt: skip
        self.picture: Picture | None = None
        self.input = BoardInput((), frozenset())
        self.hint: HintMark | None = None
        self.can_play = False  # whether a click would be a move of a person
        self.layout: BoardLayout | None = None  # None until the board is first drawn
        self.path: Path = ()  # the cells clicked for the move that is being entered
        self.cursor: Cell | None = None  # under the mouse, or chosen by keys
        self.has_key_cursor = False
        self._painter, self._motion = BoardPainter(self.canvas, style), BoardMotion(now)
        self._pressed: Cell | None = None
        self._held: frozenset[Modifier] = frozenset()
        self._chosen: frozenset[Modifier] = frozenset()
        self._next: tuple[Picture, BoardInput] | None = None  # where the pieces are on their way
        self._after: str | None = None
        self._bind()

    # ------------------------------------------------------------------ what is shown

    @property
    def is_moving(self) -> bool:
        """Whether pieces are on their way."""
        return self._motion.is_moving

    def show(
        self, picture: Picture, board_input: BoardInput, played: BoardMove | None = None
    ) -> None:
        """Show a picture at once, or after its pieces have moved there by a move."""
        last = self._next[0] if self._next is not None else self.picture
        found: tuple[Motion, ...] = ()
        if played is not None and last is not None and drawing_of(picture) is None:
            found = motions(last, picture, _turns_of(played))
        self.hint, self._next, self.path = None, (picture, board_input), ()
        if found and self.layout is not None:  # nothing moves on a board that was never drawn
            self._motion.add(found)
        else:
            self._motion.stop()
        self._arrive()

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

    def set_path(self, path: Path) -> None:
        """Set the cells clicked so far; where the move can go on is lit."""
        if path != self.path:
            self.path = path
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

    def redraw(self) -> None:
        """Draw everything again."""
        width, height = self.canvas.winfo_width(), self.canvas.winfo_height()
        if self.picture is None or width < 2 or height < 2:
            return
        by_column = self.input.is_by_column
        self.layout = BoardLayout.of(width, height, self.picture, has_hand=by_column)
        self._painter.paint(self._scene(self.picture, self.layout), self._motion.pieces())

    def _arrive(self) -> None:
        """Show the next picture, once all pieces are there."""
        if not self._motion.is_moving and self._next is not None:
            (self.picture, self.input), self._next = self._next, None
        self.redraw()
        self._schedule()

    # ------------------------------------------------------------------ time

    def _schedule(self) -> None:
        """Draw again soon, if something moves."""
        line = self.picture.line if self.picture is not None else frozenset[Cell]()
        is_flashing = len(self._motion.lit(line)) < len(line)
        if self._after is None and (self.is_moving or is_flashing):
            self._after = self.canvas.after(FRAME_PAUSE, self._tick)

    def _tick(self) -> None:
        self._after = None
        if self.picture is None or self.layout is None:  # it has not been drawn yet
            self._schedule()
            return
        if self._motion.move_on():
            self._arrive()
            return
        if self.is_moving:
            self._painter.move(self.layout, self._motion.pieces())
        else:
            self._painter.mark_line(self._scene(self.picture, self.layout))
        self._schedule()

    # ------------------------------------------------------------------ input

    def _bind(self) -> None:
        canvas = self.canvas
        canvas.bind("<Configure>", lambda _: self.redraw())
        canvas.bind("<Motion>", self._on_motion)
        canvas.bind("<Leave>", self._on_leave)
        canvas.bind("<Escape>", lambda _: self.set_path(()))
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
        if cell is None or pressed is None:
            return
        held = self._modifiers_of(event, int(event.num))
        if self._is_same(cell, pressed):
            self._choose(cell, held)
        elif pressed in self.input.next_cells():  # dragged from one cell to another
            self.set_path(())
            self._choose(pressed, held)
            if cell in self.input.next_cells(self.path):
                self._choose(cell, held)
            else:
                self.set_path(())

    def _modifiers_of(self, event: tk.Event[tk.Canvas], button: int) -> frozenset[Modifier]:
        """Return the modifiers of the keys held: Shift for those before, Control for those after.

        The middle and the right button mean those after, too.
        """
        state = event.state if isinstance(event.state, int) else 0
        has_shift, has_control = bool(state & SHIFT), bool(state & CONTROL) or button > 1
        return frozenset(
            each for each in self.input.modifiers if (has_shift if each.is_before else has_control)
        )

    def _is_same(self, cell: Cell, other: Cell | None) -> bool:
        """Return whether a click on both cells means the same."""
        if other is None:
            return False
        return cell == other or (self.input.is_by_column and cell.column == other.column)

    # ------------------------------------------------------------------ drawing

    def _scene(self, picture: Picture, layout: BoardLayout) -> Scene:
        ghost = None
        if self.cursor is not None and self.can_play and not self.is_moving:
            ghost = self._preview(self.cursor, self._held)

        def shade(cell: Cell) -> float:
            if self._is_same(cell, self._pressed):
                return -DIM
            return LIT if ghost is not None and self._is_same(cell, self.cursor) else 0.0

        return Scene(
            picture, layout, self.input.is_by_column, self.cursor, self.has_key_cursor, ghost,
            self.hint, self._motion.lit(picture.line), shade, self.path,
            self.input.next_cells(self.path) if self.can_play and not self.is_moving
            else frozenset[Cell](),
        )  # fmt: skip


def _turns_of(move: BoardMove) -> tuple[bool, bool]:
    """Return whether a move has modifiers before and after its target."""
    places = {each.is_before for each in move.modifiers}
    return True in places, False in places
