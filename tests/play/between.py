"""Games between two agents given as objects, in this process."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from plyboard.agents import Budget
from plyboard.agents.agent import NO_LIMIT
from plyboard.games import Position
from plyboard.play import AgentSeat, Match, Referee, conduct


@dataclass(frozen=True)
class Played:
    """A game between agents 0 and 1, in any colours."""

    match: Match
    began: int

    @property
    def winner(self) -> int | None:
        """The agent that won; None for a draw and for no result."""
        player = self.match.winner
        return None if player is None else player ^ self.began

    @property
    def at_fault(self) -> int | None:
        """The agent that lost by a fault or an illegal move."""
        end = self.match.end
        is_fault = end is not None and end.reason in ("fault", "illegal move")
        return None if self.winner is None or not is_fault else 1 - self.winner


def games_between(
    first: Any, second: Any, game: str, games: int, budget: Budget = NO_LIMIT, openings: int = 0
) -> Iterator[Played]:
    """Play so many games, both colours from each opening of so many random plies."""
    for number in range(games):
        began, chance = number % 2, random.Random(f"opening {number // 2}")
        position = Position(game)
        for _ in range(openings):
            position = position.apply_action(chance.choice(position.legal_actions()))
        agents = (first, second) if began == 0 else (second, first)
        seats = [AgentSeat(agent, replace(budget, seed=number)) for agent in agents]
        try:
            start = Match.leading_to(position)
            yield Played(conduct(start, (seats[0], seats[1]), Referee(wrong_moves=0)), began)
        finally:
            seats[0].close()
            seats[1].close()
