"""Whether the machine is too busy for play."""

from __future__ import annotations

import asyncio

TICK = 0.05  # seconds
LATE = 0.02  # seconds; from here on searches must wait for each other
SHARE = 0.1  # of the newest tick in the mean


class Load:
    """How late the event loop wakes up, as a running mean: as late as the answers to moves."""

    def __init__(self) -> None:
        self.lateness = 0.0  # seconds

    @property
    def is_high(self) -> bool:
        """Whether fewer searches should run."""
        return self.lateness > LATE

    def note(self, late: float) -> None:
        """Take note of one more tick that came so much too late."""
        self.lateness += SHARE * (late - self.lateness)

    async def watch(self) -> None:
        """Take note of every tick from now on."""
        loop = asyncio.get_running_loop()
        while True:
            wanted = loop.time() + TICK
            await asyncio.sleep(TICK)
            self.note(max(0.0, loop.time() - wanted))
