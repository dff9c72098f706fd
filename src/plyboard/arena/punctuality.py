"""Tells before an event whether its clock is shorter than what this machine can keep."""

from __future__ import annotations

import time
from collections.abc import Callable

from plyboard.play.clock import TimeControl

WAKE_UPS, PAUSE = 1000, 0.001  # how often to sleep, and for how many seconds
LATE = 0.999  # of all wake-ups are earlier than what counts
SAFE = 2.0  # times as much room as a wake-up may take
LONG = 0.5  # seconds of room that every machine can keep


def clock_note(control: TimeControl, lateness: Callable[[], float]) -> str:
    """Return a note if moves may lose on time because this machine is late, else an empty text.

    An agent plans to leave some room before its time is over; a late wake-up takes from it. The
    lateness is measured only if there is little room.
    """
    left = control.base + control.increment
    room = left - control.share(left)
    if room >= LONG or room >= SAFE * (late := lateness()):
        return ""
    return (
        f"this machine may wake up {1000 * late:.0f} ms late, and the clock {control.text()} leaves"
        f" {1000 * room:.0f} ms: moves may lose on time"
    )


def wake_up_lateness(
    wake_ups: int = WAKE_UPS,
    sleep: Callable[[float], None] = time.sleep,
    now: Callable[[], float] = time.monotonic,
) -> float:
    """Return by how many seconds 999 of 1,000 short sleeps are late at most."""
    late = list[float]()
    for _ in range(wake_ups):
        began = now()
        sleep(PAUSE)
        late.append(now() - began - PAUSE)
    return sorted(late)[min(int(LATE * wake_ups), wake_ups - 1)]
