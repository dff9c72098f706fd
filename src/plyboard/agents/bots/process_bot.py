"""Bots that search in their own process: a crash of the process costs one search."""

from __future__ import annotations

import os
import threading

from plyboard.agents.agent import NO_LIMIT, Agent
from plyboard.agents.bots.bot import CLOSED, BaseBot, check_start
from plyboard.agents.bots.limits import Limits
from plyboard.agents.bots.messages import FORGET, OPEN, PREPARE, START
from plyboard.agents.bots.running_search import NO_LISTENER, Listener, RunningSearch
from plyboard.agents.bots.search_request import SearchRequest
from plyboard.agents.bots.worker import Worker
from plyboard.errors import PlyboardError, UnusableError, UsageError
from plyboard.games import Game, Position
from plyboard.search.common.budget import Budget


class ProcessBot(BaseBot):
    """A bot whose searches run in a separate process, which is replaced if it exits."""

    def __init__(self, agent: Agent, game: Game, limits: Limits | None = None) -> None:
        self.agent, self.game, self.name = agent, game, agent.name
        self.limits = limits or Limits()
        self._worker: Worker | None = None
        self._number = 0
        self._last: RunningSearch | None = None
        self._is_closed = False
        self._owner = os.getpid()
        self._lock = threading.RLock()  # held to use and to replace the worker

    @property
    def process_id(self) -> int | None:
        """The process id; None while no process runs."""
        worker = self._worker
        return worker.process.pid if worker is not None and worker.is_alive else None

    def prepare(self, listener: Listener = NO_LISTENER, *, compiles: bool = True) -> RunningSearch:
        """Start the process, and compile everything its searches need unless told otherwise."""
        search = RunningSearch(listener)
        self._submit(search, PREPARE if compiles else OPEN, None, NO_LIMIT)
        return search

    def run(self, search: RunningSearch, position: Position, budget: Budget = NO_LIMIT) -> None:
        """Run a search. One that is still running is stopped first."""
        check_start(position, budget, self.game)
        self._submit(search, START, position, budget)

    def _submit(
        self, search: RunningSearch, kind: str, position: Position | None, budget: Budget
    ) -> None:
        with self._lock:
            if self._last is not None:
                self._last.stop()
            worker = self._live_worker()
            self._number += 1
            self._last = search
            worker.submit(
                SearchRequest(kind, self._number, position, budget, search, self._resubmit)
            )

    def _resubmit(self, request: SearchRequest) -> None:
        try:
            self._live_worker().submit(request)
        except PlyboardError as fault:
            request.search.fail(fault)

    def _live_worker(self) -> Worker:
        """Return the current worker, or a new one if its process has exited."""
        with self._lock:
            if self._is_closed:
                raise UsageError(CLOSED)
            if self._owner != os.getpid():
                raise UsageError("bot not open here", reason="got a question in a forked process")
            if self._worker is None or self._worker.has_ended:
                try:
                    self._worker = Worker(self.agent, self.game, self.limits)
                except OSError as fault:
                    raise UnusableError(
                        "cannot start a process", reason=str(fault.strerror)
                    ) from fault
            return self._worker

    def forget(self) -> None:
        """Clear tables and trees from earlier searches."""
        if self._worker is not None and self._worker.is_alive:
            self._worker.send(FORGET, 0, None)

    def close(self) -> None:
        """Kill the process and wait for its exit."""
        with self._lock:
            self._is_closed, worker, self._worker = True, self._worker, None
        if worker is not None and self._owner == os.getpid():
            worker.kill("the bot was closed")
            if worker.reader is not threading.current_thread():
                worker.reader.join()

    def __del__(self) -> None:
        """Kill the process of a bot that is no longer referenced."""
        worker = getattr(self, "_worker", None)
        if worker is not None and self._owner == os.getpid():
            worker.kill("nobody holds its bot any more")
