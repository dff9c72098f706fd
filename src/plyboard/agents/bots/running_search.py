"""The handle of a running search, wherever it runs: in a thread, a process or a program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyboard.processes.background import Task
from plyboard.search.common.choice import Choice


def _ignore(*_: object) -> None:
    """Do nothing."""


@dataclass(frozen=True)
class Listener:
    """Callbacks of a search. All are called from a thread of the bot.

    They may start or stop searches and close the bot, but must not wait for a search of that bot.
    An exception in `began` or `improved` ends the search, and `result` raises it. An exception in
    `ended` is reported as an error of its thread.
    """

    began: Callable[[], None] = _ignore  # code is compiled, the clock starts
    improved: Callable[[Choice], None] = _ignore  # with the best choice so far
    ended: Callable[[], None] = _ignore  # the result is available


NO_LISTENER = Listener()


class RunningSearch(Task[Choice]):
    """A search that a bot runs, with the best choice so far and, at the end, its result.

    Whoever wants the choice reads `best`, waits, and may stop it from any thread. The bot that runs
    it calls `on_stop`, `begin` and `improve`, then `finish` or `fail`. A search that is stopped
    before a bot runs it ends as soon as it begins.
    """

    def __init__(self, listener: Listener = NO_LISTENER) -> None:
        super().__init__(listener.ended)
        self.best: Choice | None = None
        self.is_compiling = True  # its code; the search itself has not begun
        self.is_stopped = False
        self._listener = listener
        self._interrupt: Callable[[], None] = _ignore
        self._check: Callable[[Choice], Choice] | None = None

    def stop(self) -> None:
        """End the search soon with the best choice so far."""
        if not self.is_stopped and not self.is_done:
            self.is_stopped = True
            self._interrupt()

    def on_stop(self, interrupt: Callable[[], None]) -> None:
        """Set what `stop` calls; call it now if the search was stopped before."""
        self._interrupt = interrupt
        if self.is_stopped:
            interrupt()

    def check_reports(self, check: Callable[[Choice], Choice]) -> None:
        """Replace each choice that the agent reports by what `check` makes of it."""
        self._check = check

    def begin(self) -> None:
        """Note that the search itself begins, and the time of its budget."""
        self.is_compiling = False
        self._listener.began()

    def improve(self, choice: Choice) -> None:
        """Set the best choice so far."""
        self.best = choice if self._check is None else self._check(choice)
        self._listener.improved(self.best)
