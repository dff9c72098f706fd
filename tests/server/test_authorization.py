"""Who may do what, in every phase of a game: one table, and a test for each of its cells."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, get_args

import pytest
from server.harness import ME, OPEN, Client, serving

from plyboard.server.decisions import Command
from plyboard.server.limits import ServerLimits
from plyboard.server.protocol import ClientMessage, Do

PHASES = ("waiting", "playing", "over")
ROLES = (
    "to move",  # the player whose turn it is
    "other player",
    "spectator",
    "stranger",  # has not asked for the game
    "another game",  # a player of another game
    "wrong token",
)
PLAYERS = {"to move", "other player"}
COMMANDS: tuple[str, ...] = get_args(Command)
ACTIONS = [each.__struct_config__.tag for each in get_args(ClientMessage) if each is not Do]
ACTIONS += [f"do {command}" for command in COMMANDS]

FOR_ALL = {"hello", "create", "watch", "unwatch", "lobby", "finished", "games", "position",
           "analyse", "stop", "ping"}  # fmt: skip
"""What anybody may do. `hello` is refused, as it was said already, but to all alike."""


def expected(role: str, action: str, phase: str) -> str:
    """Return the answer that a cell of the matrix must get: `ok`, or the code of an error."""
    if action in FOR_ALL:
        return "hello_again" if action == "hello" else "ok"
    if action == "sit":
        return "ok" if phase == "waiting" else "seat_taken"
    if role not in PLAYERS:
        return "not_a_player"
    if phase == "waiting":
        if role == "other player":  # nobody sits there yet
            return "not_a_player"
        return "ok" if action == "do abort" else "not_started"
    if phase == "over":
        return "game_over"
    if action == "move":
        return "ok" if role == "to move" else "not_your_turn"
    if action == "do decline":
        return "nothing_offered"
    if action == "do takeback":  # one move was made, by the other player
        return "nothing_to_take_back" if role == "to move" else "ok"
    return "ok"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    limits = ServerLimits(messages=100_000, sockets_per_address=1000, content_errors=10_000)
    with serving(tmp_path_factory.mktemp("server") / "games.db", limits) as found:
        yield found


@pytest.fixture(scope="module")
def crew(address: str) -> Iterator[dict[str, Client]]:
    clients = {role: Client(address) for role in ROLES}
    yield clients
    for client in clients.values():
        client.close()


class Scene:
    """A new game in some phase, and the clients around it."""

    def __init__(self, crew: dict[str, Client], phase: str) -> None:
        first, second = crew["other player"], crew["to move"]  # one move is made
        if phase == "waiting":
            first, second = second, first
        made = first.create("connect-four", ME, OPEN)
        self.game: str = made["game"]
        self.seq = 0
        first.watch(self.game, made["token"])
        if phase != "waiting":
            second.ask("sit", game=self.game)
            self.seq = first.move(self.game, 1, "4")["seq"]
        if phase == "over":
            self.seq = first.ask("do", game=self.game, seq=self.seq, what="resign")["seq"]
        crew["spectator"].watch(self.game)
        other = crew["another game"].create("connect-four", ME, ME)
        crew["another game"].watch(other["game"], other["token"])
        crew["wrong token"].watch(self.game)
        crew["wrong token"].watch(self.game, other["token"])

    def ask(self, client: Client, action: str) -> dict[str, Any]:
        kind, _, command = action.partition(" ")
        position: dict[str, object] = {
            "game": "connect-four",
            "moves": list("44444422222266666611"),
        }
        fields: dict[str, dict[str, object]] = {
            "hello": {"version": 1},
            "create": {"game": "connect-four", "seats": [ME, OPEN]},
            "watch": {"game": self.game},
            "unwatch": {"game": self.game},
            "sit": {"game": self.game},
            "move": {"game": self.game, "seq": self.seq, "move": "4"},
            "do": {"game": self.game, "seq": self.seq, "what": command},
            "lobby": {},
            "finished": {},
            "games": {},
            "position": position,
            "analyse": position,
            "stop": {"analysis": "none"},
            "ping": {},
        }
        return client.ask(kind, "", **fields[kind])


CELLS = list(itertools.product(ROLES, ACTIONS, PHASES))


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("action", ACTIONS)
def test_everybody_can_do_just_what_the_table_says(
    crew: dict[str, Client], action: str, phase: str
) -> None:
    for role in ROLES:
        scene = Scene(crew, phase)
        answer = scene.ask(crew[role], action)
        found = answer["code"] if answer["t"] == "error" else "ok"
        assert found == expected(role, action, phase), (role, answer)
        view = crew["stranger"].watch(scene.game)
        crew["stranger"].ask("unwatch", game=scene.game)
        if found != "ok":
            assert view["seq"] == scene.seq, "a refused request changed the game"


def test_the_matrix_has_a_cell_for_every_request() -> None:
    assert len(CELLS) == len(ROLES) * len(ACTIONS) * len(PHASES) >= 300
    assert len(set(ACTIONS)) == len(get_args(ClientMessage)) - 1 + len(COMMANDS)
