"""Progress on anything that may take over two seconds, and Ctrl-C that is heard at once."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TypeVar

Item = TypeVar("Item")
Task = Callable[[], Item]
LATE = 2.0  # seconds after which a person wants to see something


def watched(tasks: Sequence[Task[Item]], what: str) -> Iterator[Item]:
    """Yield the result of each task, run in a thread, with a bar where a person looks on.

    Compiled loops hold no lock, so that Ctrl-C in the main thread is answered while one runs.
    """
    from plyboard.search.common.background import Background

    background = Background()
    try:
        with _bar(len(tasks), what) as advance:
            for task in tasks:
                result = background.submit(task).result()
                advance()
                yield result
    finally:
        background.close()


def counted(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """Yield items, perhaps of a number that is not known; after two seconds they are counted."""
    began = time.monotonic()
    advance: Callable[[], None] | None = None
    with ExitStack() as shown:
        for number, item in enumerate(items, 1):
            if advance is None and time.monotonic() > began + LATE:
                advance = shown.enter_context(_bar(total, what))
                for _ in range(number - 1):
                    advance()
            if advance is not None:
                advance()
            yield item


@contextmanager
def _bar(total: int | None, what: str) -> Iterator[Callable[[], None]]:
    """Give what moves a bar on standard error by one; nothing is shown where nobody looks on."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress

    columns = (*Progress.get_default_columns(), MofNCompleteColumn())
    screen, prints = Console(stderr=True), sys.stdout.isatty()
    with Progress(*columns, console=screen, transient=True, redirect_stdout=prints) as progress:
        task = progress.add_task(what, total=total)
        yield lambda: progress.advance(task)
