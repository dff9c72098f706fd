"""Tasks in processes of this machine."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Generic

from plyboard.errors import UnusableError
from plyboard.processes.child_process import (
    Connection,
    begin_worker,
    discard_output,
    exit_reason,
    new_pipe,
    new_process,
    start_process,
    wait,
)
from plyboard.processes.executor import TRIES, Answer, Batches, Done, LostTask, Task, attempted

SECONDS_TO_EXIT = 1.0  # for a process that has closed its pipe, before it is killed


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
class _Attempt(Generic[Task]):
    """A task, and how often it was begun."""

    task: Task
    tries: int = 0


class _TaskProcess(Generic[Task]):
    """A process that runs one task at a time. It is no daemon: its bots may have processes."""

    def __init__(self, function: Callable[..., object]) -> None:
        self.pipe, theirs = new_pipe()
        self.process = new_process(_serve, theirs, function)
        self.current: _Attempt[Task] | None = None
        try:
            start_process(self.process)
        except OSError as fault:
            raise UnusableError("cannot start a process", reason=str(fault.strerror)) from None
        finally:
            theirs.close()

    def begin(self, attempt: _Attempt[Task]) -> None:
        """Send a task to the process; if it is gone, `wait` will say so."""
        attempt.tries += 1
        self.current = attempt
        with contextlib.suppress(OSError):
            self.pipe.send(attempt.task)

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.process.kill()
        self.process.join()
        self.pipe.close()


@dataclass
class _Pool(Generic[Task, Answer]):
    """The processes of one run, and the tasks that are not done."""

    function: Callable[[Task], Answer]
    tasks: Iterator[Task]
    size: int
    again: deque[_Attempt[Task]] = field(default_factory=deque)  # after the death of a process
    processes: list[_TaskProcess[Task]] = field(default_factory=list)

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
                process = _TaskProcess[Task](self.function)
                self.processes.append(process)
                missing -= 1
            process.begin(attempt)
        return any(each.current is not None for each in self.processes)

    def wait(self) -> list[Done[Task, Answer]]:
        """Wait for a process, and return all tasks that are done."""
        sources: dict[Any, _TaskProcess[Task]] = {
            each.pipe: each for each in self.processes if each.current is not None
        }
        done: list[Done[Task, Answer]] = []
        for pipe in wait(list(sources)):  # a pipe whose process has died is ready, too
            process = sources[pipe]
            attempt = process.current
            assert attempt is not None
            try:
                value, fault = process.pipe.recv()
            except (EOFError, OSError):
                done += self._lost(process, attempt)
                continue
            process.current = None
            if fault is not None:
                raise fault
            done.append((attempt.task, value))
        return done

    def close(self) -> None:
        """End all processes."""
        for each in self.processes:
            each.end()

    def _next(self) -> _Attempt[Task] | None:
        if self.again:
            return self.again.popleft()
        for task in self.tasks:
            return _Attempt(task)
        return None

    def _lost(
        self, process: _TaskProcess[Task], attempt: _Attempt[Task]
    ) -> Iterator[Done[Task, Answer]]:
        """Give the task of a dead process to another one, or give it up."""
        process.process.join(SECONDS_TO_EXIT)
        code = process.process.exitcode
        process.end()
        self.processes.remove(process)
        if attempt.tries < TRIES:
            self.again.append(attempt)
        else:
            yield attempt.task, LostTask(f"its process has died twice; {exit_reason(code)}")


def _serve(pipe: Connection, function: Callable[[Any], object]) -> None:
    """Run tasks one after another until the parent closes the pipe."""
    begin_worker()
    discard_output()
    with contextlib.suppress(EOFError, OSError):
        while True:
            pipe.send(attempted(function, pipe.recv()))
