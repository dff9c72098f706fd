"""Events in which people play: what that rules out, and how their games are played."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING

from plyboard.cli.common.extras import server_extra
from plyboard.errors import UsageError, shown

if TYPE_CHECKING:
    from plyboard.arena.event import EventSettings
    from plyboard.arena.event_run import PlayGame
    from plyboard.arena.game_task import GameResult, GameTask


def has_people(settings: EventSettings, workers: int | None, place: str) -> bool:
    """Return whether people play in an event; raise if an option does not allow it.

    A person plays one game at a time, so all games are played one after another, in this process.
    """
    from plyboard.agents.person import is_person
    from plyboard.arena.game_task import STANDARD
    from plyboard.processes.choosing import LOCAL

    if not any(is_person(spec) for spec in settings.agents):
        return False
    for option, given, only in (
        ("--workers", str(workers or 1), "1"),
        ("--on", place, LOCAL),
        ("--rules", settings.rules, STANDARD),
    ):
        if given != only:
            expected = f"{only} where a person plays"
            raise UsageError("wrong option", where=option, got=shown(given), expected=expected)
    with server_extra():
        from plyboard.server.client import person_games  # noqa: F401
    return True


def people_player(settings: EventSettings, say: Callable[[str], None]) -> PlayGame:
    """Return what plays the games of an event with people; `say` prints their addresses.

    Before the first game it raises an error if a server does not answer.
    """
    from plyboard.server.client.person_games import check_servers, play_with_people

    @cache
    def check() -> None:
        check_servers(settings.agents, settings.game)

    def play(task: GameTask) -> GameResult:
        check()
        return play_with_people(task, say)

    return play
