"""One match between any two players: seat, clock, referee, match, record."""

from plyboard.play.clock import Clock, TimeControl
from plyboard.play.match import End, Heading, Match, Result, Turn
from plyboard.play.referee import Referee
from plyboard.play.seat import AgentSeat, PlayerCommand, Seat

__all__ = [
    "AgentSeat", "Clock", "End", "Heading", "Match", "Referee", "Result", "Seat", "TimeControl",
    "Turn", "PlayerCommand",
]  # fmt: skip
