"""Hints that are searched for in the background."""

from __future__ import annotations

from plyboard.agents import Limits, Listener
from plyboard.analysis.moves import ValuedMove
from plyboard.games import Position
from plyboard.processes.background import Background, Task
from plyboard.search.common.budget import Budget
from plyboard.terminal.prompt.hints import Adviser


class HintSearch:
    """Values the moves of one position at a time, in a process if it has limits."""

    def __init__(self, budget: Budget, limits: Limits | None) -> None:
        self._adviser = Adviser(budget, limits)
        self._background = Background()
        self._task: Task[list[ValuedMove]] | None = None
        self.position: Position | None = None  # that is being searched

    @property
    def is_busy(self) -> bool:
        """Whether a search is running."""
        return self.position is not None

    def start(self, position: Position) -> None:
        """Start a search; the result of the last one is discarded."""
        self.position = position
        self._task = self._background.submit(lambda: self._valued(position))

    def take(self) -> list[ValuedMove] | None:
        """Return the moves of the position, the best first, once; None while there are none.

        Raises what the search raised.
        """
        task = self._task
        if task is None or not task.wait(0):
            return None
        self.cancel()
        return task.result()

    def cancel(self) -> None:
        """Discard the result of the search."""
        self._task = self.position = None

    def close(self) -> None:
        """End the search and its process."""
        self.cancel()
        self._background.submit(self._adviser.close)
        self._background.close(patience=2.0)

    def _valued(self, position: Position) -> list[ValuedMove]:
        known = self._adviser.known(position)
        if known:
            return known
        choice = self._adviser.start(position, Listener()).result()
        return self._adviser.note(position, choice)
