"""What runs many independent tasks, wherever that is."""

from __future__ import annotations

import pickle
import traceback
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from itertools import chain
from typing import Protocol, TypeVar

from plyboard.errors import PlyboardError, UnusableError, WorkerError

Task = TypeVar("Task")
Answer = TypeVar("Answer")

TRIES = 2  # of a task whose process dies
MOST_DEATHS = 3  # of processes in a row without a result; then no other one would do better
MOST_LOST = 2  # tasks in a row, where deaths are not counted


@dataclass(frozen=True)
class LostTask:
    """Stands for the result of a task that no process survived."""

    reason: str


Done = tuple[Task, Answer | LostTask]
"""A task with its result."""
Batches = Generator[list[Done[Task, Answer]], None, None]


class Executor(Protocol):
    """Runs a function on many tasks, at the same time and in other processes if it can."""

    @property
    def slots(self) -> int:
        """How many tasks can run at the same time."""

    def run(
        self, function: Callable[[Task], Answer], tasks: Iterable[Task]
    ) -> Batches[Task, Answer]:
        """Yield the tasks with their results, in the order of completion.

        Each list holds what has completed since the last one. Tasks are taken from the iterable
        one by one, as processes become free. A task whose process dies is given to another process
        once; if that dies too, the result is a `LostTask`. If processes die one after another,
        and none returns a result, `WorkerError` is raised with the reason. An exception raised by
        the function is raised here. Closing the generator ends the processes.

        The function is a function of a module, tasks can be pickled, and results are of the kinds
        in `values`.
        """


def until_all_are_lost(batches: Batches[Task, Answer]) -> Batches[Task, Answer]:
    """Yield what is done; a lost task only with the next result, which shows that others live."""
    lost: list[Done[Task, Answer]] = []
    with closing(batches):
        for batch in batches:
            lost += [each for each in batch if isinstance(each[1], LostTask)]
            found = [each for each in batch if not isinstance(each[1], LostTask)]
            if found:
                yield [*lost, *found]
                lost = []
            elif len(lost) >= MOST_LOST:
                reason = lost[-1][1].reason if isinstance(lost[-1][1], LostTask) else ""
                raise WorkerError(f"{len(lost)} tasks in a row were lost", reason=reason)
        if lost:
            yield lost


def results(
    executor: Executor, function: Callable[[Task], Answer], tasks: Iterable[Task]
) -> Iterator[tuple[Task, Answer]]:
    """Yield each task with its result, in the order of completion; raise if one is lost."""
    with closing(executor.run(function, tasks)) as batches:
        for task, answer in chain.from_iterable(batches):
            if isinstance(answer, LostTask):
                raise UnusableError("a task was given up", reason=answer.reason)
            yield task, answer


class RemoteError(Exception):
    """An unexpected exception in another process, with its traceback as text."""


Attempted = tuple[Answer | None, Exception | None]
"""The result of a function or its exception."""


def attempted(function: Callable[[Task], Answer], task: Task) -> Attempted[Answer]:
    """Run a function in a process for others; return its result, or an exception to be raised."""
    try:
        return function(task), None
    except Exception as fault:
        return None, _sendable(fault)


def _sendable(fault: Exception) -> Exception:
    """Return an exception that can be pickled: ours unchanged, any other as its traceback."""
    if isinstance(fault, PlyboardError):
        with suppress(Exception):
            pickle.loads(pickle.dumps(fault))
            return fault
    return RemoteError("".join(traceback.format_exception(fault)))
