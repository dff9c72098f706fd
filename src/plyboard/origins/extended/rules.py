"""The rules of events in the course: a late or invalid move loses the turn."""

from __future__ import annotations

from plyboard.arena.referees import EventRules
from plyboard.games.extended import Extended
from plyboard.play.referee import Referee

AI, HUMAN, RANDOM = "ai", "human", "random"
AGAINST_RANDOM, AGAINST_OTHERS = "expectimax", "extended"
DEFAULT_SECONDS = 20.0


def course_player(kind: str, other: str) -> str:
    """Return the spec of a player: against a random one `ai` is expectimax, else alpha-beta."""
    if kind != AI:
        return kind
    return AGAINST_RANDOM if other == RANDOM else AGAINST_OTHERS


COURSE = EventRules(
    Referee(lost_turn=True),
    course_player,
    Extended.name,
    (AI, HUMAN, RANDOM),
    DEFAULT_SECONDS,
)
