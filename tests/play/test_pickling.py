"""Matches cross processes as values: with their history, their evidence and their end."""

from __future__ import annotations

import copy
import pickle
from multiprocessing import get_context
from operator import methodcaller
from typing import Any

import pytest
from hypothesis import given
from play.matches import matches

from plyboard.games import Position
from plyboard.play.clock import Clock, TimeControl
from plyboard.play.fault import Fault
from plyboard.play.match import End, Heading, Match, Result, Turn
from plyboard.play.referee import Referee, Takebacks
from plyboard.play.seat import PlayerCommand

LONG = "connect-four:columns=16,rows=16,line=16"


def trip(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


def played(spec: str, plies: int) -> Match:
    match = Match.of(Position(spec), Heading("a", "b", seed=1))
    for _ in range(plies):
        match = match.apply_action(match.position.legal_actions()[0], Turn(None, value=0.5))
    return match


@given(match=matches())
def test_a_match_comes_back_as_it_was(match: Match) -> None:
    for back in (trip(match), copy.copy(match), copy.deepcopy(match)):
        assert back == match
        assert back.start.game.rules is match.start.game.rules
        assert [each.last_action for each in back.positions] == [
            each.last_action for each in match.positions
        ]
        for before, after, old in zip(
            back.positions, back.positions[1:], match.positions[1:], strict=False
        ):
            assert after.before is (None if old.before is None else before)


def test_a_long_match_grows_with_its_plies_and_not_with_their_square() -> None:
    short, long = played(LONG, 50), played(LONG, 200)

    assert trip(long) == long
    assert len(pickle.dumps(long)) < 6 * len(pickle.dumps(short))


def test_matches_differ_by_heading_turns_and_end() -> None:
    match = played("squatter", 3)
    others = (
        Match(Heading("c"), match.positions, match.turns, match.end),
        Match(match.heading, match.positions, (*match.turns[:2], Turn(0)), match.end),
        match.ended(Result.DRAW, "agreed"),
    )

    assert all(trip(other) == other != match for other in others)


@pytest.mark.parametrize(
    "value",
    [
        End(Result.FIRST, "fault", "raised ValueError"),
        Heading("a", "b", "event", "2024-02-29", 5, TimeControl(300, 2)),
        Turn(3, 1.5, -2.0, "good", ((Turn(1), Turn(2)),)),
        Clock.of(TimeControl(5, per_move=True)).started(1, 7.0),
        Referee(wrong_moves=2, takebacks=Takebacks.FREE),
        Fault("raised ValueError"),
        PlayerCommand.RESIGN,
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_belongs_to_a_match_comes_back_as_it_was(value: object) -> None:
    assert trip(value) == copy.deepcopy(value) == value


def test_a_table_goes_on_in_a_spawned_process() -> None:
    match = Match.of(Position("extended"), Heading(control=TimeControl(9, per_move=True)))
    referee = Referee(lost_turn=True)
    table = referee.hear(referee.open(match.play("3")), 1, "99", 0.0).table
    with get_context("spawn").Pool(1) as pool:
        ruling = pool.apply(methodcaller("hear", table, 0, "4", 1.0), (referee,))

    assert ruling == referee.hear(table, 0, "4", 1.0)
    assert [turn.action for turn in ruling.table.match.turns] == [3, None, 4]
