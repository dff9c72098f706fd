"""Time management: from the times of a `go` command to the seconds for one move."""

from __future__ import annotations

from typing import NamedTuple

from plyboard.play.clock import share_of_clock
from plyboard.uci.commands import Go

SHORTEST_SECONDS = 0.001
GRACE_SHARE = 1 / 120  # of what is left, for a late agent; granted three times
COMPILING_SHARE = 0.5  # of what is left, for compiling


class Allowance(NamedTuple):
    """How long the agent may think, and the grace period after that; both in seconds.

    After one grace period the search is stopped, after two the best move so far is played, and
    after three any legal move. Compile time comes first; None sets no limit to it.
    """

    seconds: float
    grace: float
    compiling: float | None = None

    @property
    def until_stop(self) -> float:
        """The seconds until the search is stopped."""
        return self.seconds + self.grace


def allowance(go: Go, mover: int, overhead: int) -> Allowance | None:
    """Return how long the agent may think; None if `go` gives no time.

    This is the fixed time, or the time manager's share of the clock, less the overhead for the
    answer in milliseconds.
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
