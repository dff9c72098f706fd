"""Tasks in processes of this machine."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic, cast

from plyboard.errors import WorkerError
from plyboard.processes.child_process import wait
from plyboard.processes.executor import (
    MOST_DEATHS,
    TRIES,
    Answer,
    Batches,
    Done,
    LostTask,
    Task,
    until_all_are_lost,
)
from plyboard.processes.task_process import Attempt, DeathError, TaskProcess


@dataclass(frozen=True)
class LocalExecutor:
    """Runs tasks in so many processes, each of which takes one task after another."""

    workers: int = 1

    @property
    def slots(self) -> int:
        """How many tasks can run at the same time."""
        return self.workers

    def run(
        self, function: Callable[[Task], Answer], tasks: Iterable[Task]
    ) -> Batches[Task, Answer]:
        """Yield the tasks with their results; see `Executor.run`."""
        yield from until_all_are_lost(self._run(function, tasks))

    def _run(
        self, function: Callable[[Task], Answer], tasks: Iterable[Task]
    ) -> Batches[Task, Answer]:
        pool = _Pool[Task, Answer](function, iter(tasks), self.workers)
        try:
            is_busy = pool.keep_busy()
            while is_busy:
                done = pool.wait()
                is_busy = pool.keep_busy()  # before the caller takes its time
                if done:
                    yield done
        finally:
            pool.close()


@dataclass
class _Pool(Generic[Task, Answer]):
    """The processes of one run, and the tasks that are not done."""

    function: Callable[[Task], Answer]
    tasks: Iterator[Task]
    size: int
    again: deque[Attempt[Task]] = field(default_factory=deque)  # after the death of a process
    processes: list[TaskProcess[Task]] = field(default_factory=list)
    deaths: int = 0  # of processes since the last result

    def keep_busy(self) -> bool:
        """Give tasks to free processes and start missing ones; return whether any is busy."""
        free = [each for each in self.processes if each.current is None]
        missing = self.size - len(self.processes)
        while free or missing:
            attempt = self._next()
            if attempt is None:
                break
            if free:
                process = free.pop()
            else:
                process = TaskProcess[Task](self.function)
                self.processes.append(process)
                missing -= 1
            process.begin(attempt)
        return any(each.current is not None for each in self.processes)

    def wait(self) -> list[Done[Task, Answer]]:
        """Wait for a process, and return all tasks that are done."""
        sources: dict[Any, TaskProcess[Task]] = {
            each.pipe: each for each in self.processes if each.current is not None
        }
        done: list[Done[Task, Answer]] = []
        for pipe in wait(list(sources)):  # a pipe whose process has died is ready, too
            process = sources[pipe]
            attempt = process.current
            assert attempt is not None
            try:
                value, fault = process.receive()
            except DeathError as death:
                done += self._lost(process, attempt, str(death))
                continue
            process.current, self.deaths = None, 0
            if fault is not None:
                raise fault
            done.append((attempt.task, cast("Answer", value)))
        return done

    def close(self) -> None:
        """End all processes."""
        for each in self.processes:
            each.end()

    def _next(self) -> Attempt[Task] | None:
        if self.again:
            return self.again.popleft()
        for task in self.tasks:
            return Attempt(task)
        return None

    def _lost(
        self, process: TaskProcess[Task], attempt: Attempt[Task], reason: str
    ) -> Iterator[Done[Task, Answer]]:
        """Give the task of a dead process to another one, or give it up."""
        process.end()
        self.processes.remove(process)
        self.deaths += 1
        if self.deaths == MOST_DEATHS:
            raise WorkerError(f"{MOST_DEATHS} processes in a row have died", reason=reason)
        if attempt.tries < TRIES:
            self.again.append(attempt)
        else:
            yield attempt.task, LostTask(f"its process has died twice; {reason}")
