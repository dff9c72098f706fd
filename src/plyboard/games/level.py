"""A level of strength: how far the engine looks, and how often it plays a random move."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """The node limit of a level, and how many of a hundred moves are random."""

    nodes: int | None  # None for the full engine
    random_percent: int = 0

    @property
    def about(self) -> str:
        """A description of the level."""
        if self.nodes is None:
            return "full strength within its seconds, depth or nodes"
        times = "once" if self.random_percent == 1 else f"{self.random_percent} times"
        often = f"any legal move {times} in 100, else " if self.random_percent else ""
        return f"{often}the best of {self.nodes:,} nodes"


STRONGEST = 10  # the number of the last level
FULL = Level(None)
# Of Connect Four, and of games without levels of their own.
DEFAULT_LEVELS = (
    Level(20, 95), Level(20, 79), Level(25, 58), Level(50, 34), Level(250, 18),
    Level(500, 9), Level(2_000, 5), Level(10_000, 2), Level(60_000), FULL,
)  # fmt: skip
