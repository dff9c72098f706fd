"""The store as the event loop uses it: nothing here blocks."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

from plyboard.server.protocol import RequestError
from plyboard.server.rates import AddressTable
from plyboard.server.storage.reader import StorageError
from plyboard.server.storage.store import GameStore
from plyboard.server.storage.writes import StaleError, Write
from plyboard.server.workers.turns import Turns

Found = TypeVar("Found")
READ_AT_ONCE = 2  # lists and games, for clients
UNAVAILABLE = "The server cannot reach its store now. Try again."
UNKNOWN = "It is not known whether this was stored. Send it again with the same id."


class StaleRoomError(RequestError):
    """Another server has changed the game."""

    def __init__(self) -> None:
        super().__init__("stale", "The game has changed meanwhile.")


class StoreAccess:
    """Reads in threads, in turns by address, and writes that return when they are on disk."""

    def __init__(self, store: GameStore, addresses: AddressTable) -> None:
        self.store, self._addresses = store, addresses
        self._reading = Turns(READ_AT_ONCE)

    async def read(
        self, call: Callable[..., Found], *arguments: object, address: str = ""
    ) -> Found:
        """Call the store in a thread; raise `RequestError` if it cannot be read.

        The time that it takes counts as work for an address, if one is given.
        """
        if not address:
            return await self._read(call, *arguments)
        self._addresses.check_work(address)
        seconds = list[float]()

        def timed() -> Found:
            began = time.thread_time()
            try:
                return call(*arguments)
            finally:
                seconds.append(time.thread_time() - began)

        try:
            async with self._reading.of(address):
                return await self._read(timed)
        finally:
            self._addresses.charge(address, sum(seconds))

    async def _read(self, call: Callable[..., Found], *arguments: object) -> Found:
        try:
            return await asyncio.to_thread(call, *arguments)
        except StorageError as fault:
            raise RequestError("storage_unavailable", UNAVAILABLE) from fault

    async def write(self, write: Write) -> None:
        """Return when a write is on disk; raise `RequestError` if it cannot be stored."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()

        def finish(fault: BaseException | None) -> None:
            if done.done():  # the caller has gone
                return
            if fault is None:
                done.set_result(None)
            else:
                done.set_exception(fault)

        def written(fault: BaseException | None) -> None:
            loop.call_soon_threadsafe(finish, fault)

        self.store.submit(write, written)
        try:
            await asyncio.shield(done)
        except StaleError as fault:
            raise StaleRoomError from fault
        except StorageError as fault:
            raise RequestError("storage_unavailable", UNKNOWN) from fault
