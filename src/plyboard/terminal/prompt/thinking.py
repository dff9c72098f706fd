"""Waiting for a search while somebody may type."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeVar

from plyboard.agents import Listener
from plyboard.terminal.drawing.progress_line import ProgressLine
from plyboard.terminal.prompt.keyboard import Keyboard

Answer = TypeVar("Answer", covariant=True)
POLL = 0.02  # seconds between two looks at the keyboard

UNDO, QUIT = "undo", "quit"


class SearchCancelledError(Exception):
    """Somebody typed a word that ends the search; what it found does not count any more."""

    def __init__(self, word: str) -> None:
        self.word = word
        super().__init__(word)


class Running(Protocol[Answer]):
    """A search that was begun, and its answer."""

    def stop(self) -> None:
        """Have it end soon with what it has found."""

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it has ended, or so long; tell whether it has."""

    def result(self) -> Answer:
        """Return what it found."""


class SearchMonitor:
    """Waits for one search after another.

    Ctrl-C has the search answer with what it has; the second one leaves. `undo` or `quit` on a
    line of its own ends it without an answer. Other lines wait for their turn.
    """

    def __init__(self, keyboard: Keyboard, word_of: Callable[[str], str]) -> None:
        self.keyboard = keyboard
        self.word_of = word_of  # the command in a line, and "" for an empty one

    def wait(
        self, start: Callable[[Listener], Running[Answer]], progress_line: ProgressLine
    ) -> Answer:
        """Return what a search finds; raise `SearchCancelledError` if somebody ends it before."""
        search = start(Listener(improved=progress_line.tell))
        with progress_line:
            try:
                return self._answer(search, progress_line)
            finally:
                search.stop()

    def _answer(self, search: Running[Answer], progress_line: ProgressLine) -> Answer:
        is_stopped = False
        while True:
            try:
                if search.wait(POLL):
                    break
                self._hear(progress_line)
                progress_line.tick()
            except KeyboardInterrupt:
                if is_stopped:
                    raise
                search.stop()
                is_stopped = True
        return search.result()

    def _hear(self, progress_line: ProgressLine) -> None:
        """Look at what was typed meanwhile, at a terminal: a pipe brings its lines in order."""
        if not self.keyboard.is_terminal:
            return
        line = self.keyboard.glance()
        if line is None and not self.keyboard.has_ended:
            return
        word = QUIT if line is None else self.word_of(line)
        if word and word not in (UNDO, QUIT):
            progress_line.hold(line or "")
            return
        self.keyboard.line()
        progress_line.clear(typed=1)
        if word:
            raise SearchCancelledError(word)
