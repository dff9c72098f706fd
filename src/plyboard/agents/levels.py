"""Ten weaker levels: fewer nodes, and some random moves."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from plyboard.evaluate import best_evaluation
from plyboard.games import Position
from plyboard.search.alpha_beta.iterative_deepening import AlphaBeta, compiled_alpha_beta
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice

SMALL_TABLE = 1  # MiB


@dataclass(frozen=True)
class Level:
    """The node limit of a level, and how many of a hundred moves are random."""

    nodes: int
    slips: int

    @property
    def about(self) -> str:
        """A description of the level."""
        times = "once" if self.slips == 1 else f"{self.slips} times"
        often = f"any legal move {times} in 100, else " if self.slips else ""
        return f"{often}the best of {self.nodes:,} nodes"


LEVELS = (
    Level(20, 60), Level(30, 40), Level(45, 32), Level(90, 19), Level(250, 13),
    Level(700, 7), Level(2_500, 3), Level(8_000, 1), Level(40_000, 0), Level(300_000, 0),
)  # fmt: skip


def level_choice(position: Position, level: Level, budget: Budget, alpha_beta: AlphaBeta) -> Choice:
    """Return the choice of a level; the seed decides which moves are random."""
    evaluation = best_evaluation(position.game)
    compiled_alpha_beta(position.game.rules, evaluation, False)  # even if this move is random
    chance = random.Random(f"{budget.seed} {position.text()}")
    if chance.randrange(100) < level.slips:
        return Choice(chance.choice(position.legal_actions()))
    limits = replace(budget.within(Budget(nodes=level.nodes)), simulations=None)
    return alpha_beta.search(position, evaluation, limits)
