"""Processes that work for another: they go when it does, and not by Ctrl-C."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading


def begin_worker() -> None:
    """Let this process leave Ctrl-C to its parent, and end with it however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
