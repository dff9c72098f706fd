"""How long to think: from what `go` says of the clocks to the seconds of one move."""

from __future__ import annotations

from typing import NamedTuple

from plyboard.play.clock import share_of_clock
from plyboard.uci.commands import Go

SHORTEST_SECONDS = 0.001
GRACE_SHARE = 1 / 120  # of what is left, for a late agent; granted three times
COMPILING_SHARE = 0.5  # of what is left: how long to wait for the compiler at most


class Allowance(NamedTuple):
    """How long the agent may think, and how long it is then waited for; both in seconds.

    After one grace it is told to stop, after two the best move that it told of is played, and
    after three any. Compiling comes before that; None sets no limit to it.
    """

    seconds: float
    grace: float
    compiling: float | None = None

    @property
    def until_stop(self) -> float:
        """The seconds until the agent is told to stop."""
        return self.seconds + self.grace


def allowance(go: Go, mover: int, overhead: int) -> Allowance | None:
    """Return how long the agent may think; None where no time was given.

    With a fixed time, that time; with clocks, the share that the time manager gives. Less the
    overhead, which is what it takes to answer, in milliseconds.
    """
    left, increment = (go.wtime, go.winc) if mover == 0 else (go.btime, go.binc)
    times: list[tuple[float, float]] = []
    if go.movetime is not None:
        times.append((max(go.movetime - overhead, go.movetime / 2), overhead / 4))
    if left is not None:
        share = share_of_clock(left, increment or 0, go.movestogo or None)
        times.append((share - overhead, max(overhead / 4, left * GRACE_SHARE)))
    if not times:
        return None
    thinking, grace = min(times)
    compiling = None if left is None else COMPILING_SHARE * left / 1000
    return Allowance(max(thinking / 1000, SHORTEST_SECONDS), grace / 1000, compiling)
