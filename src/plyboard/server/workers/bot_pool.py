"""The bots of a server: agents, analyses and trees borrow them, each in its own process."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

KEPT = 6  # idle processes
Key = tuple[str, str]  # who plays, and the spec of the game


class Closable(Protocol):
    """A bot, or the seat of one."""

    def close(self) -> None:
        """End its process."""


Lent = TypeVar("Lent", bound=Closable)


class BotPool:
    """Keeps idle bots for the next one who needs the same, and closes the oldest of too many.

    A process that has compiled the code of a game need not do it again. All methods are called in
    the event loop.
    """

    def __init__(self, kept: int = KEPT) -> None:
        self._kept, self._is_closed = kept, False
        self._idle: OrderedDict[Key, list[Closable]] = OrderedDict()
        self._busy: list[Closable] = []

    def has_idle(self, key: Key) -> bool:
        """Return whether a bot waits to be used."""
        return bool(self._idle.get(key))

    @contextmanager
    def lent(self, key: Key, opened: Callable[[], Lent]) -> Iterator[Lent]:
        """Lend an idle bot, or a new one, which opens its process when it is used first."""
        bot: Lent = self._idle[key].pop() if self.has_idle(key) else opened()  # type: ignore[assignment]
        self._busy.append(bot)
        try:
            yield bot
        finally:
            self._busy = [each for each in self._busy if each is not bot]
            self._keep(key, bot)

    def _keep(self, key: Key, bot: Closable) -> None:
        self._idle.setdefault(key, []).append(bot)
        self._idle.move_to_end(key)
        most = 0 if self._is_closed else self._kept
        while sum(map(len, self._idle.values())) > most:
            oldest = next(iter(self._idle))
            if self._idle[oldest]:
                asyncio.get_running_loop().run_in_executor(None, self._idle[oldest].pop(0).close)
            if not self._idle[oldest]:
                del self._idle[oldest]

    async def close(self) -> None:
        """End all processes, also those that search."""
        self._is_closed = True
        idle = [bot for bots in self._idle.values() for bot in bots]
        self._idle.clear()
        for bot in (*self._busy, *idle):
            await asyncio.to_thread(bot.close)
