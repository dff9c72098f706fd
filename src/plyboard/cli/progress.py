"""Progress on anything that may take over two seconds, and Ctrl-C that is heard at once."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

Item = TypeVar("Item")
Task = Callable[[], Item]


def watched(tasks: Sequence[Task[Item]], what: str) -> Iterator[Item]:
    """Yield the result of each task, run in a thread, with a bar where a person looks on.

    Compiled loops hold no lock, so that Ctrl-C in the main thread is answered while one runs.
    """
    results: queue.Queue[tuple[Item | None, BaseException | None]] = queue.Queue()

    def work() -> None:
        for task in tasks:
            try:
                results.put((task(), None))
            except BaseException as fault:  # handed to the caller, who raises it
                results.put((None, fault))
                return

    threading.Thread(target=work, daemon=True).start()
    with _bar(len(tasks), what) as advance:
        for _ in tasks:
            result, fault = _wait(results)
            if fault is not None:
                raise fault
            advance()
            yield result  # type: ignore[misc]


def _wait(results: queue.Queue[Item]) -> Item:
    while True:
        try:
            return results.get(timeout=0.05)
        except queue.Empty:
            continue


class _bar:  # noqa: N801
    """A progress bar on standard error; nothing where that is not a terminal."""

    def __init__(self, total: int, what: str) -> None:
        self.total, self.what = total, what

    def __enter__(self) -> Callable[[], None]:
        if not sys.stderr.isatty():
            return lambda: None
        from rich.console import Console
        from rich.progress import MofNCompleteColumn, Progress

        columns = (*Progress.get_default_columns(), MofNCompleteColumn())
        self.progress = Progress(
            *columns,
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=sys.stdout.isatty(),
        )
        self.progress.start()
        task = self.progress.add_task(self.what, total=self.total)
        return lambda: self.progress.advance(task)

    def __exit__(self, *_exception: object) -> None:
        if hasattr(self, "progress"):
            self.progress.stop()
