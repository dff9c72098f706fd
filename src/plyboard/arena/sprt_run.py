"""A sequential test while its games are played."""

from __future__ import annotations

import math
from collections.abc import Mapping

from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.statistics.elo import PairCounts
from plyboard.arena.statistics.sprt import SprtDecision, SprtTest

FEWEST_PAIRS = 100  # before anything is said about the pairs to come


def left_text(pairs: float) -> str:
    """Return in words how many more pairs decide a test, if they go on like those so far."""
    if math.isinf(pairs):
        return "pairs like these never tell H0 and H1 apart"
    return f"at this rate about {2 * math.ceil(pairs):,} more games would decide"


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

    def outlook(self, pairs: int) -> str:
        """Return in words that so many pairs will hardly decide it; empty if they may.

        It is asked while games are played, so it says nothing before a hundred pairs.
        """
        counted = sum(self._frequencies)
        left = self.test.pairs_left(self.counts) if counted >= FEWEST_PAIRS else 0.0
        if self.decision is not None or counted + left <= pairs:
            return ""
        return f"{left_text(left)}; the test ends undecided after {2 * pairs:,} games"

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
