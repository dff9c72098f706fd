"""Time controls and clocks: seconds per move, or a base time with an increment."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from plyboard.errors import NotationError, UsageError, shown

LONGEST = 1_000_000.0
FORM = "300, 300+2 or 5/move, in seconds"
NUMBER = r"([0-9]{1,7}(?:\.[0-9]{1,3})?)"
MARGIN = 0.05  # seconds of a move left for sending the answer
EXPECTED_MOVES = 20  # the most moves to plan for; the real number is not known
MOST_OF_CLOCK = 0.8  # of what is left, whatever the plan says
LEAST_SECONDS = 0.001


def is_time(seconds: object, least: float = 0.0) -> bool:
    """Return whether this is a number of seconds in range, in whole milliseconds."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return False
    return least <= seconds <= LONGEST and seconds == round(seconds, 3)


def seconds_text(seconds: float) -> str:
    """Return seconds in whole milliseconds as text without trailing zeros: `2.5`."""
    return f"{seconds:.3f}".rstrip("0").rstrip(".")


@dataclass(frozen=True)
class TimeControl:
    """The time of each player: per move, or for the whole game with an increment per move."""

    base: float
    increment: float = 0.0
    per_move: bool = False

    def __post_init__(self) -> None:
        if not is_time(self.base, 0.001) or not is_time(self.increment):
            told = f"{self.base!r}+{self.increment!r}"
            raise UsageError("wrong time", got=shown(told), expected=f"0.001 to {LONGEST:.0f} s")
        if self.per_move and self.increment:
            raise UsageError("wrong time", got=f"'{self.text()}'", expected="no increment per move")

    @classmethod
    def read(cls, text: str) -> TimeControl:
        """Return the time control of a text: `300`, `300+2` or `5/move`."""
        match = re.fullmatch(rf"{NUMBER}(?:\+{NUMBER}|(/move))?", text, re.ASCII)
        if not match:
            raise NotationError("no time", where="clock", got=shown(text), expected=FORM)
        return cls(float(match[1]), float(match[2] or 0), bool(match[3]))

    def text(self) -> str:
        """Return the text that `read` reads."""
        more = f"+{seconds_text(self.increment)}" if self.increment else ""
        return f"{seconds_text(self.base)}{'/move' if self.per_move else more}"

    def share(self, left: float) -> float:
        """Return how long an agent should think about one move with so much time left."""
        if self.per_move:
            return max(LEAST_SECONDS, left - MARGIN, left / 2)
        return max(LEAST_SECONDS, share_of_clock(left, self.increment) - MARGIN, left / 100)


def share_of_clock(left: float, increment: float, moves_left: int | None = None) -> float:
    """Return how much time to spend on one move: the time manager of all our players.

    An equal share for each move to the next time control, at least a twentieth of the time left,
    plus half the increment; never more than four fifths of the time left.
    """
    moves = min(moves_left or EXPECTED_MOVES, EXPECTED_MOVES)
    return min(left / moves + increment / 2, MOST_OF_CLOCK * left)


@dataclass(frozen=True)
class Clock:
    """The clocks of both players, as an immutable value. At most one of them runs.

    Callers pass the current time in seconds, from a monotonic clock, so tests need not wait.
    """

    control: TimeControl
    left: tuple[float, float]  # seconds, when each last stopped
    running: int | None = None  # whose clock runs; None if stopped
    since: float = 0.0

    @classmethod
    def of(cls, control: TimeControl) -> Clock:
        """Return the clocks before the first move."""
        return cls(control, (control.base, control.base))

    def left_at(self, player: int, now: float) -> float:
        """Return the seconds a player has left; negative once the flag has fallen."""
        used = max(0.0, now - self.since) if self.running == player else 0.0
        return self.left[player] - used

    def started(self, player: int, now: float) -> Clock:
        """Return it with a player's clock running, from now on unless it was running already."""
        if self.running == player:
            return self
        return replace(self.paused(now), running=player, since=now)

    def paused(self, now: float) -> Clock:
        """Return it stopped, less the time used so far."""
        return self._stopped(now, 0.0)

    def has_flagged(self, now: float) -> bool:
        """Return whether the running clock has no time left."""
        return self.running is not None and self.left_at(self.running, now) < 0

    def recorded(self, player: int, now: float, bonus: float = 0.0) -> float:
        """Return a player's time left plus a bonus, rounded to milliseconds for a record."""
        return round(min(max(0.0, self.left_at(player, now) + bonus), LONGEST), 3)

    def pressed(self, now: float) -> Clock:
        """Return it after a move in time: stopped, with the increment added."""
        assert not self.has_flagged(now), "a move and a flag exclude each other"
        stopped = self._stopped(now, self.control.increment)
        if self.running is None or not self.control.per_move:
            return stopped
        return stopped.refilled(self.running)

    def refilled(self, player: int) -> Clock:
        """Return it with the full time for a player's next move."""
        return replace(self, left=_with(self.left, player, self.control.base))

    def _stopped(self, now: float, bonus: float) -> Clock:
        if self.running is None:
            return self
        seconds = min(self.left_at(self.running, now) + bonus, LONGEST)
        return replace(self, left=_with(self.left, self.running, seconds), running=None)


def _with(left: tuple[float, float], player: int, seconds: float) -> tuple[float, float]:
    return (seconds, left[1]) if player == 0 else (left[0], seconds)
