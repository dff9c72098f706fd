"""The agent person: a place in an event for somebody who plays on a server."""

from __future__ import annotations

from dataclasses import dataclass

from plyboard.agents.agent import NO_LIMIT
from plyboard.errors import UsageError
from plyboard.games import Position
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice
from plyboard.specs import Label, Parameter, ServerAddress, Setting, split_spec

PERSON = "person"
SETTINGS: tuple[Setting, ...] = (
    ServerAddress("server", "http://127.0.0.1:8000"),
    Label("name", PERSON, 32),
    Parameter("wait", 600, 1, 86_400),
)


@dataclass(frozen=True)
class Person:
    """A person who joins each game on a server; only a match or tournament can seat one."""

    server: str
    name: str
    wait: int  # seconds, to join and for each move without a clock

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Raise `UsageError`: a person is no search."""
        del position, budget
        raise UsageError(
            "no search", got=PERSON, expected="it in plyboard match, sprt or tournament"
        )


def is_person(spec: str) -> bool:
    """Return whether a spec names a person."""
    return split_spec(spec)[0] == PERSON
