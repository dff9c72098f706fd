"""Calls in a thread of their own, so that whoever waits hears Ctrl-C, the clock and a stop."""

from __future__ import annotations

import queue
import sys
import threading
import weakref
from collections.abc import Callable
from typing import Generic, TypeVar

Found = TypeVar("Found")
TICK = 0.05  # seconds: Ctrl-C is heard between two waits
Job = Callable[[], None]


class Task(Generic[Found]):
    """A call that runs in another thread. What it raises is raised to whoever asks for it."""

    def __init__(self, call: Callable[[], Found], on_end: Job | None = None) -> None:
        self._call, self._on_end = call, on_end
        self._done = threading.Event()
        self._found: list[Found] = []
        self._fault: BaseException | None = None

    def run(self) -> None:
        """Make the call in this thread."""
        try:
            self._found.append(self._call())
        except BaseException as fault:  # raised by `result`
            self._fault = fault
        finally:
            del self._call
            self._done.set()
            if self._on_end is not None:
                call_safely(self._on_end)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is done, or so long; tell whether it is done."""
        if seconds is not None:
            return self._done.wait(seconds)
        while not self._done.wait(TICK):
            pass
        return True

    def result(self) -> Found:
        """Wait, and return what the call returned, or raise what it raised."""
        self.wait()
        if self._fault is not None:
            raise self._fault
        return self._found[0]


def call_safely(call: Callable[..., object], *arguments: object) -> None:
    """Make a call that must not end its thread: what it raises is reported, and no more."""
    try:
        call(*arguments)
    except BaseException:
        threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), None)))


class Background:
    """A thread that makes calls one after another. It never keeps the program from ending."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        weakref.finalize(self, self._jobs.put, None)

    def submit(self, call: Callable[[], Found], on_end: Job | None = None) -> Task[Found]:
        """Have a call made after those before it, and then perhaps another, once it is done."""
        task = Task(call, on_end)
        if self._thread is None or not self._thread.is_alive():  # a fork leaves it behind
            thread = threading.Thread(target=_work, args=(self._jobs,), daemon=True)
            thread.start()
            self._thread = thread
        self._jobs.put(task.run)
        return task

    def close(self, patience: float = 0.0) -> None:
        """End the thread once its calls are made; wait so long for that."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        self._jobs.put(None)
        if thread is not threading.current_thread():
            thread.join(patience)


def _work(jobs: queue.SimpleQueue[Job | None]) -> None:
    while (job := jobs.get()) is not None:
        job()
        del job


def in_background(call: Callable[[], Found]) -> Task[Found]:
    """Make one call in a thread of its own."""
    task = Task(call)
    threading.Thread(target=task.run, daemon=True).start()
    return task
