"""Points from results: of pairings, and of all agents so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.pairings import Pairing, PairingScore


@dataclass(frozen=True)
class Standing:
    """The games of one agent so far."""

    agent: str
    points: float = 0.0
    games: int = 0

    @property
    def share(self) -> float:
        """The points per game; 0 before the first one."""
        return self.points / self.games if self.games else 0.0

    def plus(self, points: float) -> Standing:
        """Return the standing after one more game."""
        return Standing(self.agent, self.points + points, self.games + 1)


class RunningTable:
    """The standings of an event while it is played."""

    def __init__(self, agents: Sequence[str]) -> None:
        self._standings = {agent: Standing(agent) for agent in agents}
        self.draws = self.voided = self.faults = 0

    def add(self, task: GameTask, result: GameResult) -> None:
        """Count a game."""
        self.faults += bool(result.fault)
        score = result.score
        if score is None:
            self.voided += 1
            return
        self.draws += score == 0.5
        for agent, points in zip(task.agents, (score, 1 - score), strict=True):
            self._standings[agent] = self._standings[agent].plus(points)

    @property
    def standings(self) -> list[Standing]:
        """The agents, the best share of points first; equal ones in the order of the event."""
        return sorted(self._standings.values(), key=lambda each: -each.share)


def pairing_score(
    pairing: Pairing, agents: Sequence[str], games: Iterable[tuple[GameTask, GameResult]]
) -> PairingScore:
    """Return the points of both agents of a pairing; a pair with a void game gives none."""
    first, played = agents[pairing.first], list(games)
    void = {task.pair for task, result in played if result.score is None}
    points = [0.0, 0.0]
    for task, result in played:
        if result.score is not None and task.pair not in void:
            own = result.score if task.first == first else 1 - result.score
            points[0] += own
            points[1] += 1 - own
    return PairingScore(pairing, (points[0], points[1]))
