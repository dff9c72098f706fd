"""Calls in other threads, so that the caller can react to Ctrl-C, the clock and a stop."""

from __future__ import annotations

import queue
import sys
import threading
import weakref
from collections.abc import Callable
from functools import partial
from typing import Generic, TypeVar

Found = TypeVar("Found")
TICK = 0.05  # seconds between checks for Ctrl-C
Job = Callable[[], None]


class Task(Generic[Found]):
    """A call in another thread or process, with its result or exception once it has ended."""

    def __init__(self, on_end: Job | None = None) -> None:
        self._on_end = on_end
        self._done = threading.Event()
        self._found: list[Found] = []
        self._fault: BaseException | None = None

    def run(self, call: Callable[[], Found]) -> None:
        """Make the call in this thread, and keep what it returns or raises."""
        try:
            found = call()
        except BaseException as fault:  # raised by `result`
            self.fail(fault)
        else:
            self.finish(found)

    def finish(self, found: Found) -> None:
        """Set the result and call `on_end`, unless the task has ended already."""
        if not self.is_done:
            self._found.append(found)
            self._end()

    def fail(self, fault: BaseException) -> None:
        """Set the exception and call `on_end`, unless the task has ended already."""
        if not self.is_done:
            self._fault = fault
            self._end()

    def _end(self) -> None:
        self._done.set()
        if self._on_end is not None:
            call_safely(self._on_end)

    @property
    def is_done(self) -> bool:
        """Whether there is a result or an exception."""
        return self._done.is_set()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, or for at most so many seconds; return whether it has ended."""
        if seconds is not None:
            return self._done.wait(seconds)
        while not self._done.wait(TICK):
            pass
        return True

    def result(self) -> Found:
        """Wait for the end; return the result or raise the exception."""
        self.wait()
        if self._fault is not None:
            raise self._fault
        return self._found[0]


def call_safely(call: Callable[..., object], *arguments: object) -> None:
    """Make a call that must not end its thread: exceptions are only reported."""
    try:
        call(*arguments)
    except BaseException:
        threading.excepthook(threading.ExceptHookArgs((*sys.exc_info(), None)))


class Background:
    """A daemon thread that makes calls one after another."""

    def __init__(self) -> None:
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        weakref.finalize(self, self._jobs.put, None)

    def submit(self, call: Callable[[], Found], on_end: Job | None = None) -> Task[Found]:
        """Queue a call; `on_end` is called when it is done."""
        task = Task[Found](on_end)
        self.queue(task, call)
        return task

    def queue(self, task: Task[Found], call: Callable[[], Found]) -> None:
        """Queue a call whose end is that of a given task."""
        if self._thread is None or not self._thread.is_alive():  # after a fork the thread is gone
            self._thread = start_thread(partial(_work, self._jobs))
        self._jobs.put(partial(task.run, call))

    def close(self, patience: float = 0.0) -> None:
        """End the thread after its queued calls; wait up to `patience` seconds for that."""
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


def in_background(call: Callable[[], Found], on_end: Job | None = None) -> Task[Found]:
    """Make one call in a new thread; `on_end` is called when it is done."""
    task = Task[Found](on_end)
    start_thread(partial(task.run, call))
    return task


def start_thread(call: Job, name: str | None = None) -> threading.Thread:
    """Start a thread that makes one call and does not keep the interpreter from exiting."""
    thread = threading.Thread(target=call, name=name, daemon=True)
    thread.start()
    return thread


def call_later(seconds: float, call: Job) -> Job:
    """Make a call in another thread after so many seconds; return what prevents it until then."""
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()
    return timer.cancel
