"""Requests about positions and texts: their work is done in processes, in turns by address."""

from __future__ import annotations

import asyncio
from typing import Any

from plyboard.errors import UnusableError
from plyboard.games import Position
from plyboard.processes.task_process import CallProcess
from plyboard.search.common.choice import Choice
from plyboard.server.protocol import AnalysisView, RequestError
from plyboard.server.rates import BUSY, AddressTable
from plyboard.server.study.tasks import Done, Explain, Import, Task, perform
from plyboard.server.workers.turns import Turns

MEMORY = 1024  # MiB of a process
NICENESS = 5  # play goes first
SECONDS = 20.0  # for a task; only a game of others takes longer
OURS = "analyses"  # who asks for what several addresses wait for
IMPORT_SECONDS = 60.0  # for a file of 10 MiB


class Study:
    """Two processes: one for what is quick, and one for files, which may take long."""

    def __init__(self, addresses: AddressTable) -> None:
        self._addresses = addresses
        self._quick = _Desk(SECONDS)
        self._files = _Desk(IMPORT_SECONDS)

    async def ask(self, address: str, task: Task) -> Any:
        """Return the result of a task.

        Raises `RequestError` if the address has used too much already, or if the task failed, and
        the `PlyboardError` of a text that cannot be read or written.
        """
        self.check_work(address)
        desk = self._files if isinstance(task, Import) else self._quick
        if desk.turns.waiting(address) >= self._addresses.limits.waiting_work:
            raise RequestError("busy", BUSY)
        try:
            done = await desk.do(address, task)
        except UnusableError as fault:
            self._addresses.charge(address, desk.seconds)
            raise RequestError(
                "search_failed", "That took too long, or too much memory."
            ) from fault
        self._addresses.charge(address, done.seconds)
        if done.fault is not None:
            raise done.fault
        return done.found

    async def final_view(self, position: Position, choice: Choice) -> AnalysisView:
        """Return the result of an analysis with its reasons."""
        done = await self._quick.do(OURS, Explain(position, choice))
        view: AnalysisView = done.found
        return view

    def check_work(self, address: str) -> None:
        """Raise `RequestError` if an address has used up the work that it may ask for now."""
        self._addresses.check_work(address)

    async def close(self) -> None:
        """End the processes."""
        for desk in (self._quick, self._files):
            await asyncio.to_thread(desk.process.close)


class _Desk:
    """A process, and the turns of those who wait for it."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.turns = seconds, Turns(1)
        self.process: CallProcess[Task, Done] = CallProcess(perform, MEMORY, NICENESS)

    async def do(self, owner: str, task: Task) -> Done:
        """Wait for a turn, and do a task; raise `UnusableError` if its process fails."""
        async with self.turns.of(owner):
            return await asyncio.to_thread(self.process.call, task, self.seconds)
