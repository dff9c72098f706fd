"""What an agent is: it thinks, and says what it chose and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from plyboard.games import Position


@dataclass(frozen=True)
class Choice:
    """A move with its evidence: values of moves as the player to move sees them."""

    action: int
    values: Mapping[int, float] = field(default_factory=dict)


class Agent(Protocol):
    """Anything that chooses moves. The same position and seed give the same choice."""

    @property
    def name(self) -> str:
        """What it is called."""

    def choose(self, position: Position, seed: int) -> Choice:
        """Return its choice in a position that is not over."""
