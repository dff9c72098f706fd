"""Clocks in virtual time: nothing here waits."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis.strategies import floats, integers, lists

from plyboard.errors import PlyboardError
from plyboard.play.clock import LONGEST, Clock, TimeControl


@pytest.mark.parametrize("text", ["300", "300+2", "0.5+0.125", "5/move", "0.001/move", "1000000"])
def test_a_time_control_reads_back(text: str) -> None:
    assert TimeControl.read(text).text() == text


@pytest.mark.parametrize(
    "text",
    ["", "0", "-1", "+2", "5+", "5/", "5/moves", "5 /move", "5+1/move", "NaN", "inf", "1e3", "1_0",
     "\uff15", "5.1234", "1000001", "300+-2", "99999999", "5\n", " 5"],
)  # fmt: skip
def test_any_other_text_is_no_time(text: str) -> None:
    with pytest.raises(PlyboardError, match=r"got .*; expected"):
        TimeControl.read(text)


@pytest.mark.parametrize("base", [0.0, -1.0, math.nan, math.inf, 0.0005, True, 2 * LONGEST])
def test_a_time_that_is_none_is_refused(base: float) -> None:
    with pytest.raises(PlyboardError, match="wrong time"):
        TimeControl(base)


def test_only_the_time_of_the_player_to_move_runs() -> None:
    clock = Clock.of(TimeControl(60, 2)).started(0, now=100.0)

    assert clock.left_at(0, now=110.0) == 50
    assert clock.left_at(1, now=110.0) == 60


def test_a_move_adds_the_increment_and_stops_the_clock() -> None:
    clock = Clock.of(TimeControl(60, 2)).started(0, now=100.0).pressed(now=110.0)

    assert clock.left == (52.0, 60.0)
    assert clock.running is None
    assert clock.left_at(0, now=1e6) == 52


def test_each_move_has_its_own_time_where_time_is_per_move() -> None:
    clock = Clock.of(TimeControl(5, per_move=True)).started(1, now=0.0)

    assert clock.left_at(1, now=4.0) == 1
    assert clock.pressed(now=4.0).left == (5, 5)


def test_a_pause_neither_gives_time_nor_takes_it() -> None:
    for control in (TimeControl(10, 1), TimeControl(10, per_move=True)):
        clock = Clock.of(control).started(0, now=0.0).paused(now=3.0)
        clock = clock.started(0, now=3600.0)

        assert clock.left_at(0, now=3601.0) == 6


def test_to_start_a_clock_that_runs_changes_nothing() -> None:
    clock = Clock.of(TimeControl(10)).started(0, now=0.0)

    assert clock.started(0, now=9.0) is clock


def test_an_instant_before_the_start_costs_nothing() -> None:
    clock = Clock.of(TimeControl(10)).started(0, now=100.0)

    assert clock.left_at(0, now=50.0) == 10
    assert not clock.has_flagged(now=50.0)


def test_a_move_at_the_very_last_instant_is_in_time() -> None:
    clock = Clock.of(TimeControl(10)).started(0, now=0.0)

    assert not clock.has_flagged(now=10.0)
    assert clock.pressed(now=10.0).left == (0, 10)
    assert clock.has_flagged(now=10.001)


def test_a_move_is_not_taken_once_the_flag_has_fallen() -> None:
    clock = Clock.of(TimeControl(10)).started(0, now=0.0)

    with pytest.raises(AssertionError, match="exclude each other"):
        clock.pressed(now=11.0)


@given(integers(0, 2**32))
def test_at_any_instant_either_the_flag_has_fallen_or_a_move_is_in_time(seed: int) -> None:
    chance, now = random.Random(seed), 0.0
    clock = Clock.of(TimeControl(chance.randint(1, 20), chance.choice((0, 0.25, 1))))
    used, moves, player = [0.0, 0.0], [0, 0], 0
    for _ in range(100):
        clock = clock.started(player, now)
        spent = chance.randint(0, 24) / 4
        now, used[player] = now + spent, used[player] + spent
        given_so_far = clock.control.base + moves[player] * clock.control.increment
        assert clock.has_flagged(now) == (used[player] > given_so_far)
        if clock.has_flagged(now):
            return
        clock, player = clock.pressed(now), 1 - player
        moves[1 - player] += 1
        for each in (0, 1):
            gained = moves[each] * clock.control.increment
            assert clock.left[each] == clock.control.base + gained - used[each]


@given(lists(floats(0, 1e6), max_size=20), integers(0, 1))
def test_no_bonus_lifts_a_clock_above_the_longest_time(spans: list[float], player: int) -> None:
    clock, now = Clock.of(TimeControl(LONGEST, 1000)), 0.0
    for span in spans:
        clock = clock.started(player, now)
        now += span
        if clock.has_flagged(now):
            return
        clock = clock.pressed(now)

        assert 0 <= clock.left[player] <= LONGEST


@pytest.mark.parametrize("left", [0.0005, 0.01, 0.06, 0.1, 1.0, 60.0, LONGEST])
@pytest.mark.parametrize("text", ["1/move", "300", "300+2", "1+60"])
def test_an_agent_is_never_told_to_use_all_it_has(left: float, text: str) -> None:
    share = TimeControl.read(text).share(left)

    assert share > 0
    assert share < left or share == 0.001
