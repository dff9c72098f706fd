"""The parent's side of a worker process: starts it, sends searches, reads answers."""

from __future__ import annotations

import contextlib
import pickle
import threading
import time
from functools import partial
from typing import Any

from plyboard.agents.agent import Agent
from plyboard.agents.bots.limits import Limits
from plyboard.agents.bots.messages import CHOSEN, FAILED, IMPROVED, SEARCHING, STOP
from plyboard.agents.bots.search_request import SearchRequest
from plyboard.agents.bots.worker_main import run_worker
from plyboard.errors import BotError, PlyboardError, UsageError, shown
from plyboard.games import Game
from plyboard.processes.background import start_thread
from plyboard.processes.child_process import (
    exit_reason,
    new_pipe,
    new_process,
    start_process,
    wait,
)
from plyboard.processes.values import UnreadableError, receive_value

SECONDS_TO_EXIT = 1.0  # for a process that has closed its pipe, before it is killed


class Worker:
    """A process, and the thread that reads its messages until it exits."""

    def __init__(
        self,
        agent: Agent,
        game: Game,
        limits: Limits,
    ) -> None:
        self.limits, self.requests = limits, dict[int, SearchRequest]()
        self._has_answered, self._has_compiled = False, False
        self._lock, self._sending = threading.Lock(), threading.Lock()
        self._pipe, theirs = new_pipe()
        self._wake_sender, self._wake_receiver = new_pipe()
        self.process = new_process(
            run_worker, theirs, _pickle_agent(agent), game, limits, daemon=True
        )
        start_process(self.process)
        theirs.close()
        self.is_alive, self._reason = True, ""
        self.reader = start_thread(self._read_until_exit)

    def submit(self, request: SearchRequest) -> None:
        """Send a request to the process; it fails at once if the process has exited."""
        limits = self.limits  # once the code is compiled, only the previous search has to end
        slowest = 2 * limits.patience if self._has_compiled else limits.compiling
        request.deadline = time.monotonic() + slowest
        with self._lock:
            is_alive = self.is_alive
            if is_alive:
                self.requests[request.number] = request
        if is_alive:  # if it exits from here on, the reader fails the search
            self.send(request.kind, request.number, (request.position, request.budget))
            request.search.on_stop(partial(self._request_stop, request))
            self._wake_reader()
        else:
            self._fail(request)

    def _request_stop(self, request: SearchRequest) -> None:
        """Ask the process to stop a search; it is killed if it does not answer in time."""
        self.send(STOP, request.number, None)
        if not request.search.is_compiling:
            request.deadline = time.monotonic() + self.limits.patience
        self._wake_reader()

    def send(self, kind: str, number: int, value: object) -> bool:
        """Send a message; return False if the process has exited."""
        try:
            with self._sending:
                self._pipe.send((kind, number, value))
        except (OSError, ValueError):
            return False
        return True

    def kill(self, reason: str) -> None:
        """Kill the process."""
        self._reason = self._reason or reason
        self.process.kill()

    @property
    def has_ended(self) -> bool:
        """Whether the process has exited, even if the reader has not noticed yet."""
        sentinel: Any = self.process.sentinel
        return not self.is_alive or bool(wait([sentinel], 0))

    def _wake_reader(self) -> None:
        with contextlib.suppress(OSError):
            self._wake_sender.send(None)

    def _read_until_exit(self) -> None:
        """Handle messages until the process exits; kill it when a deadline passes."""
        sentinel: Any = self.process.sentinel
        while True:
            ready = wait([self._pipe, self._wake_receiver, sentinel], self._seconds_to_deadline())
            if self._wake_receiver in ready:
                self._wake_receiver.recv()
            if self._pipe in ready:
                if self._receive():
                    continue
                break
            if sentinel in ready:
                break
            self._kill_if_late()
        self._clean_up()

    def _seconds_to_deadline(self) -> float | None:
        times = [each.deadline for each in list(self.requests.values()) if each.deadline]
        return max(0.0, min(times) - time.monotonic()) if times else None

    def _kill_if_late(self) -> None:
        seconds = self._seconds_to_deadline()
        if seconds == 0.0:
            self.kill("it did not answer in time, and was killed")

    def _receive(self) -> bool:
        """Handle one message; return False if none could be read."""
        try:
            kind, number, value = receive_value(self._pipe)
            known = isinstance(kind, str) and isinstance(number, int)
            if not known or (kind == FAILED and not isinstance(value, PlyboardError)):
                raise UnreadableError("no message")
        except (EOFError, OSError):
            return False
        except (UnreadableError, TypeError, ValueError) as fault:
            self.kill(f"what it sent cannot be read: {fault}")
            return False
        self._handle(kind, number, value)
        return True

    def _handle(self, kind: str, number: int, value: Any) -> None:
        request = self.requests.get(number)
        if request is None:
            return
        search = request.search
        try:
            if kind == SEARCHING:
                self._began(request)
            elif kind == IMPROVED:
                search.improve(value)
        except BaseException as fault:  # raised by the listener
            del self.requests[number]
            search.stop()
            search.fail(fault)
        if kind in (CHOSEN, FAILED):
            del self.requests[number]
            self._has_answered = True
            self._has_compiled |= kind == CHOSEN  # `prepare` sends no SEARCHING
            if kind == CHOSEN:
                search.finish(value)
            else:
                search.fail(value)

    def _began(self, request: SearchRequest) -> None:
        """Start the clock: all code is compiled."""
        self._has_compiled = True
        search, seconds = request.search, request.budget.seconds
        request.deadline = None
        search.begin()
        if search.is_stopped:
            request.deadline = time.monotonic() + self.limits.patience
        elif seconds is not None:
            request.deadline = time.monotonic() + seconds + self.limits.patience

    def _clean_up(self) -> None:
        """Fail the pending searches of a process that has exited.

        A search that it had not started goes to the next process, if this one had answered before.
        """
        self.process.join(SECONDS_TO_EXIT)
        if self.process.exitcode is None:
            self.kill("it closed its pipe, and was killed")
            self.process.join()
        with self._lock:
            self.is_alive = False
            pending = list(self.requests.values())
            self.requests.clear()
        for request in pending:
            if self._has_answered and request.search.is_compiling and not self._reason:
                request.resubmit(request)
            else:
                self._fail(request)
        for pipe in (self._pipe, self._wake_sender, self._wake_receiver):
            pipe.close()

    def _fail(self, request: SearchRequest) -> None:
        reason = self._reason or exit_reason(self.process.exitcode)
        request.search.fail(BotError("the process of the bot is gone", reason=reason))


def _pickle_agent(agent: Agent) -> bytes:
    """Return a pickled agent; raise `UsageError` if it cannot be pickled."""
    try:
        return pickle.dumps(agent)
    except Exception as fault:  # by pickle, or by the agent itself
        reason = shown(f"{type(fault).__name__}: {fault}", 200)
        raise UsageError(
            "agent not for a process", reason=f"it cannot be pickled: {reason}"
        ) from fault
