"""A lesson: one rule of a game, shown on a board."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Lesson:
    """A rule in words, and moves that show it: first the position after `shown` of them."""

    title: str
    text: str
    moves: str
    shown: int
