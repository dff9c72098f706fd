"""The agent random: all legal moves are equally likely."""

from __future__ import annotations

import random
from dataclasses import dataclass

from plyboard.agents.agent import NO_LIMIT, check_turn
from plyboard.games import Position
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice


@dataclass(frozen=True)
class UniformRandom:
    """Plays a legal move uniformly at random."""

    name: str = "random"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return a random legal move."""
        check_turn(position, self.name)
        return Choice(random.Random(budget.seed).choice(position.legal_actions()))
