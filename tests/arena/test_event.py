from __future__ import annotations

import json
from dataclasses import replace

import pytest

from plyboard.agents import Budget
from plyboard.arena.event import EventSettings, usual_rounds
from plyboard.arena.statistics.sprt import SprtTest
from plyboard.errors import UsageError
from plyboard.play.clock import TimeControl

EVENT = EventSettings(("random", "engine:level=1"), "connect-four", 5)


@pytest.mark.parametrize(
    "settings",
    [
        EVENT,
        replace(EVENT, format="swiss", rounds=3, seed=9, plies=2, balanced=False, rules="course"),
        replace(EVENT, budget=Budget(nodes=10), control=TimeControl(5.0, 0.5)),
        replace(EVENT, sprt=SprtTest(0.0, 10.0, 0.1, 0.2, "normalized")),
    ],
)
def test_settings_survive_json(settings: EventSettings) -> None:
    assert EventSettings.of(json.loads(json.dumps(settings.facts()))) == settings


def test_checked_settings_have_the_full_spec_of_the_game() -> None:
    assert replace(EVENT, game="squatter:size=6").checked().game == "squatter"


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"agents": ("random",)}, "wrong agents: got 1; expected 2 to 200"),
        ({"agents": ("random", "random")}, "agent given twice: got 'random'; expected different"),
        ({"agents": ("random", "nobody")}, "unknown agent: got 'nobody'"),
        ({"agents": ("random", "squatter")}, "wrong game for squatter: got connect-four"),
        ({"game": "chess"}, "unknown game: got 'chess'"),
        ({"format": "league"}, "unknown format: got 'league'"),
        ({"pairs": 0}, "wrong games: got '0'; expected 2 to"),
        ({"rounds": 2}, "wrong rounds: got '2'; expected a whole number from 1 to 1"),
        ({"rules": "none"}, "unknown rules at --rules: got 'none'"),
        ({"rules": "course"}, "wrong event: got lost turns in connect-four"),
        ({"plies": 99}, "wrong plies: got '99'"),
        (
            {"agents": ("random", "alice", "engine"), "sprt": SprtTest(0.0, 5.0)},
            "wrong agents: got 3; expected 2",
        ),
    ],
)
def test_settings_that_make_no_event_are_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError) as fault:
        replace(EVENT, **changes).checked()  # type: ignore[arg-type]

    assert str(fault.value).startswith(message)


def test_a_swiss_tournament_has_enough_rounds_for_one_winner() -> None:
    assert [usual_rounds("swiss", agents) for agents in (2, 3, 4, 5, 8, 9)] == [1, 2, 2, 3, 3, 4]
    assert usual_rounds("knockout", 9) == 1
