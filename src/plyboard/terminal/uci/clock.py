"""How long to think: from what is left on the clocks to the seconds of one move."""

from __future__ import annotations

from plyboard.terminal.uci.commands import Go

MOVES = 20  # how many more are planned for where nobody says how many there are
MOST = 0.8  # of what is left, whatever the plan says
LEAST = 0.001


def seconds_for(go: Go, mover: int, overhead: int) -> float | None:
    """Return how long the agent may think; None where no time was given.

    With a fixed time, that time. With clocks, a twentieth of what is left (or an equal share of
    it for each move to the next control) and half the increment, but never more than four fifths
    of what is left. Less the overhead, which is what it takes to answer, in milliseconds.
    """
    left, increment = (go.wtime, go.winc) if mover == 0 else (go.btime, go.binc)
    times = [] if go.movetime is None else [max(go.movetime - overhead, go.movetime / 2)]
    if left is not None:
        moves = min(go.movestogo or MOVES, MOVES)
        share = left / moves + (increment or 0) / 2
        times.append(min(share, MOST * left) - overhead)
    return max(min(times) / 1000, LEAST) if times else None
