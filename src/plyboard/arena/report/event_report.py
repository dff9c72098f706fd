"""All figures of an event: results, ratings, colours, time and nodes, faults."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.standings import CountedGames
from plyboard.arena.statistics.elo import EloEstimate, GameCounts, PairCounts, estimate_elo
from plyboard.arena.statistics.ratings import RatedGame, Rating, RatingTable, rate
from plyboard.arena.statistics.sprt import SprtTest


@dataclass(frozen=True)
class Meeting:
    """The games of two agents, from the point of view of one of them."""

    games: GameCounts = field(default_factory=GameCounts)
    pairs: PairCounts = field(
        default_factory=PairCounts
    )  # only those in which both games have a result
    leads: tuple[int, ...] = ()  # in points at the end of each game; empty in games without points

    @property
    def count(self) -> int:
        """How many games have a result."""
        return sum(self.games.frequencies)

    @property
    def points(self) -> float:
        """The points for wins and draws."""
        return self.games.wins + self.games.draws / 2

    @property
    def share(self) -> float:
        """The points per game; 1/2 without games."""
        return self.points / self.count if self.count else 0.5

    @property
    def lead(self) -> float | None:
        """The mean lead in points; None in games without points."""
        return sum(self.leads) / len(self.leads) if self.leads else None

    @property
    def elo(self) -> EloEstimate:
        """The Elo difference: by pairs, or by games if they were not played in pairs."""
        paired = 2 * sum(self.pairs.frequencies) == self.count
        return estimate_elo(self.pairs if paired else self.games)


@dataclass(frozen=True)
class Effort:
    """What an agent spent in all its games."""

    moves: int = 0
    nodes: int = 0
    seconds: float = 0.0

    @property
    def nodes_per_move(self) -> float:
        """The mean number of nodes; 0 for agents that count none."""
        return self.nodes / self.moves if self.moves else 0.0

    @property
    def seconds_per_move(self) -> float:
        """The mean thinking time."""
        return self.seconds / self.moves if self.moves else 0.0


@dataclass(frozen=True)
class FaultReport:
    """A game that an agent lost, or that was void, because something went wrong."""

    number: int
    agent: str  # who lost; empty if nobody did
    opponent: str
    reason: str
    detail: str


@dataclass(frozen=True)
class SwissRow:
    """The place of an agent in a Swiss tournament; the row before it is not behind."""

    agent: str
    points: float
    buchholz: float  # the points of its opponents
    byes: int  # rounds without an opponent, which count as won


@dataclass(frozen=True)
class EventReport:
    """The figures of an event. Games without a result yet, or void ones, count nowhere."""

    title: str
    settings: Mapping[str, str]  # what a reader should know, in the order to be shown
    agents: tuple[str, ...]
    games: tuple[tuple[GameTask, GameResult], ...]  # in the order of their numbers
    sprt: SprtTest | None = None
    swiss: tuple[SwissRow, ...] = ()  # the best first; empty in other formats
    _meetings: Mapping[tuple[str, str], Meeting] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_meetings", _meetings(self.counted))

    @classmethod
    def of(
        cls,
        agents: Sequence[str],
        tasks: Iterable[GameTask],
        results: Iterable[GameResult],
        title: str,
        settings: Mapping[str, str],
        sprt: SprtTest | None = None,
        swiss: Iterable[SwissRow] = (),
    ) -> EventReport:
        """Return the report of an event; tasks without a result are left out."""
        found = {result.number: result for result in results}
        games = [(task, found[task.number]) for task in tasks if task.number in found]
        games.sort(key=lambda game: game[0].number)
        return cls(title, settings, tuple(agents), tuple(games), sprt, tuple(swiss))

    @cached_property
    def counted(self) -> tuple[tuple[GameTask, GameResult], ...]:
        """The games that were won, lost or drawn; a void one takes the other of its pair along."""
        return tuple(CountedGames(self.games))

    @property
    def void(self) -> int:
        """How many games do not count: they have no result, or the other of their pair has none."""
        return len(self.games) - len(self.counted)

    @cached_property
    def ratings(self) -> RatingTable:
        """The ratings of all agents, the best first."""
        return rate(
            self.agents,
            [
                RatedGame(task.first, task.second, result.score, task.pair)
                for task, result in self.counted
                if result.score is not None
            ],
        )

    @property
    def has_ratings(self) -> bool:
        """Whether ratings tell more than the Elo difference of two agents."""
        return len(self.agents) > 2 and bool(self.counted)

    @property
    def standings(self) -> list[tuple[Rating, Meeting]]:
        """Each agent with its rating and all its games, the best first."""
        return [(rating, self.total(rating.player)) for rating in self.ratings.ratings]

    def meeting(self, agent: str, opponent: str) -> Meeting:
        """Return the games of two agents; without any if they never met."""
        return self._meetings.get((agent, opponent), Meeting())

    def total(self, agent: str) -> Meeting:
        """Return all games of an agent."""
        total = Meeting()
        for opponent in self.agents:
            total = _sum(total, self.meeting(agent, opponent))
        return total

    @cached_property
    def colours(self) -> GameCounts:
        """The results of whoever moved first."""
        counts = Counter(result.score for _, result in self.counted)
        return GameCounts(losses=counts[0.0], draws=counts[0.5], wins=counts[1.0])

    @property
    def mean_plies(self) -> float:
        """The mean length of a game."""
        plies = [result.plies for _, result in self.counted]
        return sum(plies) / len(plies) if plies else 0.0

    @cached_property
    def reasons(self) -> Mapping[str, int]:
        """How often games ended for which reason, the most frequent first."""
        return dict(Counter(result.reason for _, result in self.games).most_common())

    @cached_property
    def efforts(self) -> Mapping[str, Effort]:
        """What each agent spent."""
        spent = dict.fromkeys(self.agents, Effort())
        for task, result in self.games:
            moves = _moves_of(task, result)
            for player, agent in enumerate(task.agents):
                before = spent.get(agent, Effort())
                spent[agent] = Effort(
                    before.moves + moves[player],
                    before.nodes + result.nodes[player],
                    before.seconds + result.seconds[player],
                )
        return spent

    @cached_property
    def faults(self) -> tuple[FaultReport, ...]:
        """The games that ended because something went wrong."""
        return tuple(_fault(task, result) for task, result in self.games if result.fault)


def _moves_of(task: GameTask, result: GameResult) -> tuple[int, int]:
    """Return how many moves each player made after the opening."""
    if result.moves is not None:
        return result.moves
    moves, begins = max(result.plies - len(task.opening), 0), len(task.opening) % 2
    more, less = (moves + 1) // 2, moves // 2  # older results are of games in which turns alternate
    return (less, more) if begins else (more, less)


def _fault(task: GameTask, result: GameResult) -> FaultReport:
    winner = result.winner
    loser, other = ("", "") if winner is None else (task.agents[1 - winner], task.agents[winner])
    if winner is None:
        other = " against ".join(task.agents)
    return FaultReport(task.number, loser, other, result.reason, result.fault)


def _meetings(
    games: Iterable[tuple[GameTask, GameResult]],
) -> dict[tuple[str, str], Meeting]:
    """Return the games of each agent against each other one."""
    scores = defaultdict[tuple[str, str], list[float]](list)
    leads = defaultdict[tuple[str, str], list[int]](list)
    pairs = defaultdict[tuple[str, str, int], list[float]](list)
    for task, result in games:
        assert result.score is not None
        for player, (agent, opponent) in enumerate((task.agents, task.agents[::-1])):
            if player and agent == opponent:
                continue
            own = 1 - result.score if player else result.score
            scores[agent, opponent].append(own)
            pairs[agent, opponent, task.pair].append(own)
            if result.points is not None:
                leads[agent, opponent].append(result.points[player] - result.points[1 - player])
    counts = defaultdict[tuple[str, str], list[int]](lambda: [0] * 5)
    for (agent, opponent, _), pair in pairs.items():
        if len(pair) == 2:
            counts[agent, opponent][round(2 * sum(pair))] += 1
    return {
        key: Meeting(
            GameCounts(own.count(0.0), own.count(0.5), own.count(1.0)),
            PairCounts(*counts[key]), tuple(leads[key]),
        )
        for key, own in scores.items()
    }  # fmt: skip


def _sum(one: Meeting, other: Meeting) -> Meeting:
    games = (a + b for a, b in zip(one.games.frequencies, other.games.frequencies, strict=True))
    pairs = (a + b for a, b in zip(one.pairs.frequencies, other.pairs.frequencies, strict=True))
    return replace(
        one, games=GameCounts(*games), pairs=PairCounts(*pairs), leads=one.leads + other.leads
    )
