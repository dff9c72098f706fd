"""A search in the process of its bot, as the parent sees it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

from plyboard.agents.bots.bot import Listener
from plyboard.games import Position
from plyboard.processes.background import call_safely
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice


@dataclass
class ProcessSearch:
    """A search in the process of its bot, as seen from here."""

    kind: str
    number: int
    position: Position | None
    budget: Budget
    listener: Listener
    resubmit: Callable[[ProcessSearch], None]
    request_stop: Callable[[], None] = lambda: None
    best: Choice | None = None
    is_compiling: bool = True
    deadline: float | None = None  # when the process is killed if it has not answered
    is_stopped: bool = False
    choice: Choice | None = None
    fault: BaseException | None = None
    done: threading.Event = field(default_factory=threading.Event)

    def stop(self) -> None:
        """Tell the process to end the search."""
        if not self.is_stopped and not self.done.is_set():
            self.is_stopped = True
            self.request_stop()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for the end, or for at most so many seconds."""
        return self.done.wait(seconds)

    def result(self) -> Choice:
        """Return the choice, or raise the error of the search."""
        while not self.done.wait(0.05):
            pass
        if self.fault is not None:
            raise self.fault
        return cast("Choice", self.choice)

    def end(self, choice: Choice | None, fault: BaseException | None = None) -> None:
        """Store the result and call `ended`; further calls do nothing."""
        if not self.done.is_set():
            self.choice, self.fault = choice, fault
            self.done.set()
            call_safely(self.listener.ended)
