"""Elo differences with intervals, by single games (trinomial) or by pairs (pentanomial).

The expected score of a player who is stronger by `d` Elo is 1 / (1 + 10^(-d/400)) (A. Elo, The
Rating of Chessplayers, 1978). A draw is half a point.

The two games of a pair start from the same opening with the colours exchanged. Their results
depend on each other: an opening that wins for one side gives one win each. So the variance is
taken over pairs, each with a mean score of 0, 1/4, 1/2, 3/4 or 1. This is how fishtest and
fastchess count (M. Van den Bergh, Comments on Normalized Elo, section 2).

The interval of the score is that of E. Wilson (Probable Inference, the Law of Succession, and
Statistical Inference, 1927) for as many independent games without draws as have the observed
variance, with Student's t. So it stays within 0 and 1, and is wide enough after a few games.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import ClassVar

ELO_PER_NORMALIZED = 800 / math.log(10)  # normalized Elo of one standard deviation of a game
CONFIDENCE = 0.95  # of all intervals
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)
PRIOR = 0.25  # weight of the expected variance: that of independent games without draws
FARTHEST = 50.0  # the exponent at which a t of one or two degrees of freedom is cut off


@dataclass(frozen=True)
class GameCounts:
    """How many single games one player lost, drew and won."""

    losses: int = 0
    draws: int = 0
    wins: int = 0

    games_each: ClassVar[int] = 1

    @property
    def frequencies(self) -> tuple[int, ...]:
        """The counts by score: 0, 1/2, 1."""
        return (self.losses, self.draws, self.wins)


@dataclass(frozen=True)
class PairCounts:
    """How many pairs of games gave one player 0, 1/2, 1, 3/2 and 2 points."""

    zero: int = 0  # both games lost
    half: int = 0  # one lost, one drawn
    one: int = 0  # both drawn, or one win each
    three_halves: int = 0  # one drawn, one won
    two: int = 0  # both games won

    games_each: ClassVar[int] = 2

    @property
    def frequencies(self) -> tuple[int, ...]:
        """The counts by mean score: 0, 1/4, 1/2, 3/4, 1."""
        return (self.zero, self.half, self.one, self.three_halves, self.two)

    @property
    def pairs_ratio(self) -> float:
        """Pairs with more than one point for each pair with less; infinite if there are none."""
        better, worse = self.three_halves + self.two, self.zero + self.half
        return better / worse if worse else math.inf if better else 1.0

    @property
    def draw_ratio(self) -> float:
        """The share of pairs with one point for each player; 0 without pairs."""
        return self.one / sum(self.frequencies) if any(self.frequencies) else 0.0


Counts = GameCounts | PairCounts


@dataclass(frozen=True)
class EloEstimate:
    """An Elo difference with its 95 % interval, from the point of view of the first player."""

    games: int
    score: float  # from 0 to 1
    error: float  # half the width of the interval of the score
    elo: float  # infinite if all games were won or lost
    low: float
    high: float
    normalized: float  # Elo in units of the standard deviation of the results
    normalized_error: float
    los: float  # likelihood of superiority: how likely it is that the first player is stronger

    @property
    def elo_error(self) -> float:
        """Half the width of the interval in Elo; this is the number that fastchess prints."""
        return (self.high - self.low) / 2


def expected_score(elo: float) -> float:
    """Return the expected score from 0 to 1 of the player who is stronger by so many Elo."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_difference(score: float) -> float:
    """Return the Elo difference at which a score is expected; infinite at 0 and 1 and beyond."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return -400 * math.log10(1 / score - 1)


def estimate_elo(counts: Counts) -> EloEstimate:
    """Return the Elo difference with the variance of what is counted: games or pairs.

    LOS is the probability of Student's t below (score - 1/2) / √(variance of equal players). The
    normalized Elo and its error are those of fastchess; its intervals of the score are narrower.
    """
    frequencies, n = counts.frequencies, sum(counts.frequencies)
    if not n:
        return EloEstimate(0, 0.5, 0.5, 0.0, -math.inf, math.inf, 0.0, math.inf, 0.5)
    values = [index / (len(frequencies) - 1) for index in range(len(frequencies))]
    score = sum(f * value for f, value in zip(frequencies, values, strict=True)) / n
    pairs = zip(frequencies, values, strict=True)
    variance = sum(f * (value - score) ** 2 for f, value in pairs) / n
    weight = n / _dispersion(n, score, variance, counts.games_each)
    low, high = _wilson(score, weight, student_quantile(Z, n))
    normalized, normalized_error = math.copysign(math.inf, score - 0.5), math.inf
    if variance:
        per_game = math.sqrt(variance * counts.games_each)
        normalized = (score - 0.5) / per_game * ELO_PER_NORMALIZED
        normalized_error = Z * math.sqrt(variance / n) / per_game * ELO_PER_NORMALIZED
    return EloEstimate(
        games=n * counts.games_each,
        score=score,
        error=(high - low) / 2,
        elo=elo_difference(score),
        low=elo_difference(low),
        high=elo_difference(high),
        normalized=normalized if score != 0.5 else 0.0,
        normalized_error=normalized_error,
        los=student_probability((score - 0.5) * 2 * math.sqrt(weight), n),
    )


def _dispersion(n: int, score: float, variance: float, games_each: int) -> float:
    """Return the variance of results divided by that of wins and losses with the same score.

    A prior keeps it from 0 where a few results happen to be equal.
    """
    observed = variance * n * n / max(n - 1, 1)
    return (observed + PRIOR / games_each) / (n * score * (1 - score) + PRIOR)


def _wilson(score: float, n: float, quantile: float) -> tuple[float, float]:
    """Return the scores at which `n` wins and losses would differ by so many standard errors."""
    square = quantile * quantile / n
    middle = (score + square / 2) / (1 + square)
    half = math.sqrt(square * (score * (1 - score) + square / 4)) / (1 + square)
    return (0.0 if score == 0 else middle - half), (1.0 if score == 1 else middle + half)


def student_quantile(z: float, freedom: float) -> float:
    """Return the value of Student's t that is as unlikely as this normal deviate.

    The approximation is that of D. Wallace (Bounds on Normal Approximations to Student's and the
    Chi-Square Distributions, 1959), within 1 % from four degrees of freedom on.
    """
    scaled = z * (8 * freedom + 3) / (8 * freedom + 1)
    return math.sqrt(freedom * math.expm1(min(scaled * scaled / freedom, FARTHEST)))


def student_probability(t: float, freedom: float) -> float:
    """Return the probability that Student's t is less, by the same approximation."""
    scaled = (8 * freedom + 1) / (8 * freedom + 3)
    z = scaled * math.sqrt(freedom * math.log1p(t * t / freedom))
    return NormalDist().cdf(math.copysign(z, t))
