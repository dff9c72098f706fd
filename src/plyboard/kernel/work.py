"""Counting the work of kernels that run as plain Python, so that compiled code can take over."""

from __future__ import annotations

import threading
from collections.abc import Callable

from plyboard.kernel.marks import primitive

NODE_WORK = 10  # units of work of a node of a search, with its moves and its evaluation


class WorkCounter(threading.local):
    """What counts the work of this thread; None if nobody wants to know."""

    tick: Callable[[int], None] | None = None


COUNTER = WorkCounter()


@primitive("work", always=True)
def work(units: int) -> None:
    """Count some work; one unit is about that of a move in a random game.

    Each loop of a search calls it in every round. Compiled code does nothing here.
    """
    if COUNTER.tick is not None:
        COUNTER.tick(units)
