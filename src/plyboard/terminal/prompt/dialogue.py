"""Questions on the screen, answered by lines of input."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from plyboard.errors import UsageError, shown
from plyboard.terminal.drawing.screen import Screen
from plyboard.terminal.prompt.completions import Complete, no_completions
from plyboard.terminal.prompt.keyboard import Keyboard
from plyboard.terminal.prompt.prompt_context import PromptContext

if TYPE_CHECKING:
    from plyboard.terminal.prompt.line_editor import LineEditor

Answer = TypeVar("Answer")
ECHOED = 60
NO_CONTEXT = PromptContext()


class QuitError(Exception):
    """The person quits: the input has ended, or the answer was `quit`."""


@dataclass
class Dialogue:
    """Asks questions on a screen and reads answers from a keyboard.

    Lines can be edited if both are a terminal that can redraw lines. The first Ctrl-C prints a
    warning; a second one in a row raises `KeyboardInterrupt`.
    """

    screen: Screen = field(default_factory=Screen)
    keyboard: Keyboard = field(default_factory=Keyboard.standard)

    @property
    def is_interactive(self) -> bool:
        """Whether both input and output are a terminal."""
        return self.screen.is_terminal and self.keyboard.is_terminal

    @cached_property
    def _editor(self) -> LineEditor | None:
        """The line editor; None if the screen or the keyboard does not allow editing."""
        if not (self.screen.can_edit and self.keyboard.can_edit):
            return None
        from plyboard.terminal.prompt.line_editor import LineEditor

        return LineEditor(self.screen, self.keyboard)

    def ask(self, prompt: str, context: PromptContext = NO_CONTEXT) -> str:
        """Return the next line; raise `QuitError` at the end of the input."""
        warned = False
        while True:
            try:
                line = self._line(prompt, context)
            except KeyboardInterrupt:
                if warned:
                    raise
                warned = True
                self.screen.say("Press Ctrl-C again to quit, or Enter to continue.")
                continue
            if line is None:
                raise QuitError
            if line.strip(" \t\r\n") or not warned:
                return line
            warned = False

    def _line(self, prompt: str, context: PromptContext) -> str | None:
        """Show a prompt and read a line; None at the end of the input."""
        if self._editor is not None:
            return self._editor.line(prompt, context)
        try:
            self.screen.prompt(prompt)
            line = self.keyboard.line()
        except KeyboardInterrupt:
            self.screen.say()
            raise
        self._echo(line)
        return line

    def _echo(self, line: str | None) -> None:
        """Print input from a pipe or a file, as a terminal echoes typed input."""
        if not self.keyboard.is_terminal:
            text = (line or "").rstrip("\r")
            more = "..." if len(text) > ECHOED else ""
            self.screen.say(f"{shown(text[:ECHOED])[1:-1]}{more}")

    def ask_until_valid(
        self,
        prompt: str,
        default: str,
        read: Callable[[str], Answer],
        advice: str,
        complete: Complete = no_completions,
    ) -> Answer:
        """Ask until `read` accepts an answer, and return it; an empty line means the default.

        The advice is printed after each wrong answer.
        """
        context = PromptContext(complete)
        while True:
            text = self.ask(f"{prompt} [{default}] ", context).strip(" \t\r\n").lower()
            if text in ("q", "quit", "exit"):
                raise QuitError
            try:
                return read(text or default)
            except UsageError:
                self.screen.say(advice)
