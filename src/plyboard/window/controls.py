"""The controls below a board: buttons, a menu, and their keys."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from functools import partial
from tkinter import ttk
from typing import TYPE_CHECKING

from plyboard.games.level import STRONGEST
from plyboard.session.players import level_text
from plyboard.window.match_window import MatchWindow

if TYPE_CHECKING:
    from plyboard.window.game_window import GameWindow

SWAP, LEVELS = 0, 1  # places in the menu


class Controls:
    """Buttons and a menu in the toolbar of a window."""

    def __init__(self, window: MatchWindow, commands: GameWindow) -> None:
        self._window, self._commands = window, commands
        self._buttons = dict[str, ttk.Button]()
        px = window.style.px
        for text, key, command in (
            ("Undo", "u", commands.undo), ("Redo", "r", commands.redo),
            ("Hint", "h", commands.hint),
        ):  # fmt: skip
            self._add_button(text, command, "left")
            window.commands[key] = command
        menu_button = ttk.Menubutton(window.toolbar, text="More", direction="above")
        menu_button.pack(side="right", padx=(px(6), 0))
        self._level = tk.IntVar(menu_button, value=-1)
        self._menu = self._build_menu(menu_button)
        self._add_button("Rules", commands.show_rules, "right")
        self._add_button("New game", commands.ask_new_game, "right")
        window.commands["n"] = commands.ask_new_game
        window.commands["q"] = window.close
        for keys, command in (
            ("<Control-z>", commands.undo), ("<Control-y>", commands.redo),
            ("<Control-s>", commands.save), ("<Control-o>", commands.load),
            ("<Control-n>", commands.ask_new_game), ("<F1>", commands.show_rules),
        ):  # fmt: skip
            window.root.bind(keys, partial(_called, command))

    def enable(self, **enabled: bool) -> None:
        """Enable or disable buttons by their text."""
        for name, is_on in enabled.items():
            self._buttons[name].state(["!disabled" if is_on else "disabled"])

    def show_level(self, level: int | None, *, can_swap: bool) -> None:
        """Mark the level of the engine in the menu; None if there is no engine."""
        self._level.set(-1 if level is None else level)
        self._menu.entryconfigure(SWAP, state="normal" if can_swap else "disabled")
        self._menu.entryconfigure(LEVELS, state="disabled" if level is None else "normal")

    def _add_button(self, text: str, command: Callable[[], None], side: str) -> None:
        window = self._window
        button = ttk.Button(window.toolbar, text=text, command=command)
        button.bind("<Return>", lambda _: button.invoke())
        gap = (0, window.style.px(6)) if side == "left" else (window.style.px(6), 0)
        button.pack(side="left" if side == "left" else "right", padx=gap)
        self._buttons[text] = button

    def _build_menu(self, button: ttk.Menubutton) -> tk.Menu:
        commands, window = self._commands, self._window
        menu, levels = tk.Menu(button, tearoff=False), tk.Menu(button, tearoff=False)
        menu.add_command(label="Swap sides", command=commands.swap_sides)
        for level in (*range(1, STRONGEST + 1), 0):
            levels.add_radiobutton(
                label=level_text(level).capitalize(), value=level, variable=self._level,
                command=partial(commands.set_level, level),
            )  # fmt: skip
        menu.add_cascade(label="Level of the engine", menu=levels)
        menu.add_separator()
        menu.add_command(label="Offer a draw", command=commands.offer_draw)
        menu.add_command(label="Resign", command=commands.resign)
        menu.add_separator()
        menu.add_command(label="Save\u2026", accelerator="Ctrl+S", command=commands.save)
        menu.add_command(label="Load\u2026", accelerator="Ctrl+O", command=commands.load)
        menu.add_separator()
        menu.add_command(label="Full screen", accelerator="F11", command=window.toggle_full_screen)
        menu.add_command(label="Close", accelerator="Ctrl+W", command=window.close)
        button.configure(menu=menu)
        return menu


def _called(command: Callable[[], None], _: tk.Event[tk.Misc]) -> None:
    command()
