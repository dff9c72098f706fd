"""Ten levels of strength: fewer nodes and some random moves; the last one is the full engine.

How the numbers were set: docs/decisions/0036-levels-are-measured.md.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from plyboard.evaluate import best_evaluation
from plyboard.games import Game, Position
from plyboard.search.alpha_beta.iterative_deepening import AlphaBeta, compiled_alpha_beta
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice

SMALL_TABLE = 1  # MiB


@dataclass(frozen=True)
class Level:
    """The node limit of a level, and how many of a hundred moves are random."""

    nodes: int | None  # None for the full engine
    slips: int = 0

    @property
    def about(self) -> str:
        """A description of the level."""
        if self.nodes is None:
            return "full strength within its seconds, depth or nodes"
        times = "once" if self.slips == 1 else f"{self.slips} times"
        often = f"any legal move {times} in 100, else " if self.slips else ""
        return f"{often}the best of {self.nodes:,} nodes"


FULL = Level(None)
# Of Connect Four, and of games without levels of their own.
LEVELS = (
    Level(20, 95), Level(20, 79), Level(25, 58), Level(50, 34), Level(250, 18),
    Level(500, 9), Level(2_000, 5), Level(10_000, 2), Level(60_000), FULL,
)  # fmt: skip
LEVELS_BY_GAME = {
    "conniption": (
        Level(20, 98), Level(20, 84), Level(20, 63), Level(35, 42), Level(70, 26),
        Level(160, 16), Level(550, 8), Level(2_400, 4), Level(9_500, 2), FULL,
    ),
    "extended": (
        Level(20, 85), Level(20, 68), Level(30, 53), Level(43, 38), Level(78, 26),
        Level(150, 17), Level(420, 11), Level(2_300, 5), Level(10_000, 2), FULL,
    ),
    "squatter": (
        Level(20, 99), Level(20, 89), Level(20, 82), Level(20, 71), Level(25, 59),
        Level(38, 45), Level(55, 30), Level(125, 18), Level(600, 9), FULL,
    ),
}  # fmt: skip


def levels_of(game: Game) -> tuple[Level, ...]:
    """Return the ten levels of a game, from the weakest on."""
    return LEVELS_BY_GAME.get(game.name, LEVELS)


def level_choice(position: Position, level: Level, budget: Budget, alpha_beta: AlphaBeta) -> Choice:
    """Return the choice of a level below the last; the seed decides which moves are random."""
    evaluation = best_evaluation(position.game)
    compiled_alpha_beta(position.game.rules, evaluation, False)  # even if this move is random
    chance = random.Random(f"{budget.seed} {position.text()}")
    if chance.randrange(100) < level.slips:
        return Choice(chance.choice(position.legal_actions()))
    limits = replace(budget.within(Budget(nodes=level.nodes)), simulations=None)
    return alpha_beta.search(position, evaluation, limits)
