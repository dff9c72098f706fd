"""One match between any two players: seat, clock, referee, match, record."""

from plyboard.play.clock import Clock, TimeControl
from plyboard.play.live_match import LiveMatch, conduct
from plyboard.play.match import End, Heading, Match, Result, Turn
from plyboard.play.referee import Referee, Takebacks
from plyboard.play.seat import AgentSeat, PlayerCommand, Seat

__all__ = [
    "AgentSeat", "Clock", "End", "Heading", "LiveMatch", "Match", "PlayerCommand", "Referee",
    "Result", "Seat", "Takebacks", "TimeControl", "Turn", "conduct",
]  # fmt: skip
