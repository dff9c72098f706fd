"""The value of a position by exhaustive search of an oracle: every move, no window, a memory."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

WON, DRAWN, LOST = 1, 0, -1
VALUES = {"first": WON, "second": LOST, "draw": DRAWN}


def value_for_first(oracle: Any, state: Any, known: dict[Hashable, int] | None = None) -> int:
    """Return the lead that the first player gets, or 1, 0 or -1 in a game without points."""
    memory = {} if known is None else known
    if state in memory:
        return memory[state]
    outcome, scores = oracle.outcome(state), oracle.scores(state)
    if outcome is not None:
        found = VALUES[outcome] if scores is None else scores[0] - scores[1]
    else:
        values = (
            value_for_first(oracle, oracle.play(state, move), memory)
            for move in oracle.moves(state)
        )
        found = max(values) if oracle.mover(state) == 0 else min(values)
    memory[state] = found
    return found
