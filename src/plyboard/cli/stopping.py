"""Searches that Ctrl-C cuts short: what they have found by then counts."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from plyboard.search.budget import Watch

Item = TypeVar("Item")
TICK = 0.05
GRACE = 0.5  # seconds that a search which is stopped may take to say what it has


def stoppable(task: Callable[[], Item], watch: Watch, told: Callable[[], str]) -> tuple[Item, bool]:
    """Return the result of a task, run in a thread, and whether Ctrl-C cut it short.

    Ctrl-C stops the watch, and the task gives what it has. What is told meanwhile is shown where
    a person looks on.
    """
    results: queue.Queue[tuple[Item | None, BaseException | None]] = queue.Queue()

    def work() -> None:
        try:
            results.put((task(), None))
        except BaseException as fault:  # handed to the caller, who raises it
            results.put((None, fault))

    threading.Thread(target=work, daemon=True).start()
    was_stopped = False
    try:
        with _live() as show:
            result, fault = _wait(results, lambda: show(told()))
    except KeyboardInterrupt:
        watch.stop()
        was_stopped = True
        try:
            result, fault = results.get(timeout=GRACE)
        except queue.Empty:  # it compiles, perhaps: nobody waits for that
            raise KeyboardInterrupt from None
    if fault is not None:
        raise fault
    return cast("Item", result), was_stopped


def _wait(results: queue.Queue[Item], meanwhile: Callable[[], object]) -> Item:
    while True:
        try:
            return results.get(timeout=TICK)
        except queue.Empty:
            meanwhile()


@contextmanager
def _live() -> Iterator[Callable[[str], None]]:
    """Give what shows a text on standard error where a person looks on."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("") as status:
        yield status.update
