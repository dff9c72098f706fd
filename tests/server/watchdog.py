"""Promise P5: measures how long the event loop of a server is busy with one callback.

Processor time of the server's thread is measured, so a busy machine does not matter.
"""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

SERVER_THREAD = "server under test"
LONGEST = 0.05  # seconds
NOTED = 0.005  # seconds

_run: Callable[[asyncio.Handle], None] = asyncio.Handle._run
_stalls: list[tuple[float, str]] = []


class _Collector:
    """Measures the garbage collector, which has more to do in a test than in a server."""

    def __init__(self) -> None:
        self.seconds, self._began = 0.0, 0.0
        gc.callbacks.append(self._hear)

    def _hear(self, phase: str, _: dict[str, int]) -> None:
        if threading.current_thread().name == SERVER_THREAD:
            if phase == "start":
                self._began = time.thread_time()
            else:
                self.seconds += time.thread_time() - self._began


_collector = _Collector()


def _watched_run(handle: asyncio.Handle) -> None:
    if threading.current_thread().name != SERVER_THREAD:
        _run(handle)
        return
    began, collecting = time.thread_time(), _collector.seconds
    callback: Any = getattr(handle, "_callback", None)
    _run(handle)
    seconds = time.thread_time() - began - (_collector.seconds - collecting)
    if seconds > NOTED:
        _stalls.append((seconds, _name_of(callback)))


def _name_of(callback: Any) -> str:
    task = getattr(callback, "__self__", None)
    return repr(task if isinstance(task, asyncio.Task) else callback)[:200]


@contextmanager
def no_stalls() -> Iterator[None]:
    """Fail if a server of this process has been busy with one callback for too long."""
    asyncio.Handle._run = _watched_run  # type: ignore[method-assign, assignment]
    before = len(_stalls)
    yield
    long = [each for each in _stalls[before:] if each[0] > LONGEST]
    assert not long, f"the event loop was blocked: {long}"


def noted_stalls() -> list[tuple[float, str]]:
    """Return and forget the callbacks that took more than `NOTED`, with their seconds."""
    found, _stalls[:] = _stalls[:], []
    return found
