"""A question on the screen, and the line that answers it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from plyboard.errors import UsageError, shown
from plyboard.terminal.drawing.screen import Screen
from plyboard.terminal.prompt.keyboard import Keyboard

Answer = TypeVar("Answer")
TRIES = 3
ECHOED = 60


class QuitError(Exception):
    """The person has no more to say: the input has ended, or the answer was `quit`."""


@dataclass
class Dialogue:
    """Asks on a screen and hears from a keyboard.

    The first Ctrl-C asks whether it was meant, and the second one in a row is not held up.
    """

    screen: Screen = field(default_factory=Screen)
    keyboard: Keyboard = field(default_factory=Keyboard.standard)

    @property
    def is_interactive(self) -> bool:
        """Whether somebody may be sitting there, who can be asked."""
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
        """Print what came from a pipe or a file, as a terminal does with what is typed."""
        if not self.keyboard.is_terminal:
            text = (line or "").rstrip("\r")
            more = "..." if len(text) > ECHOED else ""
            self.screen.say(f"{shown(text[:ECHOED])[1:-1]}{more}")

    def ask_until_valid(self, prompt: str, usual: str, read: Callable[[str], Answer]) -> Answer:
        """Return an answer that can be read; an empty line gives the usual one.

        What is wrong with an answer is said, and after three of them it is raised.
        """
        for left in range(TRIES - 1, -1, -1):
            text = self.ask(f"{prompt} [{usual}] ").strip(" \t\r\n").lower()
            if text in ("q", "quit", "exit"):
                raise QuitError
            try:
                return read(text or usual)
            except UsageError as fault:
                if not left:
                    raise
                self.screen.say(fault.first_line)
        raise AssertionError("the last try returns or raises")
