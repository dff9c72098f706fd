"""The screen: prints texts and positions."""

from __future__ import annotations

import os
import shutil
import sys
import textwrap
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from plyboard.analysis.words import outcome_text
from plyboard.games import Position
from plyboard.games.picture import draw
from plyboard.terminal.drawing.board import BoardText

LEAST_WIDTH = 10
NARROWEST = 3  # times the first column: with less width, meanings are printed below words


class Screen:
    """Output for people: wrapped and coloured on a terminal, plain and unwrapped elsewhere."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(highlight=False)

    @property
    def is_terminal(self) -> bool:
        """Whether the output is a terminal."""
        return self.console.is_terminal

    @property
    def can_move(self) -> bool:
        """Whether the cursor can be moved to redraw lines."""
        return self.is_terminal and not self.console.is_dumb_terminal

    @property
    def can_edit(self) -> bool:
        """Whether lines can be edited on it: it is the standard output and can redraw lines."""
        return self.can_move and self.console.file is sys.stdout and sys.stdout.isatty()

    @property
    def is_fancy(self) -> bool:
        """Whether Unicode can be used."""
        return self.can_move and self.console.encoding.startswith("utf") and speaks_utf8()

    @property
    def width(self) -> int:
        """Characters per line; Rich does not query a dumb terminal."""
        asked = self.console.is_dumb_terminal and self.console.file.isatty()
        width = shutil.get_terminal_size().columns if asked else self.console.width
        return max(LEAST_WIDTH, width)

    def say(self, text: str = "", style: str = "") -> None:
        """Print a text, wrapped between words on a terminal."""
        self.console.print(Text(text, style=style), **self._broken)

    def say_rows(self, rows: Sequence[tuple[str, str]]) -> None:
        """Print words and their meanings, in two columns or below each other.

        Each line of a meaning starts a new line, so a drawing keeps its shape.
        """
        indent = 2 + max(len(word) for word, _ in rows)
        for word, meaning in rows:
            if not self.is_terminal:
                self.say(f"{word:{indent}}{meaning}".replace("\n", "\n" + " " * indent))
            elif self.width < NARROWEST * indent:
                self.say(word)
                self.say(self._filled(meaning, 2))
            else:
                self.say(f"{word:{indent}}{self._filled(meaning, indent)[indent:]}")

    def _filled(self, text: str, indent: int) -> str:
        """Return a text with each of its lines wrapped and indented."""
        lines = text.split("\n")
        return "\n".join(textwrap.fill(line, self.width, **indented(indent)) for line in lines)

    @property
    def _broken(self) -> dict[str, Any]:
        """The arguments that make Rich wrap lines, or not."""
        return {"width": self.width} if self.is_terminal else {"soft_wrap": True}

    def prompt(self, text: str) -> None:
        """Print a prompt."""
        self.console.print(Text(text, style="bold"), end="", **self._broken)
        self.console.file.flush()

    def show_board(self, position: Position) -> None:
        """Print the board: fitted to a terminal, plain elsewhere."""
        picture = position.picture()
        if not self.is_terminal:
            self.say(draw(picture))
            return
        for line in BoardText(picture, self.width, self.is_fancy).lines():
            self.console.print(line, no_wrap=True, overflow="crop")


def speaks_utf8() -> bool:
    """Tell whether the locale uses UTF-8; Python may have coerced the C locale to it."""
    names = [os.environ.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG")]
    if names[1] == "C.UTF-8" and names[2] in ("", "C", "POSIX") and not names[0]:
        return False
    locale = next((name for name in names if name), "C")
    return sys.platform in ("win32", "darwin") or "utf" in locale.lower()


def indented(columns: int) -> dict[str, Any]:
    """Return the arguments of textwrap that indent every line."""
    return {"initial_indent": " " * columns, "subsequent_indent": " " * columns}


def show_position(position: Position, screen: Screen | None = None) -> None:
    """Print the board, its notes, the player to move, and the legal moves."""
    screen = screen or Screen()
    screen.show_board(position)
    for line in status_lines(position):
        screen.say(line)


def status_lines(position: Position) -> list[str]:
    """Return what the board does not show, one fact per line."""
    lines = [f"position: {position.text()}", *position.picture().notes]
    outcome = position.outcome()
    if outcome is not None:
        return [*lines, f"game over: {outcome_text(position, outcome)}"]
    lines.append(f"next: {position.game.players[position.mover]}")
    lines.append(f"legal: {' '.join(position.legal_moves())}")
    return lines
