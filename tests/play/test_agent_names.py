"""Names of agents: one that no record can hold loses each game of its series."""

from __future__ import annotations

from typing import Any

import pytest
from play.rogues import GAMES, Answering, check_lost, first, played, refuse

from plyboard.agents import Budget, Choice
from plyboard.agents.agent import NO_LIMIT
from plyboard.games import Position
from plyboard.play.series import Tally, series

NAMES: dict[str, tuple[Any, str]] = {
    "a number": (7, "its name is int; expected a text"),
    "none": (None, "its name is NoneType; expected a text"),
    "bytes": (b"name", "its name is bytes; expected a text"),
    "long": ("x" * 10_000, "its name has 10000 characters; expected at most 200"),
    "half of a character": ("a\ud800", r"its name is 'a\ud800'; expected printable characters"),
    "an escape": ("\x1b[31m", r"its name is '\x1b[31m'; expected printable characters"),
    "two lines": ("a\nb", r"its name is 'a\nb'; expected printable characters"),
    "backwards": ("a\u202eb", r"its name is 'a\u202eb'; expected printable characters"),
}


class OddText(str):
    __slots__ = ()
    __getitem__ = __len__ = __str__ = __format__ = isprintable = refuse


@pytest.mark.parametrize("name", NAMES)
def test_an_agent_with_an_odd_name_loses_each_of_its_games(name: str) -> None:
    given, detail = NAMES[name]
    games = played(Answering(lambda p: Choice(first(p)), given))

    check_lost(games, "fault", detail)
    assert {each.match.heading.players[each.began] for each in games} == {"Answering"}


class Nameless:
    def choose(self, position: Position, _budget: Budget = NO_LIMIT) -> Choice:
        return Choice(first(position))


class Interrupting(Nameless):
    @property
    def name(self) -> str:
        raise KeyboardInterrupt


def test_an_agent_without_a_name_loses_each_of_its_games() -> None:
    check_lost(played(Nameless()), "fault", "raised AttributeError")
    check_lost(played(Interrupting()), "fault", "raised KeyboardInterrupt")


def test_a_name_of_the_agents_own_class_becomes_a_plain_text() -> None:
    games = played(Answering(lambda p: Choice(first(p)), OddText("odd")))

    assert {each.match.heading.players[each.began] for each in games} == {"odd"}
    assert {each.at_fault for each in games} == {None}


def test_two_agents_without_names_end_the_series_with_its_last_game() -> None:
    tally = Tally()
    for each in series(Nameless(), Nameless(), "squatter", GAMES):  # type: ignore[arg-type]
        tally = tally.plus(each)

    assert (tally.games, tally.faults) == (GAMES, (2, 2))
