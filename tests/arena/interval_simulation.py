"""How often the intervals of matches and ratings hold the truth, in simulated matches and leagues.

    python tests/arena/interval_simulation.py --matches 4000 --leagues 300 --seed 1

prints a row for each case. The figures in docs/statistics.md are those of a seed that nothing was
tuned on.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import numpy as np

from plyboard.arena.statistics.elo import PairCounts, elo_difference, estimate_elo, expected_score
from plyboard.arena.statistics.ratings import RatedGame, RatingTable, rate

FIRST_MOVE = 40.0  # Elo
SPOTS = 20_000  # of luck, to compute the probabilities of pairs


@dataclass(frozen=True)
class MatchCase:
    """A match of so many pairs between two players."""

    pairs: int
    elo: float
    draws: float  # of those that two equal players would draw
    has_luck: bool = False  # openings win for one colour in both games

    def probabilities(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        """Return the probabilities of 0 to 2 points in steps of a half."""
        expected = expected_score(self.elo)
        drawn = 2 * self.draws * min(expected, 1 - expected)
        won = expected - drawn / 2
        spots = (np.arange(SPOTS) + 0.5) / SPOTS
        if self.has_luck:
            halves = sum(_halves(each, won, drawn) for each in (spots, 1 - spots))
            return np.bincount(halves, minlength=5) / SPOTS
        game = np.array([1 - won - drawn, drawn, won])
        return np.convolve(game, game)


@dataclass(frozen=True)
class LeagueCase:
    """A round robin of players of these strengths, so many pairs for each two of them."""

    name: str
    strengths: tuple[float, ...]
    pairs: int
    draws: float = 0.3
    has_luck: bool = False
    some_play_more: bool = False  # those in the first half meet each other four times as often

    def table(self, chance: np.random.Generator) -> RatingTable:
        """Return the ratings after one simulated league."""
        games, players = list[RatedGame](), range(len(self.strengths))
        for one, other in combinations(players, 2):
            more = 4 if self.some_play_more and other < len(players) / 2 else 1
            for _ in range(more * self.pairs):
                spots = chance.random(2)
                if self.has_luck:
                    spots[1] = spots[0]
                for spot, (first, second) in zip(spots, ((one, other), (other, one)), strict=True):
                    lead = self.strengths[first] - self.strengths[second] + FIRST_MOVE
                    expected = expected_score(lead)
                    drawn = 2 * self.draws * min(expected, 1 - expected)
                    score = _halves(np.array(spot), expected - drawn / 2, drawn) / 2
                    games.append(RatedGame(str(first), str(second), float(score), len(games) // 2))
        return rate([str(each) for each in players], games)


def _halves(spots: np.ndarray, won: float, drawn: float) -> np.ndarray:
    """Return 2 for a win, 1 for a draw and 0 for a loss."""
    return np.where(spots < won, 2, np.where(spots < won + drawn, 1, 0))


MATCHES = tuple(
    MatchCase(pairs, elo, draws, luck)
    for pairs in (5, 10, 50, 500)
    for elo in (0.0, 100.0, 300.0, 600.0)
    for draws, luck in ((0.0, False), (0.3, False), (0.9, False), (0.3, True))
    if pairs > 10 or elo < 600  # there nearly all matches have the same result
)
NEAR = (200.0, 100.0, 0.0, -100.0, -200.0)
LEAGUES = (
    LeagueCase("within 200", NEAR, 10),
    LeagueCase("within 200, no draws", NEAR, 10, 0.0),
    LeagueCase("within 200, 90 % draws", NEAR, 10, 0.9),
    LeagueCase("within 200, decided openings", NEAR, 10, 0.3, has_luck=True),
    LeagueCase("within 200, 2 pairs", NEAR, 2),
    LeagueCase("within 200, unequal numbers", NEAR, 5, some_play_more=True),
    LeagueCase("within 1000", (1000.0, 400.0, 0.0, -400.0, -1000.0), 10),
    LeagueCase("one of -1200, 10 pairs", (200.0, 100.0, 0.0, -100.0, -1200.0), 10),
    LeagueCase("one of -1200, 50 pairs", (200.0, 100.0, 0.0, -100.0, -1200.0), 50),
    LeagueCase("one of +1200", (1200.0, 100.0, 0.0, -100.0), 10),
    LeagueCase("four, one of -1000, 2 pairs", (100.0, 0.0, -100.0, -1000.0), 2),
    LeagueCase("12 players within 550, 90 % draws", tuple(np.arange(12) * 100.0 - 550), 4, 0.9),
    LeagueCase("20 players within 300", tuple(np.linspace(-300, 300, 20)), 2),
)


def matches_held(case: MatchCase, matches: int, seed: int) -> float:
    """Return the share of matches whose interval holds the true difference."""
    truth = case.probabilities()
    elo = elo_difference(float(truth @ np.arange(5)) / 4)

    @cache
    def holds(counts: tuple[int, ...]) -> bool:
        found = estimate_elo(PairCounts(*counts))
        return found.low <= elo <= found.high

    drawn = np.random.default_rng(seed).multinomial(case.pairs, truth, size=matches)
    return sum(holds(tuple(map(int, counts))) for counts in drawn) / matches


def leagues_held(case: LeagueCase, leagues: int, seed: int) -> list[float]:
    """Return for each player the share of leagues whose interval holds the true rating."""
    chance, held = np.random.default_rng(seed), np.zeros(len(case.strengths))
    for _ in range(leagues):
        table = case.table(chance)
        rows = [table.of(str(each)) for each in range(len(case.strengths))]
        zero = sum(row.weight * true for row, true in zip(rows, case.strengths, strict=True))
        for index, (row, true) in enumerate(zip(rows, case.strengths, strict=True)):
            held[index] += row.low <= true - zero <= row.high
    return [float(each) for each in held / leagues]


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the share of intervals that hold the truth, case by case."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=4000)
    parser.add_argument("--leagues", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    for match in MATCHES:
        print(f"{matches_held(match, options.matches, options.seed):7.1%}  {match}")
    for league in LEAGUES:
        shares = leagues_held(league, options.leagues, options.seed)
        each = " ".join(f"{share:.0%}" for share in shares)
        print(f"{np.mean(shares):7.1%}  {league.name}: {each}", flush=True)


if __name__ == "__main__":
    main()
