"""How long to think: from what is left on the clocks to the seconds of one move."""

from __future__ import annotations

from typing import NamedTuple

from plyboard.terminal.uci.commands import Go

MOVES = 20  # how many more are planned for where nobody says how many there are
MOST = 0.8  # of what is left, whatever the plan says
LEAST = 0.001
LATE = 1 / 120  # of what is left: how long to wait for an agent that is late, three times over


class Allowance(NamedTuple):
    """How long the agent may think, and how long it is then waited for; both in seconds.

    After one grace it is told to stop, after two the best move that it told of is played, and
    after three any.
    """

    seconds: float
    grace: float


def allowance(go: Go, mover: int, overhead: int) -> Allowance | None:
    """Return how long the agent may think; None where no time was given.

    With a fixed time, that time. With clocks, a twentieth of what is left (or an equal share of
    it for each move to the next control) and half the increment, but never more than four fifths
    of what is left. Less the overhead, which is what it takes to answer, in milliseconds.
    """
    left, increment = (go.wtime, go.winc) if mover == 0 else (go.btime, go.binc)
    times: list[tuple[float, float]] = []
    if go.movetime is not None:
        times.append((max(go.movetime - overhead, go.movetime / 2), overhead / 4))
    if left is not None:
        moves = min(go.movestogo or MOVES, MOVES)
        share = left / moves + (increment or 0) / 2
        times.append((min(share, MOST * left) - overhead, max(overhead / 4, left * LATE)))
    if not times:
        return None
    thinking, grace = min(times)
    return Allowance(max(thinking / 1000, LEAST), grace / 1000)
