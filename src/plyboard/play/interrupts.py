"""Distinguishes Ctrl-C from a `KeyboardInterrupt` raised by an agent."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from types import FrameType, TracebackType
from typing import Any


class Interrupts:
    """A context manager that records whether Ctrl-C interrupts this thread.

    Python interrupts only the main thread. In other threads `happened` stays False.
    """

    def __init__(self) -> None:
        self.happened = False
        self._before: Callable[[int, FrameType | None], Any] | None = None

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is not threading.main_thread():
            return self
        handler = signal.getsignal(signal.SIGINT)
        if callable(handler):
            self._before = handler
            signal.signal(signal.SIGINT, self._note)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._before is not None:
            signal.signal(signal.SIGINT, self._before)

    def _note(self, number: int, frame: FrameType | None) -> None:
        assert self._before is not None
        try:
            self._before(number, frame)
        except KeyboardInterrupt:
            self.happened = True
            raise
