"""How the engine shares out its time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from plyboard.uci.clock import allowance
from plyboard.uci.commands import Go

OVERHEAD = 30


def seconds_for(go: Go, mover: int, overhead: int) -> float | None:
    allowed = allowance(go, mover, overhead)
    return allowed and allowed.seconds


def test_without_times_there_is_no_limit() -> None:
    assert seconds_for(Go(depth=5, nodes=7), 0, OVERHEAD) is None
    assert seconds_for(Go(btime=1000), 0, OVERHEAD) is None


def test_a_fixed_time_is_used_but_for_the_overhead() -> None:
    assert seconds_for(Go(movetime=200), 0, OVERHEAD) == 0.17
    assert seconds_for(Go(movetime=40), 0, OVERHEAD) == 0.02


def test_a_clock_gives_a_twentieth_and_half_the_increment() -> None:
    go = Go(wtime=60_000, btime=20_000, winc=1000, binc=0)

    assert seconds_for(go, 0, OVERHEAD) == 3.47
    assert seconds_for(go, 1, OVERHEAD) == 0.97


def test_the_moves_to_the_next_control_share_what_is_left() -> None:
    assert seconds_for(Go(wtime=10_000, movestogo=5), 0, OVERHEAD) == 1.97
    assert seconds_for(Go(wtime=10_000, movestogo=100), 0, OVERHEAD) == 0.47
    assert seconds_for(Go(wtime=10_000, movestogo=0), 0, OVERHEAD) == 0.47


def test_no_move_takes_more_than_four_fifths_of_the_clock() -> None:
    assert seconds_for(Go(wtime=1000, winc=60_000), 0, OVERHEAD) == 0.77
    assert seconds_for(Go(wtime=1000, movestogo=1), 0, OVERHEAD) == 0.77


def test_a_fixed_time_and_a_clock_both_count() -> None:
    assert seconds_for(Go(wtime=60_000, movetime=100), 0, OVERHEAD) == 0.07


def test_a_late_agent_is_waited_for_longer_where_the_clock_allows() -> None:
    fixed, clock = (
        allowance(Go(movetime=200), 0, OVERHEAD),
        allowance(Go(wtime=60_000), 0, OVERHEAD),
    )

    assert fixed is not None
    assert clock is not None
    assert (fixed.grace, clock.grace) == (0.0075, 0.5)


def test_a_flag_that_has_fallen_leaves_a_moment() -> None:
    assert seconds_for(Go(wtime=0), 0, OVERHEAD) == 0.001


@given(
    start=st.integers(2000, 10**7),
    increment=st.integers(0, 5000),
    lateness=st.floats(0, 1),
    control=st.one_of(st.none(), st.integers(1, 60)),
)
def test_forty_moves_never_use_up_a_clock_of_two_seconds(
    start: int, increment: int, lateness: float, control: int | None
) -> None:
    left = float(start)
    for number in range(40):
        to_go = None if control is None else control - number % control
        allowed = allowance(Go(wtime=int(left), winc=increment, movestogo=to_go), 0, OVERHEAD)
        assert allowed is not None
        left -= 1000 * allowed.seconds + lateness * max(3000 * allowed.grace, OVERHEAD)
        assert left > 0
        left += increment + (start if to_go == 1 else 0)
