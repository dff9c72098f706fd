"""Many positions to be analysed in other processes, one in each line of a file."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from plyboard.analysis.moves import Analyst
from plyboard.analysis.text_lines import text_lines
from plyboard.errors import PlyboardError
from plyboard.games import Position, game_over_error
from plyboard.processes.executor import Executor, results
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import ValuedMove


@dataclass(frozen=True)
class AnalysisTask:
    """A position to be analysed, and the limits. It does not depend on earlier tasks."""

    number: int  # of its line, from 1
    text: str  # a game spec, then optionally moves or a position text
    limits: Budget
    mebibytes: int
    threads: int = 1
    allow_unreachable: bool = False

    @property
    def position(self) -> Position:
        """The position of the text."""
        return Position.read(self.text, allow_unreachable=self.allow_unreachable)

    @property
    def settings(self) -> dict[str, object]:
        """What the values depend on beside the position."""
        budget = self.limits
        return {
            "seconds": budget.seconds, "depth": budget.depth, "nodes": budget.nodes,
            "hash": self.mebibytes, "threads": self.threads,
        }  # fmt: skip

    def values(self) -> tuple[ValuedMove, ...]:
        """Return every legal move with its value, the best first."""
        return Analyst(self.mebibytes, self.threads).choose(self.position, self.limits).moves


def analysis_tasks(
    name: str,
    limits: Budget,
    mebibytes: int,
    threads: int = 1,
    *,
    allow_unreachable: bool = False,
) -> Iterator[AnalysisTask]:
    """Yield a task for each line of a file; raise if one has no position, or one that is over."""
    for number, text in text_lines(name):
        task = AnalysisTask(number, text, limits, mebibytes, threads, allow_unreachable)
        try:
            position = task.position
        except PlyboardError as fault:
            raise type(fault)(f"cannot analyse line {number}", reason=fault.first_line) from None
        if position.is_over:
            raise game_over_error(f"cannot analyse line {number}", position)
        yield task


def analysed(
    executor: Executor, tasks: list[AnalysisTask]
) -> Iterator[tuple[AnalysisTask, tuple[ValuedMove, ...]]]:
    """Yield the tasks with their values, in the order of the tasks."""
    waiting, early = deque(tasks), dict[int, tuple[ValuedMove, ...]]()
    for task, values in results(executor, AnalysisTask.values, tasks):
        early[task.number] = values
        while waiting and waiting[0].number in early:
            first = waiting.popleft()
            yield first, early.pop(first.number)
