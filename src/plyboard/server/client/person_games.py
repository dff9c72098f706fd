"""Games of events in which people play on a server."""

from __future__ import annotations

from collections.abc import Iterable

from plyboard.agents import agent
from plyboard.agents.person import Person, is_person
from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.play_game import EventSeat, agent_seat, play_game, starting_match, void_result
from plyboard.errors import PeerError
from plyboard.server.client.client import RefusedError, ServerClient
from plyboard.server.client.person_seat import Announce, PersonSeat, VoidGameError, refused_by


def play_with_people(task: GameTask, announce: Announce) -> GameResult:
    """Play a game and return its result; `announce` gets the address at which a person plays it."""

    def say(text: str) -> None:
        announce(f"game {task.number + 1}: {text}")

    def seat_of(task: GameTask, player: int) -> EventSeat:
        person, other = (parse_person(task.agents[each]) for each in (player, 1 - player))
        if person is None:
            return agent_seat(task, player)
        opponent = task.agents[1 - player] if other is None else other.name
        return PersonSeat.invite(person, player, starting_match(task), opponent, say)

    try:
        return play_game(task, seat_of)
    except VoidGameError as fault:
        return void_result(task, str(fault))


def parse_person(spec: str) -> Person | None:
    """Return the person of a spec; None if it names an agent."""
    made = agent(spec) if is_person(spec) else None
    return made if isinstance(made, Person) else None


def check_servers(specs: Iterable[str], game: str) -> None:
    """Raise `PeerError` if the server of a person is not there, or does not know the game."""
    servers = {person.server for spec in specs if (person := parse_person(spec))}
    for server in sorted(servers):
        with ServerClient(server, patience=0.0, has_game=False) as client:
            try:
                client.check_game(game)
            except RefusedError as fault:
                raise refused_by(server, fault) from None
            except PeerError as fault:
                told = "start one with plyboard serve, and give its address as server="
                raise fault.replace(reason=f"{fault.reason}; {told}") from None
