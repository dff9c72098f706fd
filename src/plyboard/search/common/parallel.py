"""Running searches in threads, under a time limit and a monitor."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from plyboard.processes.background import in_background
from plyboard.search.common.budget import SearchMonitor
from plyboard.search.common.choice import Choice
from plyboard.search.common.control import EVENTS, NODES, STOP, Control
from plyboard.search.common.events import Events

Found = TypeVar("Found", bound=Choice)
POLL_SECONDS = 0.05


def run_searches(
    searches: Sequence[Callable[[], object]],
    controls: list[Control],
    seconds: float | None = None,
    monitor: SearchMonitor | None = None,
) -> None:
    """Run searches in parallel until the first is done or time is up; then stop all of them.

    Each search has the control at the same index. An exception in a search is raised here.
    """
    end = None if seconds is None else time.perf_counter() + seconds
    done = threading.Event()
    if monitor is not None:
        monitor.attach(controls)
    tasks = [in_background(search, done.set) for search in searches]
    try:
        while not done.wait(_wait(end)):
            if end is not None and time.perf_counter() >= end:
                break
    finally:
        for control in controls:
            control[STOP] = 1
        for task in tasks:
            task.wait()
    for task in tasks:
        task.result()


def with_statistics(control: Control, best: Found, began: float, events: Events | None) -> Found:
    """Return a choice with the nodes, the seconds and the events of its search."""
    if events is not None:
        events.total = int(control[EVENTS])
    seconds = time.perf_counter() - began
    return replace(best, nodes=int(control[NODES]), seconds=seconds, events=events)


def _wait(end: float | None) -> float:
    return POLL_SECONDS if end is None else max(0.0, min(POLL_SECONDS, end - time.perf_counter()))
