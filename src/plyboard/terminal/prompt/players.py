"""Who plays the two sides of a game: persons and agents."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from plyboard.agents import Budget, agent
from plyboard.agents.agent import NO_LIMIT
from plyboard.agents.catalogue import check_plays
from plyboard.games import Game
from plyboard.play import AgentSeat, Match

HUMAN = "human"


@dataclass(frozen=True)
class Player:
    """One side: a person, or the agent of a spec with what it may spend on a move."""

    name: str = HUMAN
    budget: Budget = NO_LIMIT

    @property
    def is_person(self) -> bool:
        """Whether its moves come from the keyboard."""
        return self.name == HUMAN

    @cached_property
    def seat(self) -> AgentSeat:
        """Where its agent sits."""
        return AgentSeat(agent(self.name), self.budget)

    def check(self, game: Game) -> None:
        """Refuse a game that this side does not play."""
        if not self.is_person:
            check_plays(self.name, game.name)


Players = tuple[Player, Player]


def person_of(players: Players) -> int | None:
    """Return which side the one person plays; None if that are both or none."""
    hands = [index for index, player in enumerate(players) if player.is_person]
    return hands[0] if len(hands) == 1 else None


def as_recorded(players: Players, match: Match) -> Players:
    """Return the sides such that a person plays the one that a person played in a record."""
    hands = [index for index, name in enumerate(match.heading.players) if name == HUMAN]
    if len(hands) == 1 and person_of(players) == 1 - hands[0]:
        return players[1], players[0]
    return players
