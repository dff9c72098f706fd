"""The rules of events by name, and the logs of the referees that they come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyboard.arena.game_task import STANDARD
from plyboard.errors import UsageError, shown
from plyboard.play.extended_log import extended_log
from plyboard.play.match import Match
from plyboard.play.referee import Referee
from plyboard.play.squatter_log import squatter_log
from plyboard.specs import choices

COURSE = "course"  # of Extended Connect Four: a late or invalid move loses the turn
COURSE_PLAYER, RANDOM = "ai", "random"
AGAINST_RANDOM, AGAINST_OTHERS = "expectimax", "extended"


def course_player(kind: str, other: str) -> str:
    """Return the spec of a player in the course of Extended Connect Four.

    Against a random player `ai` is the expectimax agent, otherwise the alpha-beta agent.
    """
    if kind != COURSE_PLAYER:
        return kind
    return AGAINST_RANDOM if other == RANDOM else AGAINST_OTHERS


def _as_named(spec: str, _other: str) -> str:
    """Return the spec of a player as it is."""
    return spec


@dataclass(frozen=True)
class EventRules:
    """The rules of an event beyond those of its game."""

    referee: Referee
    player: Callable[[str, str], str] = _as_named  # the spec of a player, given the other's


EVENT_RULES: dict[str, EventRules] = {
    STANDARD: EventRules(Referee(wrong_moves=0)),
    COURSE: EventRules(Referee(lost_turn=True), course_player),
}
LOGS: dict[str, Callable[[Match], str]] = {"extended": extended_log, "squatter": squatter_log}


def event_rules(name: str) -> EventRules:
    """Return the rules of this name."""
    if name not in EVENT_RULES:
        expected = choices(name, EVENT_RULES)
        raise UsageError("unknown rules", where="--rules", got=shown(name), expected=expected)
    return EVENT_RULES[name]


def referee_of(name: str) -> Referee:
    """Return the referee of the rules of this name."""
    return event_rules(name).referee


def original_log(match: Match) -> str:
    """Return the log that the referee of the original course would have written of a match."""
    name = match.start.game.name
    if name not in LOGS:
        raise UsageError("no log", where="--log", got=name, expected=" or ".join(LOGS))
    return LOGS[name](match)
