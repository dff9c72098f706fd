"""Worker processes that ignore Ctrl-C and end with their parent.

They import what their parent can import, but nothing from the current folder: a file there may
have the name of a module and come from anybody.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from functools import partial
from multiprocessing import util
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import Any

from plyboard.processes.background import start_thread
from plyboard.processes.uninterrupted import run_in_thread

__all__ = [
    "Connection", "begin_worker", "discard_output", "exit_reason", "limit_memory",
    "lower_priority", "new_pipe", "new_process", "start_process", "wait",
]  # fmt: skip
STDOUT = 1
_SPAWN = multiprocessing.get_context("spawn")
_FLAGS: Any = util  # its private function gives the options of all processes that it starts
_starting = threading.Lock()


def new_pipe(*, duplex: bool = True) -> tuple[Connection, Connection]:
    """Return two connected ends; without `duplex` the first one receives."""
    return _SPAWN.Pipe(duplex)


def new_process(
    target: Callable[..., object], *arguments: object, daemon: bool = False
) -> SpawnProcess:
    """Return a process that will call a function of a module; one that is a daemon starts none."""
    return _SPAWN.Process(target=target, args=arguments, daemon=daemon)


def begin_worker() -> None:
    """Make this process ignore Ctrl-C and end when its parent ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    start_thread(_leave_with_parent)


def discard_output() -> None:
    """Send the standard output of this process to nowhere: the parent's output is not its own."""
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), STDOUT)


def limit_memory(mebibytes: int) -> None:
    """Limit the memory of this process to so much on top of what it has, on Linux only."""
    try:
        import resource
    except ImportError:
        return
    if not Path("/proc/self/statm").exists():
        return
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * os.sysconf("SC_PAGE_SIZE") + (mebibytes << 20)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def lower_priority(niceness: int) -> None:
    """Let other processes go first, as the command `nice` does, and never interrupt them."""
    if niceness and hasattr(os, "nice"):
        os.nice(niceness)
        if hasattr(os, "SCHED_BATCH"):
            with contextlib.suppress(OSError):
                os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


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
    with _starting, _safe_path(), _without_interrupts():
        process.start()


@contextlib.contextmanager
def _safe_path() -> Iterator[None]:
    """Start Python with -P, also the process that watches over shared resources.

    Without it, both would import their first modules from the current folder.
    """
    usual = _FLAGS._args_from_interpreter_flags
    _FLAGS._args_from_interpreter_flags = lambda: ["-P", *usual()]
    try:
        yield
    finally:
        _FLAGS._args_from_interpreter_flags = usual


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
