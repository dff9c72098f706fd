"""Log-likelihood ratios by another way: Newton's method on the distributions themselves.

The package solves one equation for a Lagrange multiplier. Here the likelihood is maximized over all
probabilities under linear constraints (Boyd and Vandenberghe, Convex Optimization, section 10.3).
In the normalized model the mean decides the variance, so a search over means is around it.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

STEPS = 200
GOLDEN = (math.sqrt(5) - 1) / 2


def llrs(frequencies: Numbers, elo0: float, elo1: float, *, is_normalized: bool = False) -> Numbers:
    """Return the log-likelihood ratio of each row of three or five counts."""
    counts = np.where(frequencies == 0, 0.001, frequencies)
    likelihood = _with_t if is_normalized else _with_elo
    return likelihood(counts, elo1) - likelihood(counts, elo0)


def _with_elo(counts: Numbers, elo: float) -> Numbers:
    """Return the best log-likelihood with the expected score of an Elo difference."""
    values = np.linspace(0, 1, counts.shape[1])
    score = 10 ** (elo / 400) / (1 + 10 ** (elo / 400))
    return best_likelihood(counts, np.array([values]), np.full((len(counts), 1), score))


def _with_t(counts: Numbers, normalized_elo: float) -> Numbers:
    """Return the best log-likelihood with (mean - 1/2) / deviation = t."""
    kinds = counts.shape[1]
    t = normalized_elo * math.log(10) / 800 * (math.sqrt(2) if kinds == 5 else 1)
    if t < 0:
        return _with_t(counts[:, ::-1], -normalized_elo)
    values = np.linspace(0, 1, kinds)
    if t == 0:
        return best_likelihood(counts, np.array([values]), np.full((len(counts), 1), 0.5))
    moments = np.array([values, values**2])

    def at(lead: Numbers) -> Numbers:
        mean = 0.5 + lead
        targets = np.stack([mean, mean**2 + (lead / t) ** 2], axis=1)
        return best_likelihood(counts, moments, targets)

    # The variance is at most mean (1 - mean), and at least that of the two values beside the mean.
    low = np.full(len(counts), t**2 / (1 + t**2) / (kinds - 1)) * (1 + 1e-9)
    high = np.full(len(counts), t / (2 * math.sqrt(1 + t**2))) * (1 - 1e-9)
    for _ in range(36):
        left, right = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        is_left = at(left) > at(right)
        low, high = np.where(is_left, low, left), np.where(is_left, right, high)
    return at((low + high) / 2)


def best_likelihood(counts: Numbers, functions: Numbers, targets: Numbers) -> Numbers:
    """Maximize Σ n log p, where p sums to 1 and each function of the values has a given mean."""
    n, kinds = counts.shape
    matrix = np.vstack([np.ones(kinds), functions])
    wanted = np.hstack([np.ones((n, 1)), targets])
    rows = len(matrix)
    found = np.full((n, kinds), 1 / kinds)
    system = np.zeros((n, kinds + rows, kinds + rows))
    system[:, :kinds, kinds:], system[:, kinds:, :kinds] = matrix.T, matrix
    for _ in range(STEPS):
        # In units of p, so that rare results are as well conditioned as common ones.
        system[:, range(kinds), range(kinds)] = counts
        system[:, kinds:, :kinds] = matrix[None] * found[:, None, :]
        system[:, :kinds, kinds:] = np.swapaxes(system[:, kinds:, :kinds], 1, 2)
        right = np.hstack([counts, wanted - found @ matrix.T])
        change = np.linalg.solve(system, right[:, :, None])[:, :kinds, 0]
        longest = np.maximum(-change.min(axis=1, keepdims=True), 1e-300)
        scale = np.minimum(1.0, 0.9 / longest)
        found = found * (1 + scale * change)
        if np.abs(change).max() < 1e-9:
            break
    return np.asarray((counts * np.log(found)).sum(axis=1))
