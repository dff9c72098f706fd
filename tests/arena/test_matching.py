"""Matchings of least cost, against all matchings of a few players."""

from __future__ import annotations

import builtins
import random
from collections.abc import Iterator, Mapping
from itertools import combinations
from types import ModuleType
from typing import Any

import pytest

from plyboard.arena.event import MOST_AGENTS, MOST_PAIRS, EventSettings
from plyboard.arena.matching import least_cost_pairs
from plyboard.arena.pairings import SwissTable
from plyboard.errors import UnusableError

Two = tuple[int, int]


def matchings(players: tuple[int, ...]) -> Iterator[list[Two]]:
    """Yield all ways to put an even number of players in pairs."""
    if not players:
        yield []
        return
    first, *others = players
    for other in others:
        for rest in matchings(tuple(each for each in others if each != other)):
            yield [(first, other), *rest]


def total(pairs: list[Two], costs: Mapping[Two, tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(map(sum, zip(*(costs[pair] for pair in pairs), strict=True)))


@pytest.mark.parametrize("players", [2, 4, 6, 8])
def test_no_other_pairs_cost_less(players: int) -> None:
    chance = random.Random(players)
    for _ in range(20):
        costs = {
            two: (chance.randrange(2), chance.randrange(3), chance.randrange(100))
            for two in combinations(range(players), 2)
        }
        least = min(total(pairs, costs) for pairs in matchings(tuple(range(players))))

        assert total(least_cost_pairs(costs), costs) == least


def test_the_largest_tournament_has_a_cost_that_can_be_computed() -> None:
    most = 2.0 * MOST_PAIRS * (MOST_AGENTS - 1)
    points = tuple(most * agent / MOST_AGENTS for agent in range(MOST_AGENTS))
    met = tuple((agent ^ 1,) * MOST_AGENTS for agent in range(MOST_AGENTS))

    pairs = SwissTable(points, frozenset(), met).next_pairs()

    assert len(pairs) == MOST_AGENTS // 2
    assert not any(one ^ 1 == other for one, other in pairs)


def test_only_swiss_tournaments_need_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    usual = builtins.__import__

    def refusing(name: str, *arguments: Any, **named: Any) -> ModuleType:
        if name == "rustworkx":
            raise ModuleNotFoundError(name=name)
        return usual(name, *arguments, **named)

    monkeypatch.setattr(builtins, "__import__", refusing)
    agents = ("random", "engine:level=1")

    EventSettings(agents, "connect-four", 1).checked()
    with pytest.raises(UnusableError) as caught:
        EventSettings(agents, "connect-four", 1, format="swiss").checked()
    assert str(caught.value) == (
        "not installed: got no package rustworkx; expected pip install 'plyboard[arena]'"
    )
