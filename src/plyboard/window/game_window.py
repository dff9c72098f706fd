"""A session in a window: against an agent, another person, or between two agents."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable
from dataclasses import dataclass
from tkinter import filedialog

from plyboard.agents import Limits
from plyboard.errors import PlyboardError
from plyboard.play.live_match import MatchChanged
from plyboard.session.hints import Advice
from plyboard.session.new_game import NewGameAnswers, new_game, new_game_choices
from plyboard.session.session import Notice, Session
from plyboard.window.controls import Controls
from plyboard.window.match_window import Event, MatchWindow
from plyboard.window.panels import new_game_panel, rules_panel

LIMITS = Limits()
RECORDS = [("Records", "*.txt *.json"), ("All files", "*")]


def ask_save_name() -> str:
    """Ask for the name of a file to write; the dialogue asks before it replaces one."""
    return filedialog.asksaveasfilename(defaultextension=".txt", filetypes=RECORDS) or ""


def ask_load_name() -> str:
    """Ask for the name of a file to read."""
    return filedialog.askopenfilename(filetypes=RECORDS) or ""


@dataclass
class FileChoosers:
    """How the names of files are asked for; an empty name means none."""

    to_save: Callable[[], str] = ask_save_name
    to_load: Callable[[], str] = ask_load_name


class GameWindow:
    """A match window with controls for the commands of a session."""

    def __init__(self, root: tk.Tk, session: Session, choosers: FileChoosers | None = None) -> None:
        self.session, self.choosers = session, choosers or FileChoosers()
        self.window = MatchWindow(
            root, session.live, session.game.people, poll=session.advance,
            on_event=self._on_event, on_close=self._close,
        )  # fmt: skip
        self.controls = Controls(self.window, self)
        self._players = session.game.players  # on the screen
        self._show_players()
        self.window.status.tell(self._welcome())

    def start(self) -> None:
        """Begin to poll; for owners with an event loop of their own."""
        self.window.start()

    def run(self) -> None:
        """Show the window until it is closed."""
        self.window.run()

    def _on_event(self, event: Event) -> None:
        if isinstance(event, Advice):
            if event.action is not None:
                self.window.input.show_hint(event.action)
            self.window.status.tell("\n".join(event.lines))
        elif isinstance(event, Notice):
            self.window.status.tell(event.text)
        elif isinstance(event, MatchChanged):
            self._update()

    def _update(self) -> None:
        """Bring the controls up to date with the session."""
        game = self.session.game
        if game.players is not self._players:
            self._players = game.players
            self._show_players()
        self.controls.enable(Undo=game.can_undo, Redo=bool(game.undone), Hint=not game.is_over)

    def _show_players(self) -> None:
        players, game = self._players, self.session.game
        is_alone = game.person is not None
        names = [player.short_label(is_alone=is_alone) for player in players]
        self.window.cards.names = names[0], names[1]
        self.window.set_people(game.people)
        levels = [player.level for player in players if player.level is not None]
        self.controls.show_level(levels[0] if levels else None, can_swap=is_alone)
        self._update()

    def _welcome(self) -> str:
        """Return how to play, in a sentence."""
        if not any(self.window.people):
            return ""
        how = "Click a cell, or use the arrow keys and Enter"
        if self.window.board.input.is_by_column:
            how = "Click a column, or press its number"
        return f"{how}. F1 shows the rules."

    def _close(self) -> None:
        try:
            self.session.file.finish(self.session.game.match)
        finally:
            self.session.file.close()
            self.session.adviser.close()

    def _do(self, command: Callable[[], str]) -> None:
        """Execute a command of the session, and show what it says."""
        self.window.status.tell(command())
        self._update()

    # ------------------------------------------------------------------ commands

    def undo(self) -> None:
        """Go back to the previous turn of a person."""
        self._do(self.session.undo)

    def redo(self) -> None:
        """Take the last undo back."""
        self._do(self.session.redo)

    def hint(self) -> None:
        """Look for the best move, in the background."""
        if not self.session.adviser.is_asked and not self.session.game.is_over:
            self.window.status.tell("Looking for the best move \u2026")
            self.session.commands["hint"]("")

    def resign(self) -> None:
        """Give up the game."""
        self._do(self.session.resign)

    def offer_draw(self) -> None:
        """Offer a draw, or accept one."""
        self._do(self.session.draw)

    def swap_sides(self) -> None:
        """Exchange the person and the agent."""
        self._do(self.session.swap)

    def set_level(self, level: int) -> None:
        """Let the engine play at another level from its next move on."""
        self._do(lambda: self.session.level(level))

    def show_rules(self) -> None:
        """Show the rules over the board."""
        panels, game = self.window.panels, self.window.position.game
        panels.open(lambda on_close: rules_panel(panels.place, game, on_close))

    def ask_new_game(self) -> None:
        """Ask for a new game over the board."""
        panels, choices = self.window.panels, new_game_choices(self.session.game)
        start = self.start_new_game
        panels.open(lambda on_close: new_game_panel(panels.place, choices, start, on_close))

    def start_new_game(self, answers: NewGameAnswers) -> None:
        """Start a new game."""
        try:
            match, players = new_game(self.session.game, answers)
        except PlyboardError as fault:
            self.window.status.tell(fault.first_line)
            return
        self.session.begin(match, players)
        self.window.status.tell("")
        self._update()

    def save(self) -> None:
        """Save the game to a file that the person chooses."""
        if name := self.choosers.to_save():
            self._do(lambda: self.session.save(name, force=True) or f"Saved to {name}")

    def load(self) -> None:
        """Load the first game of a file that the person chooses."""
        if name := self.choosers.to_load():
            self._do(lambda: self.session.load(name))
