"""Who plays whom: round robin, gauntlet, knockout and Swiss.

A format is a pure function: from the number of agents, the settings and the scores of the rounds
played so far it returns the pairings of the next round. So an interrupted event makes the same
pairings when it goes on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

from plyboard.arena.matching import Cost, least_cost_pairs

TIE_BREAKS = 3  # extra pairs of games of a level tie; then the agent named earlier goes on
KNOCKOUT = "knockout"
BYE = None  # the opponent of an agent that has none in a round


@dataclass(frozen=True)
class Pairing:
    """Two agents, by their places in the list of the event, and how many pairs of games they play.

    A pair of games has one opening and both colours.
    """

    first: int
    second: int
    pairs: int
    opening: int = 0  # the number of their first opening; the next pairs take the next ones


@dataclass(frozen=True)
class PairingScore:
    """A pairing that was played, with the points of both agents."""

    pairing: Pairing
    points: tuple[float, float]


Round = Sequence[PairingScore]
NextRound = Callable[[int, int, int, Sequence[Round]], list[Pairing]]
"""Returns the next round, for so many agents, pairs of games and rounds; nothing at the end."""


def round_robin(agents: int, pairs: int, rounds: int, played: Sequence[Round]) -> list[Pairing]:
    """Return all pairings as one round."""
    del rounds
    return [] if played else [Pairing(*each, pairs) for each in combinations(range(agents), 2)]


def gauntlet(agents: int, pairs: int, rounds: int, played: Sequence[Round]) -> list[Pairing]:
    """Return the pairings of the first agent with every other one, as one round."""
    del rounds
    return [] if played else [Pairing(0, other, pairs) for other in range(1, agents)]


def knockout(agents: int, pairs: int, rounds: int, played: Sequence[Round]) -> list[Pairing]:
    """Return the ties of the next round; level ties play extra pairs of games first.

    The agents are seeded in the order of the list: the first two can only meet in the final.
    """
    del rounds
    return Bracket.of(agents, played).next_ties(pairs)


@dataclass(frozen=True)
class Tie:
    """Two agents in a knockout and their points so far; an agent without an opponent goes on."""

    first: int
    second: int | None
    points: tuple[float, float] = (0.0, 0.0)
    openings: int = 0  # used so far
    tries: int = 0

    @property
    def winner(self) -> int | None:
        """The agent that goes on; None if the tie is not decided yet."""
        if self.second is BYE:
            return self.first
        if self.points[0] != self.points[1]:
            return self.first if self.points[0] > self.points[1] else self.second
        return min(self.first, self.second) if self.tries > TIE_BREAKS else None

    def plus(self, score: PairingScore) -> Tie:
        """Return the tie after more games."""
        points = (self.points[0] + score.points[0], self.points[1] + score.points[1])
        played = self.openings + score.pairing.pairs
        return Tie(self.first, self.second, points, played, self.tries + 1)


@dataclass(frozen=True)
class Bracket:
    """A knockout so far: the ties of each round. The last round may not be decided yet."""

    rounds: tuple[tuple[Tie, ...], ...]

    @classmethod
    def of(cls, agents: int, played: Sequence[Round]) -> Bracket:
        """Return the bracket after these rounds and tie-breaks."""
        rounds = [_first_ties(agents)]
        for scores in played:
            found = {each.pairing.first: each for each in scores}
            rounds[-1] = tuple(
                tie.plus(found[tie.first]) if tie.first in found else tie for tie in rounds[-1]
            )
            winners = [tie.winner for tie in rounds[-1]]
            if None not in winners and len(winners) > 1:
                ahead = [winner for winner in winners if winner is not None]
                pairs = zip(ahead[::2], ahead[1::2], strict=True)
                rounds.append(tuple(Tie(min(two), max(two)) for two in pairs))
        return cls(tuple(rounds))

    @property
    def winner(self) -> int | None:
        """The winner of the final; None before it."""
        last = self.rounds[-1]
        return last[0].winner if len(last) == 1 else None

    def next_ties(self, pairs: int) -> list[Pairing]:
        """Return the games to be played next: of new ties, or the tie-breaks of level ones."""
        return [
            Pairing(tie.first, tie.second, 1 if tie.tries else pairs, tie.openings)
            for tie in self.rounds[-1]
            if tie.second is not None and tie.winner is None
        ]


def _first_ties(agents: int) -> tuple[Tie, ...]:
    """Return the first round: the best seeds have no opponent if the number is no power of two."""
    order = [0]
    while len(order) < agents:
        size = 2 * len(order)
        order = [seed for each in order for seed in (each, size - 1 - each)]
    pairs = zip(order[::2], order[1::2], strict=True) if agents > 1 else ()
    return tuple(
        Tie(first, second if second < agents else BYE)
        for first, second in (sorted(pair) for pair in pairs)
    )


def swiss(agents: int, pairs: int, rounds: int, played: Sequence[Round]) -> list[Pairing]:
    """Return the next round: agents with equal points meet, and nobody twice if that is possible.

    Within a group of equal points the upper half meets the lower half. With an odd number the last
    agent that can be without an opponent for the first time is, and gets the points of a won match.
    """
    if len(played) >= rounds:
        return []
    table = SwissTable.of(agents, pairs, played)
    return [Pairing(*pair, pairs, opening=pairs * len(played)) for pair in table.next_pairs()]


def swiss_rounds(agents: int) -> int:
    """Return the usual number of rounds: enough to find one winner."""
    return max(1, math.ceil(math.log2(agents)))


@dataclass(frozen=True)
class SwissTable:
    """Points, byes and opponents of a Swiss tournament so far."""

    points: tuple[float, ...]
    byes: frozenset[int]
    opponents: tuple[tuple[int, ...], ...]  # of each agent, as often as they met

    @classmethod
    def of(cls, agents: int, pairs: int, played: Sequence[Round]) -> SwissTable:
        """Return the table after these rounds."""
        points, byes = [0.0] * agents, set[int]()
        opponents: list[list[int]] = [[] for _ in range(agents)]
        for scores in played:
            idle = set(range(agents))
            for each in scores:
                two = each.pairing.first, each.pairing.second
                for own, other in (two, two[::-1]):
                    opponents[own].append(other)
                for agent, gained in zip(two, each.points, strict=True):
                    points[agent] += gained
                    idle.discard(agent)
            for agent in idle:
                points[agent] += 2 * pairs
                byes.add(agent)
        return cls(tuple(points), frozenset(byes), tuple(map(tuple, opponents)))

    def buchholz(self, agent: int) -> float:
        """Return the points of all opponents of an agent: who met stronger ones is ahead."""
        return sum(self.points[other] for other in self.opponents[agent])

    @property
    def ranking(self) -> list[int]:
        """The agents by points, then by Buchholz; equal ones in the order of the list."""
        agents = range(len(self.points))
        return sorted(agents, key=lambda each: (-self.points[each], -self.buchholz(each)))

    @property
    def winners(self) -> list[int]:
        """The agents that are ahead; several if points and Buchholz are equal."""
        best = self.ranking[0]
        marks = self.points[best], self.buchholz(best)
        return [each for each in self.ranking if (self.points[each], self.buchholz(each)) == marks]

    def next_pairs(self) -> list[tuple[int, int]]:
        """Return who meets whom in the next round; an agent without an opponent is in no pair."""
        order: list[int | None] = [
            *sorted(range(len(self.points)), key=lambda each: -self.points[each])
        ]
        if len(order) % 2:
            order.append(BYE)
        places = combinations(range(len(order)), 2)
        costs = {two: self._cost(order, *two) for two in places}
        pairs = [(order[place], order[later]) for place, later in least_cost_pairs(costs)]
        return [
            (min(one, other), max(one, other))
            for one, other in pairs
            if one is not BYE and other is not BYE
        ]

    def _cost(self, order: Sequence[int | None], place: int, later: int) -> Cost:
        """Return what speaks against a pairing of two places in the order, what counts most first.

        That is: to meet again (or to be without an opponent again), how often they have met, how
        many are behind an agent without an opponent, the difference in points, and how far they are
        from places in the upper and the lower half of a group.
        """
        one, other = order[place], order[later]
        assert one is not BYE, "nobody is the last in the order"
        if other is BYE:
            return int(one in self.byes), 0, later - place - 1, 0, 0
        meetings = self.opponents[one].count(other)
        ahead = round(2 * (self.points[one] - self.points[other]))
        apart = 1 if ahead else self.points.count(self.points[one]) // 2
        return int(meetings > 0), meetings, 0, ahead**2, abs(later - place - apart)


FORMATS: dict[str, NextRound] = {
    "round-robin": round_robin,
    "gauntlet": gauntlet,
    KNOCKOUT: knockout,
    "swiss": swiss,
}
