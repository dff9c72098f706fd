"""From estimates of a search to expected scores: scales fitted to self-play of each game."""

from __future__ import annotations

import importlib.resources
import json
import math
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache
from typing import Any, Self

from plyboard.games import Game, Position
from plyboard.games.tuning import tuning_of

FILE = "expected-scores.json"  # written by tools/expected_scores.py
LARGEST_LOGIT = 36.0  # beyond it, the score would be exactly 0 or 1
UNSURE = 1e-9  # the least expected score
STRAIGHT = ((0.0, 0.0), (1.0, 1.0))  # the curve that changes nothing


@dataclass(frozen=True)
class ScoreScale:
    """How an estimate, the phase of the game and the depth of the search give an expected score.

    First comes the logistic function of `slope * lead`, and the slope grows with phase and depth.
    Towards `bend`, this product counts less and less: large leads that are not proved often come to
    nothing. The lead is the estimate with two corrections: a search to an odd depth flatters the
    player to move, who has made one move more in it than the other, and the game may favour the
    first player more than the evaluation knows.

    Then the curve tells what such a score was worth in games: where many are drawn, for example, it
    is flat in the middle.
    """

    slope: float  # its logarithm, on an empty board at depth 1
    by_phase: float  # what a full board adds to it
    by_depth: float  # what a depth e times as large adds to it
    bend: float
    tempo: float  # added to the lead after an even depth, subtracted after an odd one
    tempo_by_phase: float  # what a full board adds to it
    first: float  # added for the first player, subtracted for the second
    first_by_phase: float
    curve: tuple[tuple[float, float], ...] = STRAIGHT  # points on it, joined by lines; both rise

    @classmethod
    def of(cls, facts: dict[str, Any]) -> Self:
        """Return the scale that JSON holds."""
        return cls(**{**facts, "curve": tuple(map(tuple, facts["curve"]))})

    def score(self, value: float, phase: float, depth: int, mover: int) -> float:
        """Return the expected score of an estimate for the player to move, between 0 and 1."""
        tempo = self.tempo + self.tempo_by_phase * phase
        first = self.first + self.first_by_phase * phase
        parity = 0 if depth == 0 else -1 if depth % 2 else 1
        lead = value + parity * tempo + (-first if mover else first)
        slope = self.slope + self.by_phase * phase + self.by_depth * math.log(max(depth, 1))
        logit = self.bend * math.asinh(math.exp(slope) * lead / self.bend)
        plain = 1 / (1 + math.exp(-max(-LARGEST_LOGIT, min(logit, LARGEST_LOGIT))))
        return min(max(self._on_curve(plain), UNSURE), 1 - UNSURE)

    def _on_curve(self, plain: float) -> float:
        after = min(bisect_right(self.curve, (plain, math.inf)), len(self.curve) - 1)
        (left, low), (right, high) = self.curve[after - 1 : after + 1]
        return low + (high - low) * (plain - left) / (right - left)


USUAL = ScoreScale(-math.log(4), 0, 0, LARGEST_LOGIT, 0, 0, 0, 0)
"""The scale of games to which none was fitted: a lead of 4 scores 0.73."""


@cache
def fitted_scales() -> dict[str, ScoreScale]:
    """Return the fitted scales by the names of their games."""
    file = importlib.resources.files("plyboard") / "data" / FILE
    found = json.loads(file.read_text("utf-8"))
    return {name: ScoreScale.of(facts) for name, facts in found.items()}


def scale_of(game: Game) -> ScoreScale:
    """Return the scale of a game: the one measured for it, or the usual one."""
    found = tuning_of(game)
    if found is not None and found.scale:
        return ScoreScale(*found.scale)
    return fitted_scales().get(game.name, USUAL)


def phase_of(position: Position) -> float:
    """Return the share of the board that is covered by pieces, from 0 to 1."""
    picture = position.picture()
    cells = [symbol for _, symbol in picture.cells()]
    return sum(symbol in picture.pieces for symbol in cells) / len(cells)
