"""Calls in a copy of this process, which can be killed at any time."""

from __future__ import annotations

import os
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from contextlib import suppress

from plyboard.processes.child_process import Connection

HAS_FORK = sys.platform == "linux"  # elsewhere a fork may break system libraries
MOST_FILES = 4096  # file descriptors closed in a forked process
_CHILDREN: list[int] = []


def can_fork() -> bool:
    """Return whether a fork is safe: on Linux, in a process with a single thread."""
    return HAS_FORK and threading.active_count() == 1


def call_in_fork(call: Callable[[], object], pipe: Connection) -> Callable[[], None]:
    """Make a call in a forked process, which gets this pipe; return the function that kills it.

    The child closes all other files: a program that waits for this process to close its pipes
    would otherwise wait for the child.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # there is one thread
        child = os.fork()
    if child == 0:
        try:
            own = pipe.fileno()
            os.closerange(3, own)
            os.closerange(own + 1, MOST_FILES)
            call()
        finally:
            os._exit(0)
    pipe.close()
    _reap()
    _CHILDREN.append(child)
    return lambda: os.kill(child, signal.SIGKILL)


def _reap() -> None:
    """Reap the children of earlier calls."""
    for child in list(_CHILDREN):
        with suppress(ChildProcessError):
            if os.waitpid(child, os.WNOHANG)[0] == 0:
                continue
        _CHILDREN.remove(child)
