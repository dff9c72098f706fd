"""Play at a level of strength: fewer nodes and some random moves; the last is the full engine.

How the numbers were set: docs/decisions/0036-levels-are-measured.md.
"""

from __future__ import annotations

import random
from dataclasses import replace

from plyboard.evaluate import best_evaluation
from plyboard.games import Game, Position
from plyboard.games.game import HasLevels
from plyboard.games.level import DEFAULT_LEVELS, Level
from plyboard.games.tuning import tuning_of
from plyboard.search.alpha_beta.iterative_deepening import AlphaBeta, compiled_alpha_beta
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice

SMALL_TABLE = 1  # MiB


def levels_of(game: Game) -> tuple[Level, ...]:
    """Return the ten levels of a game, from the weakest on."""
    if isinstance(game, HasLevels):
        return game.levels
    found = tuning_of(game)
    return found.levels if found is not None and found.levels else DEFAULT_LEVELS


def level_choice(position: Position, level: Level, budget: Budget, alpha_beta: AlphaBeta) -> Choice:
    """Return the choice of a level below the last; the seed decides which moves are random."""
    evaluation = best_evaluation(position.game)
    compiled_alpha_beta(position.game.rules, evaluation, False)  # even if this move is random
    chance = random.Random(f"{budget.seed} {position.text()}")
    if chance.randrange(100) < level.random_percent:
        return Choice(chance.choice(position.legal_actions()))
    limits = replace(budget.within(Budget(nodes=level.nodes)), simulations=None)
    return alpha_beta.search(position, evaluation, limits)
