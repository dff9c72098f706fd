"""Buttons below the board: modifiers such as a flip, and moves without a place on the board."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from functools import partial
from tkinter import ttk

from plyboard.games.board_input import BoardInput, BoardMove
from plyboard.games.game import Modifier

MOST_BUTTONS = 8  # for moves; more are in a menu


class ModifierRow:
    """Toggles for the modifiers of the next move. The frame is empty if a game needs none."""

    def __init__(
        self,
        parent: tk.Misc,
        on_change: Callable[[frozenset[Modifier]], None],
        play: Callable[[BoardMove], None],
    ) -> None:
        self.frame = ttk.Frame(parent)
        self.chosen: frozenset[Modifier] = frozenset()
        self._on_change, self._play = on_change, play
        self._buttons = dict[Modifier, ttk.Button]()
        self._moves: tuple[BoardMove, ...] = ()
        self._move_widgets: list[tk.Widget] = []

    def show(self, board_input: BoardInput) -> None:
        """Show the buttons for a position, all switched off."""
        if tuple(self._buttons) != board_input.modifiers:
            self._build(board_input.modifiers)
        usable = board_input.usable_modifiers()
        for modifier, button in self._buttons.items():
            button.state(["!disabled" if modifier in usable else "disabled"])
        self._show_moves(board_input.elsewhere())
        self._choose(frozenset())
        if not self._buttons and not self._moves:
            self.frame.grid_remove()
        else:
            self.frame.grid()

    def toggle(self, modifier: Modifier) -> None:
        """Switch a modifier on or off, if a legal move has it."""
        if not self._buttons[modifier].instate(["disabled"]):
            self._choose(self.chosen ^ {modifier})

    def press(self, key: str) -> bool:
        """Toggle the modifier of a key, and return whether it has one.

        That is its text; of two with the same text, the upper case letter means the one after.
        """
        found = [each for each in self._buttons if each.text.lower() == key.lower()]
        if not found:
            return False
        found.sort(key=lambda each: not each.is_before)
        self.toggle(found[-1] if key.isupper() else found[0])
        return True

    def _build(self, modifiers: tuple[Modifier, ...]) -> None:
        for button in self._buttons.values():
            button.destroy()
        self._buttons = {
            modifier: ttk.Button(
                self.frame,
                text=modifier.title,
                style="Toggle.TButton",
                command=partial(self.toggle, modifier),
            )
            for modifier in modifiers
        }
        for button in self._buttons.values():
            button.pack(side="left", padx=4)

    def _show_moves(self, moves: tuple[BoardMove, ...]) -> None:
        if moves == self._moves:
            return
        for widget in self._move_widgets:
            widget.destroy()
        self._moves, self._move_widgets = moves, []
        if len(moves) > MOST_BUTTONS:
            button = ttk.Menubutton(self.frame, text="Moves")
            menu = tk.Menu(button, tearoff=False)
            for move in moves:
                menu.add_command(label=move.text, command=partial(self._play, move))
            button.configure(menu=menu)
            self._move_widgets.append(button)
        else:
            self._move_widgets += [
                ttk.Button(self.frame, text=move.text, command=partial(self._play, move))
                for move in moves
            ]
        for widget in self._move_widgets:
            widget.pack(side="left", padx=4)

    def _choose(self, chosen: frozenset[Modifier]) -> None:
        self.chosen = chosen
        for modifier, button in self._buttons.items():
            button.state(["selected" if modifier in chosen else "!selected"])
        self._on_change(chosen)
