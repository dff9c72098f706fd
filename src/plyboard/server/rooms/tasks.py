"""Tasks that run beside the requests of clients."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Any, TypeVar

LOG = logging.getLogger("plyboard.server")
Found = TypeVar("Found")


class Tasks:
    """The tasks of a server. A failure of one is logged."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()

    def spawn(self, work: Coroutine[object, object, Found]) -> asyncio.Task[Found]:
        """Run a task of its own."""
        task = asyncio.get_running_loop().create_task(work)
        self._running.add(task)
        task.add_done_callback(self._end)
        return task

    def cancel(self) -> None:
        """Cancel all tasks."""
        for task in list(self._running):
            task.cancel()

    def _end(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            LOG.error("a task of the server failed", exc_info=fault)
