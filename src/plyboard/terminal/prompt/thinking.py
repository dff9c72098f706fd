"""Waits for a search while watching the keyboard."""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Protocol

from plyboard.search.common.choice import Choice
from plyboard.terminal.drawing.progress_line import ProgressLine
from plyboard.terminal.prompt.keyboard import Keyboard

POLL = 0.02  # seconds between checks of the keyboard

QUIT = "quit"
CANCELLING = ("undo", "new", "resign", QUIT)  # a search for a move


class Waited(Protocol):
    """What is waited for: a session that searches."""

    @property
    def best(self) -> Choice | None:
        """The best choice so far."""

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for at most so many seconds; return whether something has happened."""

    def move_now(self) -> None:
        """End the search soon, with the best it has found."""


class SearchCancelledError(Exception):
    """A typed command cancelled the search; its result is discarded."""

    def __init__(self, word: str, line: str) -> None:
        self.word, self.line = word, line
        super().__init__(word)


class KeyboardMonitor:
    """Waits for searches, one at a time.

    Ctrl-C ends the search with its best result so far; a second one interrupts the program.
    Some commands, such as `undo`, cancel the search. Other lines wait for their turn.
    """

    def __init__(
        self,
        keyboard: Keyboard,
        word_of: Callable[[str], str],
        cancelling: Container[str] = CANCELLING,
    ) -> None:
        self.keyboard, self.cancelling = keyboard, cancelling
        self.word_of = word_of  # the command in a line; "" for an empty line

    def wait(self, search: Waited, progress_line: ProgressLine) -> None:
        """Wait until something has happened; raise `SearchCancelledError` if it is cancelled."""
        is_stopped, told = False, None
        with progress_line:
            while True:
                try:
                    if search.wait(POLL):
                        return
                    if (best := search.best) is not None and best is not told:
                        told = best
                        progress_line.tell(best)
                    self._hear(progress_line)
                    progress_line.tick()
                except KeyboardInterrupt:
                    if is_stopped:
                        raise
                    search.move_now()
                    is_stopped = True

    def _hear(self, progress_line: ProgressLine) -> None:
        """Check for typed input, on a terminal only: lines of a pipe are read in order."""
        if not self.keyboard.is_terminal:
            return
        line = self.keyboard.glance()
        if line is None and not self.keyboard.has_ended:
            return
        word = QUIT if line is None else self.word_of(line)
        if word and word not in self.cancelling:
            progress_line.hold(line or "")
            return
        self.keyboard.line()
        progress_line.clear(typed=1)
        if word:
            raise SearchCancelledError(word, line or word)
