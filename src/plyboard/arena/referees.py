"""The rules of events by name, and the logs that the referees of some games write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyboard.arena.game_task import STANDARD
from plyboard.errors import UsageError, shown
from plyboard.play.match import Match
from plyboard.play.referee import Referee
from plyboard.plugins import plugins
from plyboard.specs import choices

RULES_GROUP, LOGS_GROUP = "plyboard.rules", "plyboard.logs"


def _as_named(spec: str, _other: str) -> str:
    """Return the spec of a player as it is."""
    return spec


@dataclass(frozen=True)
class EventRules:
    """The rules of an event beyond those of its game.

    Rules for a single game may give its players names of their own, and a limit per move.
    """

    referee: Referee
    player: Callable[[str, str], str] = _as_named  # the spec of a player, given the other's
    game: str = ""  # that they are for; empty for any
    names: tuple[str, ...] = ()  # of players that `player` knows
    seconds: float | None = None  # for a move


EVENT_RULES: dict[str, EventRules] = {STANDARD: EventRules(Referee(wrong_moves=0))}


def known_rules() -> dict[str, EventRules]:
    """Return our rules of events, then those of plug-ins, by name."""
    return EVENT_RULES | {each.name: each.value for each in plugins(RULES_GROUP, EVENT_RULES)}


def event_rules(name: str) -> EventRules:
    """Return the rules of this name."""
    if name in EVENT_RULES:
        return EVENT_RULES[name]
    known = known_rules()
    if name not in known:
        expected = choices(name, known)
        raise UsageError("unknown rules", where="--rules", got=shown(name), expected=expected)
    return known[name]


def rules_of_game(game: str | None) -> EventRules:
    """Return the rules of the events that are held in a game; in any one if None is given."""
    by_game = {each.game: each for each in known_rules().values() if each.game}
    if game is None and by_game:
        return next(iter(by_game.values()))
    if game is None or game not in by_game:
        expected = " or ".join(by_game)
        raise UsageError(
            "wrong game", where="--players", got=game or "none", expected=f"only {expected}"
        )
    return by_game[game]


def log_of(game: str) -> Callable[[Match], str]:
    """Return the function that writes the log of a match as the game's original referee did."""
    logs = {each.name: each.value for each in plugins(LOGS_GROUP)}
    if game not in logs:
        raise UsageError("no log", where="--log", got=game, expected=" or ".join(logs))
    log: Callable[[Match], str] = logs[game]
    return log
