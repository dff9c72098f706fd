"""Ten ways to play weaker than one can: fewer nodes, and now and then a slip."""

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
    """How many nodes a level looks at, and how often in a hundred moves it plays any move."""

    nodes: int
    slips: int

    @property
    def about(self) -> str:
        """What this level does, in words."""
        times = "once" if self.slips == 1 else f"{self.slips} times"
        often = f"any legal move {times} in 100, else " if self.slips else ""
        return f"{often}the best of {self.nodes:,} nodes"


LEVELS = (
    Level(20, 60), Level(30, 40), Level(45, 32), Level(90, 19), Level(250, 13),
    Level(700, 7), Level(2_500, 3), Level(8_000, 1), Level(40_000, 0), Level(300_000, 0),
)  # fmt: skip


def level_choice(position: Position, level: Level, budget: Budget, alpha_beta: AlphaBeta) -> Choice:
    """Return what a level chooses; the seed decides when it slips and where to."""
    evaluation = best_evaluation(position.game)
    compiled_alpha_beta(position.game.rules, evaluation, False)  # compiled even if it slips now
    chance = random.Random(f"{budget.seed} {position.text()}")
    if chance.randrange(100) < level.slips:
        return Choice(chance.choice(position.legal_actions()))
    limits = replace(budget.within(Budget(nodes=level.nodes)), simulations=None)
    return alpha_beta.search(position, evaluation, limits)
