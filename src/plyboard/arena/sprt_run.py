"""A sequential test while its games are played."""

from __future__ import annotations

from collections.abc import Mapping

from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.statistics.elo import PairCounts
from plyboard.arena.statistics.sprt import SprtDecision, SprtTest


class SprtProgress:
    """The pairs of games that a test has counted, in the order of their numbers.

    A pair counts once both of its games and all earlier pairs have results. So the decision does
    not depend on which game ended first, nor on the number of processes. A pair with a void game
    is left out.
    """

    def __init__(self, test: SprtTest, agent: str) -> None:
        self.test, self.agent = test, agent
        self.decision: SprtDecision | None = None
        self._frequencies = [0] * 5
        self._pair = 0  # the next one to count

    @property
    def games(self) -> int:
        """How many games were counted or voided so far: all with smaller numbers."""
        return 2 * self._pair

    @property
    def counts(self) -> PairCounts:
        """The pairs by the points of the tested agent."""
        return PairCounts(*self._frequencies)

    @property
    def llr(self) -> float:
        """The log-likelihood ratio so far."""
        return self.test.llr(self.counts)

    def advance(
        self, tasks: Mapping[int, GameTask], results: Mapping[int, GameResult]
    ) -> SprtDecision | None:
        """Count the pairs that are complete by now, up to the decision; return that."""
        while self.decision is None:
            numbers = (2 * self._pair, 2 * self._pair + 1)
            if not all(number in results for number in numbers):
                break
            self._pair += 1
            scores = [self._points(tasks[each], results[each]) for each in numbers]
            if None not in scores:
                self._frequencies[round(2 * sum(each or 0.0 for each in scores))] += 1
                self.decision = self.test.decision(self.counts)
        return self.decision

    def _points(self, task: GameTask, result: GameResult) -> float | None:
        score = result.score
        return score if score is None or task.first == self.agent else 1 - score
