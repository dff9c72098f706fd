"""The random agent: every legal move alike."""

from __future__ import annotations

import random
from dataclasses import dataclass

from plyboard.agents.agent import Choice
from plyboard.games import Position


@dataclass(frozen=True)
class Chance:
    """Plays any legal move."""

    name: str = "random"

    def choose(self, position: Position, seed: int) -> Choice:
        """Return a random legal move."""
        return Choice(random.Random(seed).choice(position.legal_actions()))
