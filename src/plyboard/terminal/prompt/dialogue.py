"""Questions on the screen, answered by lines of input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from plyboard.errors import UsageError, shown
from plyboard.terminal.drawing.screen import Screen
from plyboard.terminal.prompt.keyboard import Keyboard

Answer = TypeVar("Answer")
ECHOED = 60


class QuitError(Exception):
    """The person quits: the input has ended, or the answer was `quit`."""


@dataclass
class Dialogue:
    """Asks questions on a screen and reads answers from a keyboard.

    The first Ctrl-C prints a warning; a second one in a row raises `KeyboardInterrupt`.
    """

    screen: Screen = field(default_factory=Screen)
    keyboard: Keyboard = field(default_factory=Keyboard.standard)

    @property
    def is_interactive(self) -> bool:
        """Whether both input and output are a terminal."""
        return self.screen.is_terminal and self.keyboard.is_terminal

    def ask(self, prompt: str) -> str:
        """Return the next line; raise `QuitError` at the end of the input."""
        warned = False
        while True:
            try:
                self.screen.prompt(prompt)
                line = self.keyboard.line()
            except KeyboardInterrupt:
                self.screen.say()
                if warned:
                    raise
                warned = True
                self.screen.say("Press Ctrl-C again to quit, or Enter to continue.")
                continue
            self._echo(line)
            if line is None:
                raise QuitError
            if line.strip(" \t\r\n") or not warned:
                return line
            warned = False

    def _echo(self, line: str | None) -> None:
        """Print input from a pipe or a file, as a terminal echoes typed input."""
        if not self.keyboard.is_terminal:
            text = (line or "").rstrip("\r")
            more = "..." if len(text) > ECHOED else ""
            self.screen.say(f"{shown(text[:ECHOED])[1:-1]}{more}")

    def ask_until_valid(
        self, prompt: str, default: str, read: Callable[[str], Answer], advice: str
    ) -> Answer:
        """Ask until `read` accepts an answer, and return it; an empty line means the default.

        The advice is printed after each wrong answer.
        """
        while True:
            text = self.ask(f"{prompt} [{default}] ").strip(" \t\r\n").lower()
            if text in ("q", "quit", "exit"):
                raise QuitError
            try:
                return read(text or default)
            except UsageError:
                self.screen.say(advice)
