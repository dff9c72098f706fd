"""The generalized sequential probability ratio test, by games or by pairs of games.

The test decides between two hypotheses: the first player is stronger by `elo0`, or by `elo1`. It
stops as soon as the log-likelihood ratio (LLR) leaves the bounds of Wald, log(beta / (1 - alpha))
and log((1 - beta) / alpha). How often each kind of result occurs is not part of a hypothesis, so
the likelihoods are those of the most likely distributions with that strength: the generalized
test, as in fishtest and fastchess.

Sources: A. Wald, Sequential Tests of Statistical Hypotheses, 1945. M. Van den Bergh, Comments on
Normalized Elo (https://www.cantate.be/Fishtest/normalized_elo_practical.pdf), proposition 1.1 for
the logistic model and section 4.1 for the normalized model.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from plyboard.arena.statistics.elo import (
    ELO_PER_NORMALIZED,
    Counts,
    GameCounts,
    PairCounts,
    expected_score,
)
from plyboard.errors import UsageError, shown

EloModel = Literal["logistic", "normalized"]
SprtDecision = Literal["H0", "H1"]
Numbers = NDArray[np.float64]

NEVER_SEEN = 1e-3  # the count of a result that did not occur, as in fishtest and fastchess
ROUNDS = 200  # at most, of an iteration that usually takes ten
LARGEST_LOGISTIC = 2000.0  # Elo; far beyond it a score cannot be told from 0 or 1
LARGEST_NORMALIZED = 100.0  # Elo; beyond it the linearized constraint may have no solution
EXACT = 1e-12  # errors of θ and of shares count by their square in the likelihood
NO_DRIFT = 1e-12  # of the LLR with each result: not more than rounding
LARGEST_LEFT = 1e9  # results; what needs more never ends
SMALLEST = 4 * float(np.finfo(np.float64).eps)  # step of θ


@dataclass(frozen=True)
class SprtTest:
    """The hypotheses of a test and its error rates.

    `alpha` limits how often H1 is accepted although the difference is `elo0`, and `beta` how often
    H0 is accepted although it is `elo1`. In the `logistic` model both are ordinary Elo. In the
    `normalized` model they are Elo divided by the standard deviation of the results, so that a
    test takes equally long whatever the share of draws.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    model: EloModel = "logistic"

    def __post_init__(self) -> None:
        if not -math.inf < self.elo0 < self.elo1 < math.inf:
            got = f"'{self.elo0:g}' and '{self.elo1:g}'"
            raise UsageError("wrong hypotheses", got=got, expected="elo0 below elo1")
        for name, rate in (("alpha", self.alpha), ("beta", self.beta)):
            if not 0 < rate < 0.5:
                expected = "a number above 0 and below 0.5"
                raise UsageError(
                    "wrong error rate", where=name, got=f"'{rate:g}'", expected=expected
                )
        if self.model not in ("logistic", "normalized"):
            expected = "logistic or normalized"
            raise UsageError("wrong model", got=shown(str(self.model)), expected=expected)
        largest = max(abs(self.elo0), abs(self.elo1))
        most = LARGEST_NORMALIZED if self.model == "normalized" else LARGEST_LOGISTIC
        if largest > most:
            expected = f"at most {most:g} {self.model} Elo"
            raise UsageError("wrong hypotheses", got=f"'{largest:g}'", expected=expected)

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLR at which H0 is accepted, and the one at which H1 is."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Counts) -> float:
        """Return the log-likelihood ratio of H1 to H0; 0 before the first result."""
        return float(self.llrs(np.array([counts.frequencies], dtype=np.float64))[0])

    def decision(self, counts: Counts) -> SprtDecision | None:
        """Return the accepted hypothesis; None while the test goes on."""
        lower, upper = self.bounds
        llr = self.llr(counts)
        return "H1" if llr >= upper else "H0" if llr <= lower else None

    def pairs_left(self, counts: Counts) -> float:
        """Return about how many more results decide it if they go on like these.

        Infinite if they never do: they do not vary, and both hypotheses explain them equally well.
        """
        frequencies = np.array(counts.frequencies, dtype=np.float64)
        seen = np.flatnonzero(frequencies)
        if not len(seen):
            return math.inf
        one_more = frequencies + np.eye(len(frequencies))[seen]
        llr = self.llr(counts)
        steps, shares = self.llrs(one_more) - llr, frequencies[seen] / frequencies.sum()
        drift = float(shares @ steps)
        variance = float(shares @ (steps - drift) ** 2)
        lower, upper = (bound - llr for bound in self.bounds)
        straight = (upper if drift > 0 else -lower) / max(abs(drift), NO_DRIFT)
        by_chance = -lower * upper / max(variance, NO_DRIFT**2)
        found = max(0.0, min(straight, by_chance))
        return found if found < LARGEST_LEFT else math.inf

    def llrs(self, frequencies: Numbers) -> Numbers:
        """Return the LLR of many results at once: a row of three or five counts for each."""
        played = frequencies.sum(axis=1) > 0
        counts = np.where(frequencies > 0, frequencies, NEVER_SEEN)
        total = counts.sum(axis=1)
        shares = counts / total[:, None]
        first, second = (self._log_likelihood(shares, elo) for elo in (self.elo0, self.elo1))
        return np.where(played, total * (second - first), 0.0)

    def _log_likelihood(self, shares: Numbers, elo: float) -> Numbers:
        """Return the log-likelihood per result if the difference is `elo`, up to a constant."""
        kinds = shares.shape[1]
        values = np.arange(kinds) / (kinds - 1)
        if self.model == "logistic":
            return _with_mean(shares, np.broadcast_to(values - expected_score(elo), shares.shape))
        games_each = PairCounts.games_each if kinds == 5 else GameCounts.games_each
        return _with_t_value(shares, values, elo / ELO_PER_NORMALIZED * math.sqrt(games_each))


def _with_mean(shares: Numbers, deviations: Numbers) -> Numbers:
    """Return the log-likelihood of the most likely distributions in which deviations average 0.

    Such a distribution is p_i = share_i / (1 + θ deviation_i).
    """
    theta = _solve_secular(shares, deviations)
    return -np.asarray((shares * np.log1p(theta[:, None] * deviations)).sum(axis=1))


def _with_t_value(shares: Numbers, values: Numbers, t: float) -> Numbers:
    """Return the log-likelihood of the most likely distributions with (mean - 1/2) / deviation = t.

    The constraint is linearized at the current distribution, and solved again until it is met.
    """
    found = np.full_like(shares, 1 / len(values))
    rows = np.arange(len(shares))  # not solved yet
    for _ in range(ROUNDS):
        previous, of_rows = found[rows], shares[rows]
        mean = (previous * values).sum(axis=1, keepdims=True)
        deviation = np.sqrt((previous * (values - mean) ** 2).sum(axis=1, keepdims=True))
        constraint = values - 0.5 - t * deviation * (1 + ((values - mean) / deviation) ** 2) / 2
        theta = _solve_secular(of_rows, constraint)
        found[rows] = of_rows / (1 + theta[:, None] * constraint)
        rows = rows[np.abs(found[rows] - previous).max(axis=1) > EXACT]
        if not len(rows):
            break
    return np.asarray((shares * np.log(found / shares)).sum(axis=1))


def _solve_secular(shares: Numbers, deviations: Numbers) -> Numbers:
    """Return θ with Σ share_i deviation_i / (1 + θ deviation_i) = 0, by Newton and bisection.

    The sum falls from +∞ to -∞ between the poles at -1 / max(deviation) and -1 / min(deviation).
    """
    lower_pole, upper_pole = -1 / deviations.max(axis=1), -1 / deviations.min(axis=1)
    low, high = lower_pole.copy(), upper_pole.copy()
    theta = np.zeros(len(shares))
    rows = np.arange(len(shares))  # not solved yet
    for _ in range(ROUNDS):
        at, of_rows = theta[rows], deviations[rows]
        parts = of_rows / (1 + at[:, None] * of_rows)
        weighted = shares[rows] * parts
        value, slope = weighted.sum(axis=1), -(weighted * parts).sum(axis=1)
        low[rows], high[rows] = np.where(value > 0, (at, high[rows]), (low[rows], at))
        newton = at - value / slope
        room = np.minimum(at - lower_pole[rows], upper_pole[rows] - at)
        is_solved = np.abs(newton - at) <= np.maximum(EXACT * room, SMALLEST * np.abs(at))
        is_inside = (low[rows] < newton) & (newton < high[rows])
        middle = (low[rows] + high[rows]) / 2
        theta[rows] = np.where(is_solved, at, np.where(is_inside, newton, middle))
        rows = rows[~is_solved]
        if not len(rows):
            break
    return theta
