"""The answer to `/health`: whether games can be stored and read now."""

from __future__ import annotations

import asyncio
from functools import partial

from plyboard.server.storage.health import StoreHealth
from plyboard.server.storage.reader import StorageError
from plyboard.server.storage.store import GameStore

LOOK_SECONDS = 1.0  # between two looks, however often somebody asks
PATIENCE = 0.8  # seconds for an answer of the store; `/health` must answer in time
HANGING_SECONDS = 5.0  # until the log says that the store hangs: most waits end with a better cause
SILENT = "it does not answer"


class HealthCheck:
    """Looks at the store when it is asked, at most once a second."""

    def __init__(self, store: GameStore) -> None:
        self._store, self._reading = store, StoreHealth("read")
        self._look: asyncio.Task[None] | None = None
        self._last = float("-inf")  # when the last look began

    async def cause(self) -> str:
        """Return why the store cannot be used now; empty if it can."""
        loop = asyncio.get_running_loop()
        if self._look is None and loop.time() - self._last >= LOOK_SECONDS:
            self._last = loop.time()
            self._look = loop.create_task(self._find_out())
        if self._look is not None:
            await asyncio.wait([self._look], timeout=max(0.0, self._last + PATIENCE - loop.time()))
        if self._store.health.cause or self._reading.cause:
            return self._store.health.cause or self._reading.cause
        if self._look is not None:
            return SILENT
        return "no news of other servers" if self._store.is_deaf else ""

    async def _find_out(self) -> None:
        """Write, and read what can be written, however long it takes."""
        loop = asyncio.get_running_loop()
        written: asyncio.Future[None] = loop.create_future()
        hangs = loop.call_later(HANGING_SECONDS, self._store.health.hear, StorageError(SILENT))
        try:
            self._store.send_heartbeat(lambda _: _call_soon(loop, partial(_end, written)))
            await written
            if not self._store.health.cause:
                self._reading.hear(await asyncio.to_thread(self._read))
        finally:
            hangs.cancel()
            self._look = None

    def _read(self) -> StorageError | None:
        try:
            self._store.check()
        except StorageError as fault:
            return fault
        return None


def _call_soon(loop: asyncio.AbstractEventLoop, call: partial[None]) -> None:
    """Make a call in the loop, from another thread; a loop that has ended hears no more."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(call)


def _end(written: asyncio.Future[None]) -> None:
    if not written.done():
        written.set_result(None)
