"""A process that runs one function on one task after another."""

from __future__ import annotations

import contextlib
import pickle
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, cast

from plyboard.errors import UnusableError, shown
from plyboard.processes.child_process import (
    Connection,
    begin_worker,
    discard_output,
    exit_reason,
    limit_memory,
    lower_priority,
    new_pipe,
    new_process,
    start_process,
)
from plyboard.processes.executor import (
    TRIES,
    Answer,
    Attempted,
    LostTask,
    RemoteError,
    Task,
    attempted,
)
from plyboard.processes.values import UnreadableError, encode_value, receive_value, send_value

SECONDS_TO_START = 60.0  # for a new process, before it begins its first task
SECONDS_TO_EXIT = 1.0  # for a process that has closed its pipe, before it is killed


class DeathError(Exception):
    """The end of a process that owes a result, with the reason."""


@dataclass
class Attempt(Generic[Task]):
    """A task, and how often it was begun."""

    task: Task
    tries: int = 0


class TaskProcess(Generic[Task]):
    """A process that runs one task at a time. It is no daemon: its bots may have processes."""

    def __init__(
        self, function: Callable[..., object], memory: int | None = None, niceness: int = 0
    ) -> None:
        self.pipe, theirs = new_pipe()
        self.process = new_process(_serve, theirs, pickle.dumps(function), memory, niceness)
        self.current: Attempt[Task] | None = None
        try:
            start_process(self.process)
        except OSError as fault:
            raise UnusableError("cannot start a process", reason=str(fault.strerror)) from None
        finally:
            theirs.close()

    def begin(self, attempt: Attempt[Task]) -> None:
        """Send a task to the process; if it is gone, reading its pipe will say so."""
        attempt.tries += 1
        self.current = attempt
        with contextlib.suppress(OSError):
            self.pipe.send(attempt.task)

    def receive(self) -> Attempted[Any]:
        """Return the next result; raise `DeathError` if the process ends instead."""
        try:
            found = receive_value(self.pipe)
        except (EOFError, OSError):
            raise DeathError(self._exit_reason()) from None
        except UnreadableError as fault:
            raise DeathError(f"what it sent cannot be read: {fault}") from None
        if isinstance(found, LostTask):
            raise DeathError(found.reason)
        if not isinstance(found, tuple) or len(found) != 2:
            raise DeathError("what it sent is no result")
        return found

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.process.kill()
        self.process.join()
        self.pipe.close()

    def _exit_reason(self) -> str:
        """Wait for a process that has closed its pipe, and return in words how it has ended."""
        self.process.join(SECONDS_TO_EXIT)
        return exit_reason(self.process.exitcode)


class CallProcess(Generic[Task, Answer]):
    """Calls a function in a process, one call at a time.

    The process starts with the first call. It is replaced if it dies or does not answer in time.
    """

    def __init__(
        self, function: Callable[[Task], Answer], memory: int | None = None, niceness: int = 0
    ) -> None:
        self._function, self._memory, self._niceness = function, memory, niceness
        self._process: TaskProcess[Task] | None = None
        self._is_closed = False
        self._lock = threading.Lock()  # held during a call

    def call(self, task: Task, seconds: float) -> Answer:
        """Return what the function returns, or raise what it raises.

        Raises `UnusableError` if no process survives the call, or if it takes too long.
        """
        with self._lock:
            attempt, reason = Attempt(task), "it was closed"
            while attempt.tries < TRIES and not self._is_closed:
                patience = seconds
                if self._process is None:
                    self._process = TaskProcess(self._function, self._memory, self._niceness)
                    patience += SECONDS_TO_START
                self._process.begin(attempt)
                try:
                    if not self._process.pipe.poll(patience):
                        self._end()
                        raise UnusableError("a process was ended", reason="it took too long")
                    value, fault = self._process.receive()
                except DeathError as death:
                    reason = str(death)
                    self._end()
                    continue
                except OSError:  # closed meanwhile
                    self._end()
                    continue
                if fault is not None:
                    raise fault
                return cast("Answer", value)
            raise UnusableError("a process has died twice", reason=reason)

    def close(self) -> None:
        """End the process, also in the middle of a call from another thread."""
        self._is_closed = True
        if (process := self._process) is not None:
            process.process.kill()
        with self._lock:
            self._end()

    def _end(self) -> None:
        if self._process is not None:
            self._process.end()
            self._process = None


def _serve(pipe: Connection, pickled: bytes, memory: int | None, niceness: int) -> None:
    """Run tasks one after another until the parent closes the pipe."""
    begin_worker()
    discard_output()
    if memory is not None:
        limit_memory(memory)
    lower_priority(niceness)
    with contextlib.suppress(EOFError, OSError):
        try:
            function: Callable[[object], object] = pickle.loads(pickled)
        except Exception as fault:  # importing its module may raise anything
            reason = shown(f"{type(fault).__name__}: {fault}", 200)
            send_value(pipe, LostTask(f"it cannot start: {reason}"))
            return
        while True:
            pipe.send_bytes(_result(attempted(function, pipe.recv())))


def _result(answer: Attempted[object]) -> bytes:
    """Return the result of a function as a message; an error if it is of no known kind."""
    try:
        return encode_value(answer)
    except Exception as fault:
        return encode_value((None, RemoteError(str(fault))))
