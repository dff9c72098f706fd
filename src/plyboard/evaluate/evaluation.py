"""What an evaluation is: a guess at positions that are not over."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyboard.games.rules import State


@dataclass(frozen=True)
class Evaluation:
    """A guess at positions of one game, as a kernel that every search inlines.

    `guess` tells what a position that is not over is worth to the player to move, in whole
    numbers; `scale` of them make one point, or one unit in games without points. It is the same
    for mirrored positions, and its size stays below half a million units.
    """

    name: str
    guess: Callable[[State], int]
    scale: int = 1
