"""The results of several games between the same two players."""

from __future__ import annotations

from dataclasses import dataclass

from plyboard.play.match import Match, Result

AT_FAULT = ("fault", "illegal move")  # reasons of an end that the loser is to blame for


@dataclass(frozen=True)
class Tally:
    """The running score of a series, from the point of view of one of the players."""

    wins: int = 0
    draws: int = 0
    losses: int = 0
    unfinished: int = 0
    points: int = 0  # the sum of the player's leads
    faults: tuple[int, int] = (0, 0)  # games lost by a fault of the player, or of the other one

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses + self.unfinished

    def plus(self, match: Match, side: int = 0) -> Tally:
        """Return the tally with one more match, in which the player was on this side."""
        winner, scores = match.winner, match.position.scores() or (0, 0)
        is_fault = match.end is not None and match.end.reason in AT_FAULT
        lost = winner == 1 - side
        return Tally(
            self.wins + (winner == side),
            self.draws + (match.result is Result.DRAW),
            self.losses + lost,
            self.unfinished + (match.result is Result.OPEN),
            self.points + scores[side] - scores[1 - side],
            (self.faults[0] + (is_fault and lost), self.faults[1] + (is_fault and not lost)),
        )
