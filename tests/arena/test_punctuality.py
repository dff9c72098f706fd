from __future__ import annotations

import pytest

from plyboard.arena.punctuality import clock_note, wake_up_lateness
from plyboard.play.clock import TimeControl


def never() -> float:
    pytest.fail("there is enough room")


@pytest.mark.parametrize(
    ("control", "late", "room"),
    [("0.01/move", 4, 5), ("0.1/move", 32, 50), ("0.1/move", 4, None), ("0.2+0.01", 110, 208)],
)
def test_a_clock_that_leaves_less_room_than_late_wake_ups_take_is_named(
    control: str, late: int, room: int | None
) -> None:
    told = clock_note(TimeControl.read(control), lambda: late / 1000)
    note = f"may wake up {late} ms late, and the clock {control} leaves {room} ms: moves may lose"

    assert told == ("" if room is None else f"this machine {note} on time")


def test_nothing_is_measured_for_an_ordinary_clock() -> None:
    for control in ("60", "3+0.02", "1+1"):
        assert clock_note(TimeControl.read(control), never) == ""


def test_the_lateness_is_that_of_all_but_one_in_a_thousand() -> None:
    clock, pauses = [0.0], iter([0.001] * 997 + [0.021, 0.031, 0.5])

    def sleep(_seconds: float) -> None:
        clock[0] += next(pauses)

    assert wake_up_lateness(1000, sleep, lambda: clock[0]) == pytest.approx(0.499)
