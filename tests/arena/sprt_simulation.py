"""Simulated sequential tests, to count how often they decide wrongly.

    python tests/arena/sprt_simulation.py --tests 20000                  the cases of the test suite
    python tests/arena/sprt_simulation.py --elo0 0 --elo1 10 --every 10  narrower hypotheses

A test looks at its log-likelihood ratio after every pair, or after every so many pairs.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plyboard.arena.statistics.elo import ELO_PER_NORMALIZED, expected_score
from plyboard.arena.statistics.sprt import EloModel, SprtTest

Numbers = NDArray[np.float64]

# How often pairs bring 0, 1/2, 1, 3/2 and 2 points between equal players.
DISTRIBUTIONS = {
    "decisive": (0.2, 0.0, 0.6, 0.0, 0.2),  # no draws, as in Connect Four at low levels
    "drawish": (0.02, 0.18, 0.6, 0.18, 0.02),  # as between strong players of Squatter
    "decided openings": (0.03, 0.04, 0.86, 0.04, 0.03),  # most pairs are one win each
    "varied": (0.1, 0.2, 0.4, 0.2, 0.1),
}
LONGEST = 100_000  # pairs
LONGEST_SHARED = 9_000  # pairs for which the counts of a test are one number that a float can hold


@dataclass(frozen=True)
class Simulation:
    """The share of tests that accepted H1, and the mean number of pairs."""

    accepted: float
    pairs: float


def tilted(distribution: tuple[float, ...], elo: float, model: EloModel) -> Numbers:
    """Return a distribution with more good pairs, so that its strength is that of a hypothesis."""
    base, values = np.array(distribution), np.arange(5) / 4
    low, high = -50.0, 50.0
    for _ in range(200):
        middle = (low + high) / 2
        found = base * np.exp(middle * values)
        found /= found.sum()
        mean = float(found @ values)
        per_game = np.sqrt(2 * float(found @ (values - mean) ** 2))
        strength = {
            "logistic": mean - expected_score(elo),
            "normalized": (mean - 0.5) / per_game - elo / ELO_PER_NORMALIZED,
        }[model]
        low, high = (low, middle) if strength > 0 else (middle, high)
    return np.asarray(found)


def simulate(test: SprtTest, truth: Numbers, tests: int, seed: int, every: int = 1) -> Simulation:
    """Run so many tests on pairs drawn from a distribution."""
    chance = np.random.default_rng(seed)
    counts = np.zeros((tests, 5))
    lower, upper = test.bounds
    accepted = pairs = ended = 0
    for played in range(every, LONGEST, every):
        counts += chance.multinomial(every, truth, size=len(counts))
        llrs = shared_llrs(test, counts, played)
        is_open = (lower < llrs) & (llrs < upper)
        closed = len(counts) - int(is_open.sum())
        accepted += int((llrs >= upper).sum())
        pairs, ended = pairs + closed * played, ended + closed
        counts = counts[is_open]
        if not len(counts):
            break
    assert ended == tests
    return Simulation(accepted / tests, pairs / tests)


def shared_llrs(test: SprtTest, counts: Numbers, played: int) -> Numbers:
    """Return the LLR of each row; rows with the same counts share one calculation."""
    if played > LONGEST_SHARED:
        return test.llrs(counts)
    numbers = counts[:, :4] @ (played + 1.0) ** np.arange(4)  # the fifth count is what is left
    _, first, which = np.unique(numbers, return_index=True, return_inverse=True)
    return np.asarray(test.llrs(counts[first])[which])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tests", type=int, default=20_000)
    parser.add_argument("--elo0", type=float, default=0)
    parser.add_argument("--elo1", type=float, default=40)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--model", choices=["logistic", "normalized"], default="logistic")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    test = SprtTest(options.elo0, options.elo1, model=options.model)
    for name, distribution in DISTRIBUTIONS.items():
        for hypothesis, elo in (("H0", test.elo0), ("H1", test.elo1)):
            began = time.perf_counter()
            truth = tilted(distribution, elo, test.model)
            found = simulate(test, truth, options.tests, options.seed, options.every)
            wrong = found.accepted if hypothesis == "H0" else 1 - found.accepted
            print(
                f"{name:16} {hypothesis} is true: {wrong:6.2%} wrong, {found.pairs:8.1f} pairs, "
                f"{time.perf_counter() - began:5.1f} s",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
