"""Runs a task where Ctrl-C cannot cut into it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar, cast

Result = TypeVar("Result")
TICK = 0.05  # seconds; only Windows needs it, where waiting for a lock cannot be interrupted


def run_in_thread(task: Callable[[], Result]) -> Result:
    """Return what a task returns; the main thread has it run in another thread, and waits.

    Python raises `KeyboardInterrupt` in the main thread alone, between any two instructions there.
    Numba swallows it in callbacks and destructors, or makes other errors of it, so the main thread
    does not run Numba. After an interrupt the task goes on by itself; the interpreter waits for it
    before it ends.
    """
    if threading.current_thread() is not threading.main_thread():
        return task()
    ended = threading.Lock()
    ended.acquire()
    results: list[tuple[Result | None, BaseException | None]] = []

    def work() -> None:
        try:
            results.append((task(), None))
        except BaseException as fault:  # raised by the caller instead
            results.append((None, fault))
        finally:
            ended.release()

    try:
        threading.Thread(target=work, name="compiler").start()
    except RuntimeError:  # no room for one more thread
        return task()
    while not ended.acquire(timeout=TICK):
        pass
    result, fault = results[0]
    if fault is not None:
        raise fault
    return cast("Result", result)
