"""Worker processes that ignore Ctrl-C and end with their parent."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Iterator
from functools import partial
from multiprocessing.context import SpawnProcess
from pathlib import Path

from plyboard.processes.background import start_thread
from plyboard.processes.uninterrupted import run_in_thread

SPAWN = multiprocessing.get_context("spawn")
STDOUT = 1


def begin_worker() -> None:
    """Make this process ignore Ctrl-C and end when its parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    start_thread(_leave_with_parent)


def discard_output() -> None:
    """Send the standard output of this process to nowhere: the parent's output is not its own."""
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), STDOUT)


def start_process(process: SpawnProcess) -> None:
    """Start a process; Ctrl-C interrupts neither the start nor the new process."""
    run_in_thread(partial(_start, process))


def exit_reason(code: int | None) -> str:
    """Return in words how a process has ended."""
    if code is not None and code < 0:
        names = {each.value: f" ({each.name})" for each in signal.Signals}
        return f"it was ended by signal {-code}{names.get(-code, '')}"
    return f"it ended with exit code {code}"


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _start(process: SpawnProcess) -> None:
    with _without_interrupts():
        process.start()


@contextlib.contextmanager
def _without_interrupts() -> Iterator[None]:
    """Block Ctrl-C while a process starts, until it ignores the signal by itself."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # starting it later would unblock the signal again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
