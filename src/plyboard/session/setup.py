"""What is played and between whom, as a person chooses it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from plyboard.session.players import ENGINE, HUMAN

ME, THEM = "me", "them"
DEFAULT_GAME = "connect-four"
DEFAULT_LEVEL = 5
DEFAULT_OPPONENT = f"{ENGINE}:level={DEFAULT_LEVEL}"


@dataclass(frozen=True)
class Setup:
    """Which games to play, and between whom. None means not given."""

    game: str | None = None
    opponent: str | None = None
    me: str | None = None  # the agent that plays for the person, if any
    first: str | None = None
    games: int | None = None

    @property
    def is_between_people(self) -> bool:
        """Whether both players are people."""
        return self.opponent == HUMAN and self.me in (None, HUMAN)

    def with_defaults(self) -> CompleteSetup:
        """Return this setup with defaults for everything not given."""
        return CompleteSetup(
            self.game or DEFAULT_GAME,
            self.opponent or DEFAULT_OPPONENT,
            self.me or HUMAN,
            self.first or ME,
            self.games or 1,
        )


class CompleteSetup(NamedTuple):
    """A setup with defaults filled in."""

    game: str
    opponent: str
    me: str
    first: str
    games: int
