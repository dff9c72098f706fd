"""Searches that Ctrl-C stops early, with the results so far."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plyboard.agents import Choice, RunningSearch

TICK = 0.05
GRACE = 0.5  # seconds that a stopped search may take to return


def stoppable(search: RunningSearch, told: Callable[[], str]) -> tuple[Choice, bool]:
    """Return the choice of a search, and whether Ctrl-C stopped it early.

    A status text is shown meanwhile if standard error is a terminal.
    """
    try:
        with status_line() as show:
            while not search.wait(TICK):
                show(told())
    except KeyboardInterrupt:
        search.stop()
        if not search.wait(GRACE):  # perhaps it is compiling, which cannot be stopped
            raise
        return search.result(), True
    return search.result(), False


@contextmanager
def status_line(text: str = "") -> Iterator[Callable[[str], None]]:
    """Give a function that shows a status text on standard error, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status(text) as status:
        yield status.update
