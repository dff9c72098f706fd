"""What an evaluation is: a guess at positions that are not over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyboard.games.rules import State

# What a look at the next ply tells if no action wins at once.
QUIET = -1
THREATENED = -2  # the other player would win at once, if it were that player's turn


@dataclass(frozen=True)
class Evaluation:
    """A guess at positions of one game, as a kernel that every search inlines.

    `evaluate` tells what a position that is not over is worth to the player to move, in whole
    numbers; `scale` of them make one point, or one unit in games without points. It is the same
    for mirrored positions, and its size stays below half a million units.

    `immediate_win` is there for games in which the next ply often decides. It gives an action that
    wins at once, or `QUIET`; or, if it is asked to look for both players, `THREATENED`.
    """

    name: str
    evaluate: Callable[[State], int]
    scale: int = 1
    immediate_win: Callable[[State, bool], int] | None = None
