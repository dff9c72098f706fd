"""Agents that mean harm, and games that they play."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from play.between import Played, games_between

from plyboard.agents import Budget, Choice, agent
from plyboard.agents.agent import NO_LIMIT
from plyboard.games import Position
from plyboard.play.record import read_record, write_record

RANDOM = agent("random")
GAMES = 4


@dataclass
class Answering:
    """An agent that answers with whatever a function gives."""

    answer: Callable[[Position], Any]
    name: str = "answering"

    def choose(self, position: Position, _budget: Budget = NO_LIMIT) -> Choice:
        answer: Choice = self.answer(position)
        return answer


def first(position: Position) -> int:
    return position.legal_actions()[0]


def refuse(*_: object, **__: object) -> Any:
    raise RuntimeError("no")


def played(bad: Any) -> list[Played]:
    """Return games against chance, all of which can be recorded."""
    try:
        games = list(games_between(bad, RANDOM, "connect-four", GAMES))
    except KeyboardInterrupt:
        pytest.fail("the agent ended the games, and nobody pressed Ctrl-C")
    for each in games:
        assert read_record(write_record(each.match)) == each.match
    return games


def check_lost(games: list[Played], reason: str, detail: str) -> None:
    assert len(games) == GAMES
    for each in games:
        assert each.match.end is not None
        assert (each.winner, each.at_fault, each.match.end.reason) == (1, 0, reason)
        assert each.match.end.detail.startswith(detail)
        assert len(each.match.end.detail) < 250
