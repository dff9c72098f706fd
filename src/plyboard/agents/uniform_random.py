"""The agent random: all legal moves are equally likely, or all that gain most at once."""

from __future__ import annotations

import random
from dataclasses import dataclass

from plyboard.agents.agent import NO_LIMIT, check_turn
from plyboard.games import Position
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice


@dataclass(frozen=True)
class UniformRandom:
    """Plays a legal move uniformly at random.

    If it is greedy it looks one ply ahead, as a beginner does: it wins if it can, else gains as
    many points as it can, and chooses at random among equal moves.
    """

    greedy: str = "no"  # whether to look one ply ahead: yes or no
    name: str = "random"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return a random move."""
        check_turn(position, self.name)
        actions = position.legal_actions()
        if self.greedy == "no":
            return Choice(random.Random(budget.seed).choice(actions))
        gains = {action: _gain(position, action) for action in actions}
        most = max(gains.values())
        best = [action for action in actions if gains[action] == most]
        return Choice(random.Random(f"{budget.seed} {position.text()}").choice(best))


def _gain(position: Position, action: int) -> tuple[bool, int]:
    """Return whether a move wins, and the lead in points after it."""
    after, mover = position.apply_action(action), position.mover
    outcome, scores = after.outcome(), after.scores()
    lead = scores[mover] - scores[1 - mover] if scores else 0
    return outcome is not None and outcome.winner == mover, lead
