"""Who may do what, in every phase of a game: one table, and a test for each of its cells."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, get_args

import pytest
from server.harness import ME, NO_LIMITS, OPEN, Client, serving

from plyboard.server.game.decisions import Command
from plyboard.server.protocol import REPLACED, ClientMessage, Do

PHASES = (
    "waiting",
    "playing",  # one move was made
    "offered",  # and the player who made it offers a draw and asks to take it back
    "later",  # three moves were made
    "over",
)
ROLES = (
    "to move",  # the player whose turn it is
    "other player",
    "spectator",
    "stranger",  # has not asked for the game
    "another game",  # a player of another game
    "wrong token",  # shows the token of another game
    "old token",  # held the seat of the player to move until its token was replaced
    "left",  # held the seat of the player to move, and stopped watching
    "no hello",  # has not said hello
)
PLAYERS = {"to move", "other player"}
PATIENT = replace(NO_LIMITS, hello_seconds=1000.0)
COMMANDS: tuple[str, ...] = get_args(Command)
ACTIONS = [each.__struct_config__.tag for each in get_args(ClientMessage) if each is not Do]
ACTIONS += [f"do {command}" for command in COMMANDS]
ACTIONS += ["watch with a token", "sit with a token"]
HOLDERS = {"to move", "other player", "left"}  # know a token that is good

FOR_ALL = {"hello", "create", "watch", "unwatch", "lobby", "finished", "games", "position",
           "edit", "analyse", "review", "tree", "stop", "ping"}  # fmt: skip
"""What anybody may do. `hello` is refused, as it was said already, but to all alike."""


def expected(role: str, action: str, phase: str) -> str:
    """Return the answer that a cell of the matrix must get: `ok`, or the code of an error."""
    if role == "no hello":
        return "ok" if action == "hello" else "no_hello"
    if action in FOR_ALL:
        return "hello_again" if action == "hello" else "ok"
    is_holder = role in HOLDERS and (role, phase) != ("other player", "waiting")
    if action in ("rotate", "watch with a token"):
        return "ok" if is_holder else "wrong_token"
    if action == "sit with a token" and is_holder:
        return "ok"
    if action.startswith("sit"):
        return "ok" if phase == "waiting" else "seat_taken"
    if role not in PLAYERS:
        return "not_a_player"
    if phase == "waiting":
        if role == "other player":  # nobody sits there yet
            return "not_a_player"
        return "ok" if action == "do abort" else "not_started"
    if action == "do rematch":
        return "ok" if phase == "over" else "not_over"
    if phase == "over":
        return "game_over"
    if action == "move":
        return "ok" if role == "to move" else "not_your_turn"
    if action == "do abort":
        return "cannot_abort" if phase == "later" else "ok"
    if phase == "offered" and role == "other player":
        refusals = {"do draw": "already_offered", "do takeback": "already_offered"}
        return {**refusals, "do decline": "nothing_offered"}.get(action, "ok")
    if phase == "playing" and (role, action) == ("to move", "do takeback"):
        return "nothing_to_take_back"
    return "nothing_offered" if action == "do decline" and phase != "offered" else "ok"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("server") / "games.db", PATIENT) as found:
        yield found


@pytest.fixture(scope="module")
def crew(address: str) -> Iterator[dict[str, Client]]:
    clients = {role: Client(address, hello=role != "no hello") for role in ROLES}
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
        left, old, mine = crew["left"], made["token"], first
        if phase != "waiting":
            old, mine = second.ask("sit", game=self.game)["token"], second
        rotated = mine.ask("rotate", game=self.game, token=old)
        token, self.seq = rotated["token"], rotated["seq"]
        if phase != "waiting":
            self.seq = first.move(self.game, self.seq, "4")["seq"]
        if phase == "offered":
            for what in ("draw", "takeback"):
                self.seq = first.ask("do", game=self.game, seq=self.seq, what=what)["seq"]
        if phase == "later":
            self.seq = second.move(self.game, self.seq, "5")["seq"]
            self.seq = first.move(self.game, self.seq, "5")["seq"]
        left.watch(self.game, token)
        left.ask("unwatch", game=self.game)
        if phase == "over":
            self.seq = first.ask("do", game=self.game, seq=self.seq, what="resign")["seq"]
        crew["spectator"].watch(self.game)
        other = crew["another game"].create("connect-four", ME, ME)
        crew["another game"].watch(other["game"], other["token"])
        crew["wrong token"].watch(self.game)
        assert crew["wrong token"].watch(self.game, other["token"])["code"] == "wrong_token"
        crew["old token"].watch(self.game)
        assert crew["old token"].watch(self.game, old)["code"] == "wrong_token"
        self.tokens = {"to move": token, "left": token, "old token": old}
        self.tokens |= {"another game": other["token"], "wrong token": other["token"]}
        if phase != "waiting":
            self.tokens["other player"] = made["token"]

    def ask(self, role: str, client: Client, action: str) -> dict[str, Any]:
        kind, _, command = action.partition(" ")
        token = {"token": self.tokens.get(role, "x" * 43)}
        position: dict[str, object] = {
            "game": "connect-four",
            "moves": list("44444422222266666611"),
        }
        fields: dict[str, dict[str, object]] = {
            "hello": {"version": 1},
            "create": {"game": "connect-four", "seats": [ME, OPEN]},
            "watch": {"game": self.game, **(token if command else {})},
            "unwatch": {"game": self.game},
            "sit": {"game": self.game, **(token if command else {})},
            "rotate": {"game": self.game, **token},
            "move": {"game": self.game, "seq": self.seq, "move": "4"},
            "do": {"game": self.game, "seq": self.seq, "what": command},
            "lobby": {},
            "finished": {},
            "games": {},
            "position": position,
            "edit": {"game": "connect-four"},
            "analyse": position,
            "review": {"game": "connect-four:columns=4,rows=4", "moves": list("3311443242")},
            "tree": {**position, "depth": 1},
            "stop": {"analysis": "none"},
            "ping": {},
        }
        # Two clients of one seat must not use the same id.
        return client.ask(kind, f"{role.replace(' ', '-')}-{client.count}", **fields[kind])


CELLS = list(itertools.product(ROLES, ACTIONS, PHASES))


@pytest.mark.parametrize("phase", PHASES)
@pytest.mark.parametrize("action", ACTIONS)
def test_everybody_can_do_just_what_the_table_says(
    address: str, crew: dict[str, Client], action: str, phase: str
) -> None:
    scene = Scene(crew, phase)
    for role in ROLES:
        answer = scene.ask(role, crew[role], action)
        found = answer["code"] if answer["t"] == "error" else "ok"
        assert found == expected(role, action, phase), (role, answer)
        view = crew["stranger"].watch(scene.game)
        crew["stranger"].ask("unwatch", game=scene.game)
        if found != "ok":
            assert view["seq"] == scene.seq, "a refused request changed the game"
        if (role, action) == ("no hello", "hello"):
            crew[role].close()
            crew[role] = Client(address, hello=False)
        if (role, action) == ("left", "rotate"):  # who knows the token locks out all others
            assert crew["to move"].closed()[0] == REPLACED
            crew["to move"] = Client(address)
        if found == "ok" and action not in FOR_ALL:
            scene = Scene(crew, phase)


def test_the_matrix_has_a_cell_for_every_request() -> None:
    assert len(CELLS) == len(ROLES) * len(ACTIONS) * len(PHASES) >= 990
    assert len(set(ACTIONS)) == len(get_args(ClientMessage)) - 1 + len(COMMANDS) + 2
