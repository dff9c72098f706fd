"""What moves on a board: pieces on their way one motion after another, then a line that flashes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from plyboard.games.picture import Cell
from plyboard.window.motion import Motion, MovingPiece, lit_cells


@dataclass(frozen=True)
class Resting:
    """Nothing moves; a line that has won has been flashing since then."""

    since: float


@dataclass(frozen=True)
class Moving:
    """A motion is on its way since then, and others follow it."""

    motion: Motion
    since: float
    later: tuple[Motion, ...] = ()

    def share(self, now: float) -> float:
        """Return how much of the motion is over, from 0 to 1."""
        return min(1.0, (now - self.since) / self.motion.seconds)


class BoardMotion:
    """The state of a board that moves: `Resting` or `Moving`. Time comes from a clock."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._state: Resting | Moving = Resting(now())

    @property
    def is_moving(self) -> bool:
        """Whether pieces are on their way."""
        return isinstance(self._state, Moving)

    def add(self, motions: Iterable[Motion]) -> None:
        """Have these motions follow those that are on their way."""
        if isinstance(self._state, Moving):
            state = self._state
            self._state = Moving(state.motion, state.since, (*state.later, *motions))
        else:
            self._begin(motions)

    def stop(self) -> None:
        """End all motions at once; a line begins to flash."""
        self._state = Resting(self._now())

    def move_on(self) -> bool:
        """Begin the next motion if one is over; return whether that has changed the state."""
        state = self._state
        if not isinstance(state, Moving) or state.share(self._now()) < 1.0:
            return False
        self._begin(state.later)
        return True

    def pieces(self) -> list[tuple[MovingPiece, float]]:
        """Return all pieces of the motion in progress, each with its row now."""
        if not isinstance(self._state, Moving):
            return []
        motion, share = self._state.motion, self._state.share(self._now())
        return [(piece, motion.row(piece, share)) for piece in motion.pieces]

    def lit(self, line: Iterable[Cell]) -> tuple[Cell, ...]:
        """Return the cells of a winning line that are marked now."""
        cells = sorted(line)
        if isinstance(self._state, Moving):
            return ()
        return lit_cells(cells, self._now() - self._state.since)

    def _begin(self, motions: Iterable[Motion]) -> None:
        """Begin the first of these motions that takes time, or rest."""
        left = tuple(motion for motion in motions if motion.seconds > 0)
        now = self._now()
        self._state = Moving(left[0], now, left[1:]) if left else Resting(now)
