"""Turns at something scarce, one for each of those who wait, whoever asks most."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager


class Turns:
    """Lets a few run at the same time. Those who wait are served in turns by their owner.

    How many may run can change; it is at least one.
    """

    def __init__(self, at_once: int | Callable[[], int]) -> None:
        self._most = at_once if callable(at_once) else lambda: at_once
        self._running = 0
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
        if self._running < self._most() and not self._waiting:
            self._running += 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(owner, deque()).append(turn)
        self._give_turns()
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._end()  # it was given just now
            raise

    def _end(self) -> None:
        self._running -= 1
        self._give_turns()

    def _give_turns(self) -> None:
        """Give each free turn to the next owner who waits."""
        while self._waiting and self._running < self._most():
            owner, turns = self._waiting.popitem(last=False)
            while turns and turns[0].done():  # has given up
                turns.popleft()
            if not turns:
                continue
            turn = turns.popleft()
            if turns:
                self._waiting[owner] = turns  # again, after all others
            self._running += 1
            turn.set_result(None)
