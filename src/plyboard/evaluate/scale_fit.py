"""Fits the scale of expected scores to what estimates scored in games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np
from numpy.typing import NDArray

from plyboard.evaluate.score_scale import LARGEST_LOGIT, UNSURE, USUAL, ScoreScale

ROUNDS = 150  # of the fit
LEAST_BEND = 0.05
GROUPS = 20  # of the curve


@dataclass(frozen=True)
class Samples:
    """Estimates for the player to move, and what that player scored in the end."""

    game: NDArray[np.int64]  # the number of each one's game
    phase: NDArray[np.float64]
    value: NDArray[np.float64]
    depth: NDArray[np.int64]
    mover: NDArray[np.int64]
    score: NDArray[np.float64]

    def part(self, chosen: NDArray[np.bool_]) -> Samples:
        """Return the chosen samples."""
        return Samples(*(each[chosen] for each in vars(self).values()))

    @property
    def is_held_out(self) -> NDArray[np.bool_]:
        """Which samples belong to games that no scale is fitted to."""
        found: NDArray[np.bool_] = self.game % 2 == 1
        return found


def scores(scale: ScoreScale, samples: Samples) -> NDArray[np.float64]:
    """Return the expected scores of all samples, as `ScoreScale.score` computes them."""
    tempo = scale.tempo + scale.tempo_by_phase * samples.phase
    first = scale.first + scale.first_by_phase * samples.phase
    lead = samples.value + np.where(samples.depth % 2, -1, 1) * tempo
    lead += np.where(samples.mover, -1, 1) * first
    depth = np.log(np.maximum(samples.depth, 1))
    slope = np.exp(scale.slope + scale.by_phase * samples.phase + scale.by_depth * depth)
    logit = scale.bend * np.arcsinh(slope * lead / scale.bend)
    plain = 1 / (1 + np.exp(-np.clip(logit, -LARGEST_LOGIT, LARGEST_LOGIT)))
    found: NDArray[np.float64] = np.interp(plain, *np.transpose(scale.curve))
    return np.clip(found, UNSURE, 1 - UNSURE)


def fit(parts: Sequence[Samples]) -> ScoreScale:
    """Return the scale with the least cross-entropy, in which each part counts the same.

    It is found by a pattern search: a number after the other is changed by its step, which grows
    when that helps, and shrinks when it does not.
    """

    def loss(scale: ScoreScale) -> float:
        return sum(_cross_entropy(scores(scale, part), part.score) for part in parts)

    best = replace(USUAL, bend=2.0)
    least, steps = loss(best), {name: 0.5 for name in asdict(best) if name != "curve"}
    for _ in range(ROUNDS):
        for name, step in steps.items():
            tried = [_moved(best, name, change) for change in (step, -step)]
            value, scale = min(((loss(each), each) for each in tried), key=lambda each: each[0])
            if value < least:
                best, least = scale, value
            steps[name] *= 1.3 if best is scale else 0.6
    best = replace(best, **{name: round(getattr(best, name), 3) for name in steps})
    return replace(best, curve=fit_curve([scores(best, part) for part in parts], parts))


def fit_curve(
    plain: Sequence[NDArray[np.float64]], parts: Sequence[Samples]
) -> tuple[tuple[float, float], ...]:
    """Return what scores were worth: isotonic regression of groups of equal weight.

    Each sample counts for both players, so the curve is symmetric. Neighbours whose means do not
    rise become one point.
    """
    both = np.concatenate([np.concatenate([each, 1 - each]) for each in plain])
    score = np.concatenate([np.concatenate([each.score, 1 - each.score]) for each in parts])
    weight = np.concatenate([np.full(2 * len(each), 1 / len(each)) for each in plain])
    order = np.argsort(both, kind="stable")
    shares = np.cumsum(weight[order]) / weight.sum()
    points: list[NDArray[np.float64]] = []  # weight, and sums of plain scores and of scores
    for group in range(GROUPS):
        chosen = order[(shares > group / GROUPS) & (shares <= (group + 1) / GROUPS)]
        own = weight[chosen]
        points.append(np.array([own.sum(), own @ both[chosen], own @ score[chosen]]))
        while len(points) > 1 and points[-2][2] / points[-2][0] >= points[-1][2] / points[-1][0]:
            points[-2:] = [points[-2] + points[-1]]
    inner = [(round(float(x / total), 4), round(float(y / total), 4)) for total, x, y in points]
    return ((0.0, 0.0), *(each for each in inner if min(each) > 0 and max(each) < 1), (1.0, 1.0))


def _moved(scale: ScoreScale, name: str, change: float) -> ScoreScale:
    moved = getattr(scale, name) + change
    is_bend = name == "bend"
    return replace(
        scale, **{name: min(max(moved, LEAST_BEND), LARGEST_LOGIT) if is_bend else moved}
    )


def _cross_entropy(expected: NDArray[np.float64], score: NDArray[np.float64]) -> float:
    kept = np.clip(expected, 1e-6, 1 - 1e-6)
    return float(-np.mean(score * np.log(kept) + (1 - score) * np.log(1 - kept)))
