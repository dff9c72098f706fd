"""Which games count, and their points: of pairings, and of all agents so far."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.pairings import Pairing, PairingScore

Played = tuple[GameTask, GameResult]


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

    def plus(self, points: float, games: int) -> Standing:
        """Return the standing with so many more points and games."""
        return Standing(self.agent, self.points + points, self.games + games)


class CountedGames:
    """The games that count: those with a result, unless the other of their pair is void."""

    def __init__(self, games: Iterable[Played] = ()) -> None:
        self._pairs: dict[int, list[Played]] = {}
        self._void: set[int] = set()  # pairs
        for task, result in games:
            self.add(task, result)

    def add(self, task: GameTask, result: GameResult) -> tuple[list[Played], list[Played]]:
        """Add a game; return the games that count from now on, and those that no longer do."""
        if task.pair in self._void:
            return [], []
        if result.score is None:
            self._void.add(task.pair)
            return [], self._pairs.pop(task.pair, [])
        self._pairs.setdefault(task.pair, []).append((task, result))
        return [(task, result)], []

    def __iter__(self) -> Iterator[Played]:
        return chain.from_iterable(self._pairs.values())


class RunningTable:
    """The standings of an event while it is played."""

    def __init__(self, agents: Sequence[str], games: Iterable[Played] = ()) -> None:
        self._standings = {agent: Standing(agent) for agent in agents}
        self._games = CountedGames()
        for task, result in games:
            self.add(task, result)

    def add(self, task: GameTask, result: GameResult) -> None:
        """Count a game."""
        for games, times in zip(self._games.add(task, result), (1, -1), strict=True):
            for played, found in games:
                assert found.score is not None
                for agent, points in zip(
                    played.agents, (found.score, 1 - found.score), strict=True
                ):
                    self._standings[agent] = self._standings[agent].plus(times * points, times)

    def of(self, agent: str) -> Standing:
        """Return the standing of an agent."""
        return self._standings[agent]

    @property
    def standings(self) -> list[Standing]:
        """The agents, the best share of points first; equal ones in the order of the event."""
        return sorted(self._standings.values(), key=lambda each: -each.share)


def pairing_score(pairing: Pairing, agents: Sequence[str], games: Iterable[Played]) -> PairingScore:
    """Return the points of both agents of a pairing; a pair with a void game gives none."""
    table = RunningTable(agents, games)
    first, second = (table.of(agents[each]).points for each in (pairing.first, pairing.second))
    return PairingScore(pairing, (first, second))
