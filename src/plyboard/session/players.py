"""The two players of a session: people or agents."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from plyboard.agents import Budget, Limits, agent
from plyboard.agents.agent import NO_LIMIT
from plyboard.agents.catalogue import check_plays
from plyboard.errors import UsageError, shown
from plyboard.games import Game
from plyboard.games.level import STRONGEST
from plyboard.play import AgentSeat, Match
from plyboard.specs import split_spec

HUMAN = "human"
ENGINE = "engine"
LEVEL_ADVICE = f"Type a number from 1 (beginner) to {STRONGEST} (strongest)."


@dataclass(frozen=True)
class Player:
    """A person, or an agent given by its spec with its budget per move."""

    name: str = HUMAN
    budget: Budget = NO_LIMIT

    @property
    def is_person(self) -> bool:
        """Whether a person makes its moves."""
        return self.name == HUMAN

    @property
    def label(self) -> str:
        """The name for people: `engine, level 5`; other agents by their spec."""
        has_only_level = self.level and self.name == f"{ENGINE}:level={self.level}"
        return f"{ENGINE}, level {self.level}" if has_only_level else self.name

    def seat(self, limits: Limits | None = None) -> AgentSeat | None:
        """Return a seat of the agent, in a process with these limits; None for a person."""
        return None if self.is_person else AgentSeat(agent(self.name), self.budget, process=limits)

    def short_label(self, *, is_alone: bool) -> str:
        """Return the name for people who see both players side by side."""
        if self.is_person:
            return "you" if is_alone else "a person"
        if self.level is None:
            return self.name
        return f"{ENGINE}, {f'level {self.level}' if self.level else level_text(0)}"

    @property
    def level(self) -> int | None:
        """The level of the engine, 0 for full strength; None for people and other agents."""
        name, values = ("", {}) if self.is_person else split_spec(self.name)
        return int(values.get("level", "0")) if name == ENGINE else None

    def with_level(self, level: int) -> Player:
        """Return the engine at another level."""
        return replace(self, name=level_spec(self.name, level))

    def check(self, game: Game) -> None:
        """Raise if the agent does not play this game."""
        if not self.is_person:
            check_plays(self.name, game.name)


Players = tuple[Player, Player]


def level_spec(spec: str, level: int) -> str:
    """Return the spec of an agent with this level and its other settings."""
    name, values = split_spec(spec)
    settings = {**values, "level": str(level)}
    return f"{name}:{','.join(f'{key}={value}' for key, value in settings.items())}"


def read_level(text: str) -> int:
    """Return a level of the engine."""
    if re.fullmatch(r"[0-9]{1,3}", text, re.ASCII) and 1 <= int(text) <= STRONGEST:
        return int(text)
    raise UsageError("wrong level", got=shown(text), expected=f"1 to {STRONGEST}")


def level_text(level: int) -> str:
    """Return a level of the engine in words."""
    return f"level {level} of {STRONGEST}" if level else "full strength"


def person_of(players: Players) -> int | None:
    """Return the index of the only person; None if both or neither are people."""
    hands = [index for index, player in enumerate(players) if player.is_person]
    return hands[0] if len(hands) == 1 else None


def as_recorded(players: Players, match: Match) -> Players:
    """Return the players, swapped if a record has the only person on the other side."""
    hands = [index for index, name in enumerate(match.heading.players) if name == HUMAN]
    if len(hands) == 1 and person_of(players) == 1 - hands[0]:
        return players[1], players[0]
    return players
