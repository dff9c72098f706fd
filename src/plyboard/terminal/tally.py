"""The results of several games between the same two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass
class Tally:
    """How often each of two won, wherever they sat."""

    names: tuple[str, str]
    wins: tuple[int, int] = (0, 0)
    draws: int = 0

    @property
    def games(self) -> int:
        """How many games were counted."""
        return sum(self.wins) + self.draws

    def add(self, winner: int | None) -> None:
        """Count a game that one of the two won, or that nobody did."""
        if winner is None:
            self.draws += 1
        else:
            first, second = self.wins
            self.wins = (first + (winner == 0), second + (winner == 1))

    def lines(self) -> Iterator[str]:
        """Yield a table of wins, losses and draws."""
        width = max(map(len, self.names))
        yield f"{'':{width}}  wins  losses  draws"
        for name, won, lost in zip(self.names, self.wins, reversed(self.wins), strict=True):
            yield f"{name:{width}}  {won:4}  {lost:6}  {self.draws:5}"
