"""The screen: words and positions as a person reads them there."""

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
NARROW = 36  # characters that are too few for two columns


class Screen:
    """Where a person reads. What goes to a file or a pipe is plain and has no line broken."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(highlight=False)

    @property
    def is_terminal(self) -> bool:
        """Whether a person may be looking."""
        return self.console.is_terminal

    @property
    def can_move(self) -> bool:
        """Whether what was written can be changed afterwards."""
        return self.is_terminal and not self.console.is_dumb_terminal

    @property
    def is_fancy(self) -> bool:
        """Whether there are more characters than ASCII."""
        return self.can_move and self.console.encoding.startswith("utf") and speaks_utf8()

    @property
    def width(self) -> int:
        """How many characters fit in a line; Rich does not ask a dumb terminal."""
        asked = self.console.is_dumb_terminal and self.console.file.isatty()
        width = shutil.get_terminal_size().columns if asked else self.console.width
        return max(LEAST_WIDTH, width)

    def say(self, text: str = "", style: str = "") -> None:
        """Print a text, at a terminal with its lines broken between words."""
        self.console.print(Text(text, style=style), **self._broken)

    def say_rows(self, rows: Sequence[tuple[str, str]]) -> None:
        """Print words and what they mean, side by side or below each other as there is room."""
        indent = 2 + max(len(word) for word, _ in rows)
        for word, meaning in rows:
            if not self.is_terminal:
                self.say(f"{word:{indent}}{meaning}")
            elif self.width < NARROW:
                self.say(word)
                self.say(textwrap.fill(meaning, self.width, **indented(2)))
            else:
                head = f"{word:{indent}}"
                text = textwrap.fill(meaning, self.width, **indented(indent))
                self.say(f"{head}{text[indent:]}")

    @property
    def _broken(self) -> dict[str, Any]:
        """How lines are broken."""
        return {"width": self.width} if self.is_terminal else {"soft_wrap": True}

    def prompt(self, text: str) -> None:
        """Print what stands in front of an answer."""
        self.console.print(Text(text, style="bold"), end="", **self._broken)
        self.console.file.flush()

    def show_board(self, position: Position) -> None:
        """Print the board: drawn to fit at a terminal, else as plain as can be."""
        picture = position.picture()
        if not self.is_terminal:
            self.say(draw(picture))
            return
        for line in BoardText(picture, self.width, self.is_fancy).lines():
            self.console.print(line, no_wrap=True, overflow="crop")


def speaks_utf8() -> bool:
    """Tell whether the locale names UTF-8; Python itself may have put that in place of C."""
    names = [os.environ.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG")]
    if names[1] == "C.UTF-8" and names[2] in ("", "C", "POSIX") and not names[0]:
        return False
    locale = next((name for name in names if name), "C")
    return sys.platform in ("win32", "darwin") or "utf" in locale.lower()


def indented(columns: int) -> dict[str, Any]:
    """Return what has a text begin each line behind so many blanks."""
    return {"initial_indent": " " * columns, "subsequent_indent": " " * columns}


def show_position(position: Position, screen: Screen | None = None) -> None:
    """Print the board, what is left, who is next, and what may be played."""
    screen = screen or Screen()
    screen.show_board(position)
    for line in status_lines(position):
        screen.say(line)


def status_lines(position: Position) -> list[str]:
    """Return what the board does not show, one fact to a line."""
    lines = [f"position: {position.text()}", *position.picture().notes]
    outcome = position.outcome()
    if outcome is not None:
        return [*lines, f"game over: {outcome_text(position, outcome)}"]
    lines.append(f"next: {position.game.players[position.mover]}")
    lines.append(f"legal: {' '.join(position.legal_moves())}")
    return lines
