"""Counting the distinct positions at each ply, by breadth-first search."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from plyboard.games import Position


@dataclass(frozen=True)
class PlyCount:
    """The number of distinct positions at a ply, and of finished games among them."""

    ply: int
    positions: int
    finished: int


def census(start: Position) -> Iterator[PlyCount]:
    """Yield the counts of each ply until all games are finished."""
    rules = start.game.rules
    states, ply = {start.state}, 0
    while states:
        going_on = [state for state in states if not rules.over(state)]
        yield PlyCount(ply, len(states), len(states) - len(going_on))
        states = {
            rules.play(state, action) for state in going_on for action in rules.legal_actions(state)
        }
        ply += 1
