"""Panels over the board: the rules of a game, and the questions before a new one."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from tkinter import ttk

from plyboard.games import Game
from plyboard.games.game import HasRulesPage
from plyboard.session.new_game import NewGameAnswers, NewGameChoices
from plyboard.session.transcript import game_summary, notation
from plyboard.window.style import BACKGROUND, BORDER, INK, WindowStyle

PAGE = 10  # lines

Close = Callable[[], None]


@dataclass(frozen=True)
class PanelPlace:
    """Where panels are shown: a window, its style, and the widget that they cover."""

    root: tk.Tk
    style: WindowStyle
    over: tk.Misc


class Panel:
    """A frame with a heading over a part of a window. Escape closes it."""

    def __init__(self, place: PanelPlace, heading: str, on_close: Close) -> None:
        root, style = place.root, place.style
        px = style.px
        self.place, self.style, self._on_close = place, style, on_close
        self.frame = tk.Frame(
            root, background=BACKGROUND, highlightthickness=max(1, px(1)),
            highlightbackground=BORDER, highlightcolor=BORDER,
        )  # fmt: skip
        self.body = ttk.Frame(self.frame, padding=px(20))
        self.body.pack(fill="both", expand=True)
        ttk.Label(self.body, text=heading, style="Heading.TLabel").pack(anchor="w")
        self.buttons = ttk.Frame(self.body)
        self.buttons.pack(side="bottom", fill="x", pady=(px(14), 0))
        self.frame.bind("<Escape>", lambda _: self.close())
        root.bind("<Escape>", lambda _: self.close())

    def close(self) -> None:
        """Remove the panel."""
        self.place.root.unbind("<Escape>")
        self.frame.destroy()
        self._on_close()

    def add_button(self, text: str, command: Close, *, is_primary: bool = False) -> ttk.Button:
        """Add a button at the right end."""
        style = "Primary.TButton" if is_primary else "TButton"
        button = ttk.Button(self.buttons, text=text, command=command, style=style)
        button.bind("<Return>", lambda _: button.invoke())
        button.pack(side="right", padx=(self.style.px(8), 0))
        return button


class PanelHost:
    """Shows one panel at a time; keys belong to it until it is closed."""

    def __init__(self, place: PanelPlace) -> None:
        self.place = place
        self._panel: Panel | None = None

    @property
    def is_open(self) -> bool:
        """Whether a panel is shown."""
        return self._panel is not None

    def open(self, build: Callable[[Close], Panel]) -> None:
        """Show a panel instead of the last one."""
        if self._panel is not None:
            self._panel.close()
        self._panel = build(self._closed)

    def _closed(self) -> None:
        self._panel = None
        self.place.over.focus_set()


def rules_panel(place: PanelPlace, game: Game, on_close: Close) -> Panel:
    """Show the rules of a game."""
    panel, style = Panel(place, game.title, on_close), place.style
    px = style.px
    text = tk.Text(
        panel.body, wrap="word", background=BACKGROUND, foreground=INK, borderwidth=0,
        highlightthickness=0, font=style.font(13), spacing1=px(2), spacing3=px(2),
        cursor="arrow", height=1, width=1, takefocus=False,
    )  # fmt: skip
    bar = ttk.Scrollbar(panel.body, command=text.yview)
    text.configure(yscrollcommand=bar.set)
    text.tag_configure("heading", font=style.font(13, bold=True), spacing1=px(10))
    text.tag_configure("drawing", font=("DejaVu Sans Mono", -px(13)))
    text.insert("end", game_summary(game) + "\n")
    if isinstance(game, HasRulesPage):
        for heading, body in game.rules_page:
            text.insert("end", heading + "\n", "heading")
            text.insert("end", body + "\n", "drawing" if "\n" in body else "")
    else:
        text.insert("end", notation(game) or "This game has no page of rules.")
    text.configure(state="disabled")
    close = panel.add_button("Close", panel.close, is_primary=True)
    close.focus_set()
    bar.pack(side="right", fill="y", pady=(px(10), 0))
    text.pack(side="left", fill="both", expand=True, pady=(px(10), 0))
    panel.frame.place(
        in_=place.over, relx=0.5, rely=0.5, anchor="center", relwidth=0.94, relheight=0.96
    )
    for key, lines in (("Prior", -PAGE), ("Next", PAGE), ("Up", -1), ("Down", 1)):
        close.bind(f"<{key}>", partial(_scroll, text, lines))
    return panel


def _scroll(text: tk.Text, lines: int, _: tk.Event[tk.Misc]) -> None:
    text.yview_scroll(lines, "units")


BEGINNERS = {"You": True, "Your opponent": False}


def new_game_panel(
    place: PanelPlace,
    choices: NewGameChoices,
    start: Callable[[NewGameAnswers], None],
    on_close: Close,
) -> Panel:
    """Ask for the game, the opponent and who begins."""
    panel, style = Panel(place, "New game", on_close), place.style
    form = ttk.Frame(panel.body)
    form.pack(fill="x", pady=(style.px(12), 0))
    chosen = choices.chosen
    game = _choice(form, style, "Game", choices.games, chosen.game)
    opponent = _choice(form, style, "Opponent", choices.opponents, chosen.opponent)
    first = _choice(form, style, "First move", BEGINNERS, chosen.person_begins)

    def begin() -> None:
        answers = NewGameAnswers(
            choices.games[game.get()], choices.opponents[opponent.get()], BEGINNERS[first.get()]
        )
        panel.close()
        start(answers)

    panel.add_button("Start", begin, is_primary=True).focus_set()
    panel.add_button("Cancel", panel.close)
    panel.frame.place(in_=place.over, relx=0.5, rely=0.5, anchor="center")
    return panel


def _choice(
    form: ttk.Frame, style: WindowStyle, label: str, values: Mapping[str, object], chosen: object
) -> ttk.Combobox:
    """Add a row with a list to choose from."""
    row = form.grid_size()[1]
    ttk.Label(form, text=label, style="Field.TLabel").grid(
        row=row, column=0, sticky="w", padx=(0, style.px(16)), pady=style.px(5)
    )
    box = ttk.Combobox(form, values=list(values), state="readonly", width=26, font=style.font(13))
    titles = [title for title, value in values.items() if value == chosen]
    box.set(titles[0] if titles else next(iter(values)))
    box.grid(row=row, column=1, sticky="ew", pady=style.px(5))
    return box
