"""Progress bars for work that may take over two seconds and stays responsive to Ctrl-C."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TypeVar

Item = TypeVar("Item")
Task = Callable[[], Item]
LATE = 2.0  # seconds until a bar appears


def watched(tasks: Sequence[Task[Item]], what: str) -> Iterator[Item]:
    """Yield the result of each task, run in a thread, with a progress bar on a terminal.

    Compiled loops release the GIL, so the main thread handles Ctrl-C while one runs.
    """
    from plyboard.processes.background import Background

    background = Background()
    try:
        with _bar(len(tasks), what) as advance:
            for task in tasks:
                result = background.submit(task).result()
                advance()
                yield result
    finally:
        background.close()


def with_progress(items: Iterable[Item], what: str, total: int | None = None) -> Iterator[Item]:
    """Yield items; after two seconds a bar counts them. The total may be unknown."""
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
    """Give a function that advances a bar on standard error; no bar without a terminal."""
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
