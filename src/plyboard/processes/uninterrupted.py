"""Running a task that Ctrl-C must not interrupt."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar, cast

Result = TypeVar("Result")
TICK = 0.05  # seconds; only Windows needs it, where waiting for a lock cannot be interrupted


def run_in_thread(task: Callable[[], Result], *, always: bool = False) -> Result:
    """Run a task, in another thread if this is the main thread or `always`; return its result.

    Python raises `KeyboardInterrupt` only in the main thread, between any two instructions. Numba
    swallows it in callbacks and destructors, or turns it into other errors, so the main thread does
    not run Numba. After an interrupt the task continues; the interpreter waits for it at exit.
    """
    if threading.current_thread() is not threading.main_thread() and not always:
        return task()
    ended = threading.Lock()
    ended.acquire()
    results: list[tuple[Result | None, BaseException | None]] = []

    def work() -> None:
        try:
            results.append((task(), None))
        except BaseException as fault:  # raised in the calling thread
            results.append((None, fault))
        finally:
            ended.release()

    try:
        threading.Thread(target=work, name="compiler").start()
    except RuntimeError:  # no more threads available
        return task()
    while not ended.acquire(timeout=TICK):
        pass
    result, fault = results[0]
    if fault is not None:
        raise fault
    return cast("Result", result)
