"""Turns at something scarce, one for each of those who wait, whoever asks most."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """Lets a few run at the same time. Those who wait are served in turns by their owner."""

    def __init__(self, at_once: int) -> None:
        self._free = at_once
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()

    def waiting(self, owner: str) -> int:
        """Return how many of an owner wait."""
        return len(self._waiting.get(owner, ()))

    @asynccontextmanager
    async def of(self, owner: str) -> AsyncIterator[None]:
        """Wait for a turn, and end it with the block."""
        await self._begin(owner)
        try:
            yield
        finally:
            self._end()

    async def _begin(self, owner: str) -> None:
        if self._free:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._end()  # it was given just now
            raise

    def _end(self) -> None:
        """Give the turn to the next owner who waits."""
        while self._waiting:
            owner, turns = self._waiting.popitem(last=False)
            while turns and turns[0].done():  # has given up
                turns.popleft()
            if not turns:
                continue
            turn = turns.popleft()
            if turns:
                self._waiting[owner] = turns  # again, after all others
            turn.set_result(None)
            return
        self._free += 1
