"""Evaluations: static values of positions that are not over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from plyboard.errors import UsageError
from plyboard.games.rules import State

Weights = NDArray[Any]
"""The weights of an evaluation: one dimension, read-only, integers or floats."""

# What `Evaluation.immediate_win` returns if no action wins at once.
QUIET = -1
THREATENED = -2  # the other player would win at once, if it were that player's turn


def no_weights() -> Weights:
    """Return the weights of an evaluation that has none."""
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class Evaluation:
    """The static evaluation of a game: kernels that every search inlines, and weights.

    `evaluate` takes a state that is not over and the weights. It returns the value of the state to
    the player to move, as a whole number: `scale` of them are one point, or one unit in games
    without points. The value is the same for mirrored positions, and stays below half a million
    units.

    `immediate_win` is for games in which the next ply often decides. It returns an action that
    wins at once, else `QUIET`. If its second argument is true, it also looks at the other player,
    and returns `THREATENED` if that player could win at once.

    Compiled searches take the weights as an argument, so new weights need no new code. For the
    same reason evaluations that differ only in weights are equal.
    """

    name: str
    evaluate: Callable[[State, Weights], int]
    scale: int = 1
    immediate_win: Callable[[State, bool], int] | None = None
    weights: Weights = field(default_factory=no_weights, compare=False)

    def __post_init__(self) -> None:
        """Copy the weights, so that nobody can change them."""
        weights = np.array(self.weights, order="C")
        if weights.ndim != 1 or weights.dtype.kind not in "iuf":
            raise UsageError(
                f"wrong weights: got an array of {weights.dtype} with {weights.ndim} dimensions; "
                "expected numbers in one dimension"
            )
        weights.flags.writeable = False
        object.__setattr__(self, "weights", weights)

    def value(self, state: State) -> int:
        """Return the value of a state to the player to move, in plain Python."""
        return int(self.evaluate(state, self.weights))

    def with_weights(self, weights: ArrayLike) -> Evaluation:
        """Return this evaluation with other weights, as many and of the same type as before."""
        array = np.array(weights).astype(self.weights.dtype)
        if array.shape != self.weights.shape:
            raise UsageError(
                f"wrong weights of {self.name}: got shape {array.shape}; "
                f"expected {self.weights.shape}"
            )
        return replace(self, weights=array)
