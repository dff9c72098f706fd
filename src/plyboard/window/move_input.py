"""Clicks and keys on a board, as moves."""

from __future__ import annotations

import time
import tkinter as tk
from collections.abc import Callable
from functools import partial
from tkinter import ttk

from plyboard.games import Position, spec_of
from plyboard.games.board_input import BoardMove, BoardNotation
from plyboard.games.game import Modifier
from plyboard.games.picture import Cell, Picture, filled_cells
from plyboard.window.board_painter import Ghost, HintMark
from plyboard.window.board_view import BoardView
from plyboard.window.modifier_row import ModifierRow
from plyboard.window.style import WindowStyle

ARROWS = (("Left", 0, -1), ("Right", 0, 1), ("Up", -1, 0), ("Down", 1, 0))


class MoveInput:
    """A board and the row of modifiers below it; calls `play` with each move that is entered."""

    def __init__(
        self,
        root: tk.Tk,
        style: WindowStyle,
        position: Position,
        play: Callable[[BoardMove], None],
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._root, self._play = root, play
        self.board = BoardView(root, style, self._preview, self._choose, now)
        self.modifier_row = ModifierRow(root, self.board.set_modifiers, play)
        self._position, self.picture = position, position.picture()
        self._notation, self._notation_of = BoardNotation.of(position.game), spec_of(position.game)
        self._ghosts = dict[int, Ghost]()

    def show(self, position: Position, before: Position | None = None) -> None:
        """Show a position; its last move is animated if the position before is given."""
        if spec_of(position.game) != self._notation_of:
            self._notation = BoardNotation.of(position.game)
            self._notation_of = spec_of(position.game)
        self._position, self.picture = position, position.picture()
        self._ghosts.clear()
        played, action = None, position.last_action
        if before is not None and action is not None:
            moves = self._notation.input(before).moves
            played = next((move for move in moves if move.action == action), None)
        board_input = self._notation.input(position)
        self.board.show(self.picture, board_input, played)
        self.modifier_row.show(board_input)

    def show_hint(self, action: int) -> None:
        """Mark a suggested move on the board."""
        move = next((each for each in self.board.input.moves if each.action == action), None)
        ghost = self._ghost_of(action)
        self.board.show_hint(HintMark(move.target if move else None, ghost.cells))

    def bind(self, is_blocked: Callable[[], bool], command: Callable[[str], bool]) -> None:
        """Take keys of the window, unless another widget does.

        `command` is called with each character that is no modifier, and tells whether it was one.
        """
        root = self._root

        def key(event: tk.Event[tk.Misc]) -> None:
            if not event.char or is_blocked() or self.modifier_row.press(event.char):
                return
            if not command(event.char):
                self._press_column(event.char)

        def arrow(rows: int, columns: int, _: tk.Event[tk.Misc]) -> None:
            if not is_blocked():
                self.board.move_cursor(0 if self.board.input.is_by_column else rows, columns)

        def enter(_: tk.Event[tk.Misc]) -> None:
            is_on_button = isinstance(root.focus_get(), ttk.Button)
            if self.board.cursor is not None and not is_on_button and not is_blocked():
                self._choose(self.board.cursor, frozenset())

        root.bind("<Key>", key)
        for name, rows, columns in ARROWS:
            root.bind(f"<{name}>", partial(arrow, rows, columns))
        for name in ("<Return>", "<KP_Enter>", "<space>"):
            root.bind(name, enter)

    def _press_column(self, name: str) -> None:
        names = self.picture.column_names if self.board.input.is_by_column else ()
        if name in names:
            self._choose(Cell(0, names.index(name)), frozenset())

    def _preview(self, cell: Cell, held: frozenset[Modifier]) -> Ghost | None:
        legal = self.board.input.legal
        moves = self.board.input.at(cell, self.modifier_row.chosen ^ held, self.board.path)
        action = next((move.action for move in moves if move.action in legal), None)
        return None if action is None else self._ghost_of(action)

    def _ghost_of(self, action: int) -> Ghost:
        """Return the piece that a legal move brings, and where it would lie."""
        if action not in self._ghosts:
            position, before = self._position, self.picture
            after = position.apply_action(action).picture()
            symbol = position.game.players[position.mover]
            has_more = _count_pieces(after) > _count_pieces(before)
            filled = filled_cells(before, after)
            cells = filled if len(filled) == 1 else frozenset[Cell]()
            self._ghosts[action] = Ghost(symbol if has_more else "", cells)
        return self._ghosts[action]

    def _choose(self, cell: Cell, held: frozenset[Modifier]) -> None:
        """Play the move that a click means; ask if it can mean several, and wait for the rest."""
        chosen = self.modifier_row.chosen ^ held
        path, moves = self._notation.input(self._position).click(self.board.path, cell, chosen)
        self.board.set_path(path)
        if len(moves) > 1 or (moves and path):
            menu = tk.Menu(self._root, tearoff=False)
            for move in moves:
                menu.add_command(label=move.text, command=partial(self._play, move))
            menu.tk_popup(self._root.winfo_pointerx(), self._root.winfo_pointery())
        elif moves:
            self._play(moves[0])


def _count_pieces(picture: Picture) -> int:
    return sum(symbol in picture.pieces for _, symbol in picture.cells())
