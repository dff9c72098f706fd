"""Searches that Ctrl-C cuts short: what they have found by then counts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plyboard.agents import Choice, RunningSearch

TICK = 0.05
GRACE = 0.5  # seconds that a search which is stopped may take to say what it has


def stoppable(search: RunningSearch, told: Callable[[], str]) -> tuple[Choice, bool]:
    """Return what a search finds, and whether Ctrl-C cut it short.

    Ctrl-C stops the search, and it gives what it has. What is told meanwhile is shown where a
    person looks on.
    """
    try:
        with _live() as show:
            while not search.wait(TICK):
                show(told())
    except KeyboardInterrupt:
        search.stop()
        if not search.wait(GRACE):  # it compiles, perhaps: nobody waits for that
            raise
        return search.result(), True
    return search.result(), False


@contextmanager
def _live() -> Iterator[Callable[[str], None]]:
    """Give what shows a text on standard error where a person looks on."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status("") as status:
        yield status.update
