"""Line editing at a terminal, with history and completion.

Only this module imports prompt_toolkit. It is imported when a prompt is first shown on a terminal.
"""

from __future__ import annotations

import os
import signal
import sys
import termios
import textwrap
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from prompt_toolkit import PromptSession
from prompt_toolkit.application import run_in_terminal
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.history import DummyHistory, InMemoryHistory
from prompt_toolkit.input.typeahead import get_typeahead
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.key_binding import KeyBindings, KeyPress, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import ColorDepth
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.shortcuts import CompleteStyle

from plyboard.terminal.drawing.screen import Screen
from plyboard.terminal.prompt.completions import Complete
from plyboard.terminal.prompt.keyboard import LONGEST, Keyboard
from plyboard.terminal.prompt.prompt_context import PromptContext

ECHOED = 60  # characters shown of a line that was typed before its turn
ENTER = (Keys.ControlM, Keys.ControlJ)
RESET = b"\x1b[?2004l\x1b[?25h\x1b[0m\r\n"  # no bracketed paste; a visible cursor; no style


class LineEditor:
    """Reads lines that can be edited, recalled and completed.

    The terminal is in raw mode only while a line is read. Lines typed before that, during a search,
    are in the queue of the keyboard and come first. Lines after the first one of a paste join that
    queue.
    """

    def __init__(self, screen: Screen, keyboard: Keyboard) -> None:
        self._screen, self._keyboard = screen, keyboard
        self._input = Vt100Input(sys.stdin)
        self._history = InMemoryHistory()
        self._context = PromptContext()
        self._commands = self._session(self._history)
        self._answers = self._session(DummyHistory())

    def line(self, prompt: str, context: PromptContext) -> str | None:
        """Wait for the next line; None at the end of the input."""
        if self._keyboard.glance() is not None:
            return self._typed_ahead(prompt, context)
        session = self._commands if context.has_history else self._answers
        self._context = context
        try:
            with _restored_when_terminated(self._input.fileno()):
                line = session.prompt(
                    lambda: self._styled(prompt),
                    completer=_Completer(context.complete),
                    default=_printable(self._keyboard.take_unfinished()),
                )
        except EOFError:
            return None
        self._keyboard.feed(_text_of(get_typeahead(self._input)))
        return line[:LONGEST]

    def _typed_ahead(self, prompt: str, context: PromptContext) -> str | None:
        """Return the next line of the queue, and show it as if it had been typed now."""
        self._screen.prompt(prompt)
        line = self._keyboard.line()
        if line is not None:
            text = _printable(line)
            self._screen.say(f"{text[:ECHOED]}{'...' if len(text) > ECHOED else ''}")
            if context.has_history:
                self._history.append_string(text)
        return line

    def _session(self, history: InMemoryHistory | DummyHistory) -> PromptSession[str]:
        output = Vt100_Output.from_pty(sys.stdout, os.environ.get("TERM"))
        output.enable_cpr = False  # some terminals do not report the position of the cursor
        console = self._screen.console
        has_colour = console.color_system is not None and not console.no_color
        return PromptSession(
            input=self._input,
            output=output,
            color_depth=None if has_colour else ColorDepth.DEPTH_1_BIT,
            complete_style=CompleteStyle.MULTI_COLUMN,
            complete_while_typing=False,
            history=history,
            key_bindings=self._bindings(),
        )

    def _bindings(self) -> KeyBindings:
        bindings = KeyBindings()
        bindings.add(Keys.BracketedPaste)(self._paste)
        bindings.add(Keys.ControlZ)(self._suspend)
        bindings.add(Keys.ControlL)(self._clear)
        return bindings

    def _paste(self, event: KeyPressEvent) -> None:
        """Insert the first line of a paste; the other lines are read after it."""
        first, is_ended, rest = _with_newlines(event.data).partition("\n")
        event.current_buffer.insert_text(_printable(first[:LONGEST]))
        if is_ended:
            self._keyboard.feed(_printable(rest, "\n"))
            event.current_buffer.validate_and_handle()

    def _suspend(self, event: KeyPressEvent) -> None:
        """Stop the processes of this job, as Ctrl-Z does elsewhere; then show the board again."""

        def stop() -> None:
            os.kill(0, signal.SIGTSTP)
            self._context.redraw()

        run_in_terminal(stop)

    def _clear(self, event: KeyPressEvent) -> None:
        event.app.renderer.clear()
        run_in_terminal(self._context.redraw)

    def _styled(self, prompt: str) -> StyleAndTextTuples:
        """Return a prompt wrapped between words at the current width."""
        end = prompt[len(prompt.rstrip(" ")) :]
        lines = textwrap.wrap(prompt, self._screen.width - len(end)) or [""]
        return [("bold", "\n".join(lines) + end)]


class _Completer(Completer):
    """Offers the lines that the text before the cursor can be completed to."""

    def __init__(self, complete: Complete) -> None:
        self._complete = complete

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterator[Completion]:
        """Yield the completions; the menu shows only the last word of each."""
        text = document.text_before_cursor
        for line in self._complete(text):
            shown = line.rstrip(" ").rpartition(" ")[2]
            yield Completion(line, start_position=-len(text), display=shown)


@contextmanager
def _restored_when_terminated(handle: int) -> Iterator[None]:
    """Restore the settings of the terminal if SIGTERM ends the process meanwhile."""
    settings, handler = termios.tcgetattr(handle), signal.getsignal(signal.SIGTERM)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return

    def restore(number: int, frame: FrameType | None) -> None:
        os.write(sys.stdout.fileno(), RESET)
        termios.tcsetattr(handle, termios.TCSANOW, settings)
        handler(number, frame)

    signal.signal(signal.SIGTERM, restore)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, handler)


def _text_of(keys: Sequence[KeyPress]) -> str:
    """Return the text of keys that were pressed too early; editing keys are left out."""
    return "".join(map(_text_of_key, keys))


def _text_of_key(pressed: KeyPress) -> str:
    if pressed.key in ENTER:
        return "\n"
    if pressed.key is Keys.BracketedPaste:
        return _printable(_with_newlines(pressed.data), "\n")
    return "" if isinstance(pressed.key, Keys) else pressed.data


def _with_newlines(text: str) -> str:
    """Return a text in which all lines end with a newline; terminals paste carriage returns."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _printable(text: str, kept: str = "") -> str:
    """Return a text without control characters, except those to be kept."""
    return "".join(char for char in text if char.isprintable() or char in kept)
