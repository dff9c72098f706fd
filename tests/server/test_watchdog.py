"""The watchdog of all tests with a server: a blocked event loop fails the test."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from server.watchdog import LONGEST, SERVER_THREAD, no_stalls


def run_for(seconds: float) -> None:
    """Block the event loop of a thread for so much processor time."""

    async def block() -> None:
        end = time.thread_time() + seconds
        while time.thread_time() < end:
            pass

    thread = threading.Thread(target=lambda: asyncio.run(block()), name=SERVER_THREAD)
    thread.start()
    thread.join()


def test_a_blocked_loop_is_noticed() -> None:
    with pytest.raises(AssertionError, match="the event loop was blocked"), no_stalls():
        run_for(2 * LONGEST)


def test_a_loop_that_is_not_blocked_passes() -> None:
    with no_stalls():
        run_for(0.0)
