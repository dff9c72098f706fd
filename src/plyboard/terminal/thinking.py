"""Waiting for a search while somebody may type."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

from plyboard.search.budget import Watch
from plyboard.terminal.keyboard import Keyboard
from plyboard.terminal.ticker import Ticker

Answer = TypeVar("Answer")
POLL = 0.02  # seconds between two looks at the keyboard
PATIENCE = 2.0  # seconds for a search to end once it is told to, before another one begins

UNDO, QUIT = "undo", "quit"


class TypedError(Exception):
    """Somebody typed a word that ends the search; what it found does not count any more."""

    def __init__(self, word: str) -> None:
        self.word = word
        super().__init__(word)


class Job(Generic[Answer]):
    """A search in a thread of its own."""

    def __init__(self, search: Callable[[Watch], Answer], watch: Watch) -> None:
        self._search, self._watch = search, watch
        self._answers: list[Answer] = []
        self._faults: list[BaseException] = []
        self.done = threading.Event()
        self.thread = threading.Thread(target=self._work, daemon=True)
        self.thread.start()

    def _work(self) -> None:
        try:
            self._answers.append(self._search(self._watch))
        except BaseException as fault:  # handed to whoever waits, who raises it
            self._faults.append(fault)
        finally:
            self.done.set()

    def answer(self) -> Answer:
        """Return what the search returned, or raise what it raised."""
        if self._faults:
            raise self._faults[0]
        return self._answers[0]


class Waiter:
    """Waits for one search after another.

    Ctrl-C has the search answer with what it has; the second one leaves. `undo` or `quit` on a
    line of its own ends it without an answer. Other lines wait for their turn.
    """

    def __init__(self, keyboard: Keyboard, word_of: Callable[[str], str]) -> None:
        self.keyboard = keyboard
        self.word_of = word_of  # the command in a line, and "" for an empty one
        self._last: threading.Thread | None = None

    def wait(self, search: Callable[[Watch], Answer], ticker: Ticker) -> Answer:
        """Return what a search finds; raise `TypedError` if somebody ends it before."""
        self.settle()
        watch = Watch(ticker.tell)
        job = Job(search, watch)
        self._last = job.thread
        with ticker:
            try:
                return self._answer(job, watch, ticker)
            finally:
                watch.stop()

    def settle(self) -> None:
        """Give a search that was ended a moment to do so: two at once would share their tables."""
        if self._last is not None:
            self._last.join(PATIENCE)

    def _answer(self, job: Job[Answer], watch: Watch, ticker: Ticker) -> Answer:
        while True:
            try:
                if job.done.wait(POLL):
                    return job.answer()
                self._hear(ticker)
                ticker.tick()
            except KeyboardInterrupt:
                if watch.stopped:
                    raise
                watch.stop()

    def _hear(self, ticker: Ticker) -> None:
        """Look at what was typed meanwhile, at a terminal: a pipe brings its lines in order."""
        if not self.keyboard.is_terminal:
            return
        line = self.keyboard.glance()
        if line is None and not self.keyboard.has_ended:
            return
        word = QUIT if line is None else self.word_of(line)
        if word and word not in (UNDO, QUIT):
            ticker.hold(line or "")
            return
        self.keyboard.line()
        ticker.clear(typed=1)
        if word:
            raise TypedError(word)
