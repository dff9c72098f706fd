"""Promise S3: a token opens one seat of one game until it is replaced, and nothing after that."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from server.harness import ME, NO_LIMITS, OPEN, Client, Message, serving
from server.simulation import MemoryStore, SimulatedClient, SimulatedServer, simulate
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from plyboard.play.seat import SeatInput
from plyboard.server.client.client import Fields, RefusedError, ServerClient, Wanted
from plyboard.server.game.events import (
    DamagedGameError,
    GamePlan,
    GameState,
    SeatPlan,
    TokenRotated,
    applied,
    opened,
)
from plyboard.server.game.tokens import token_hash
from plyboard.server.protocol import REPLACED, Rotated

LIMITS = replace(NO_LIMITS, failed_tokens_per_minute=3)
AGENT = {"kind": "agent", "agent": "random"}
OWN, OTHER = "o" * 43, "p" * 43
CLOSED = (REPLACED, "the token of the seat was replaced")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("server") / "games.db", NO_LIMITS) as found:
        yield found


@pytest.fixture
def ann(address: str) -> Iterator[Client]:
    with Client(address) as client:
        yield client


@pytest.fixture
def bob(address: str) -> Iterator[Client]:
    with Client(address) as client:
        yield client


def seated(ann: Client, bob: Client) -> tuple[str, str, str]:
    """Return a new game of two clients, and their tokens."""
    made = ann.create("connect-four", ME, OPEN)
    ann.watch(made["game"], made["token"])
    other = bob.ask("sit", game=made["game"])["token"]
    return made["game"], made["token"], other


def rotated(client: Client, game: str, token: str, new: str | None = OWN) -> Message:
    """Replace a token, and return the answer."""
    answer = client.ask("rotate", "k", game=game, token=token, **({"new": new} if new else {}))
    assert answer["t"] == "rotated", answer
    return answer


def code(answer: Message) -> str:
    return str(answer.get("code", "ok"))


def test_the_old_token_opens_nothing_and_the_new_one_goes_on(ann: Client, bob: Client) -> None:
    game, old, _ = seated(ann, bob)
    answer = rotated(ann, game, old, None)
    new = answer.pop("token")

    assert answer == {"t": "rotated", "re": "k", "game": game, "seq": 2}
    assert len(new) == 43
    assert new != old
    assert code(bob.watch(game, old)) == "wrong_token"
    assert code(bob.ask("sit", game=game, token=old)) == "seat_taken"
    assert code(bob.ask("rotate", game=game, token=old, new=OWN)) == "wrong_token"
    assert ann.move(game, 2, "4")["seq"] == 3
    assert bob.watch(game, new)["you"] == 0


def test_a_socket_with_the_old_token_is_closed_and_hears_nothing_more(
    address: str, ann: Client, bob: Client
) -> None:
    game, old, _ = seated(ann, bob)
    with Client(address) as thief:
        thief.watch(game, old)
        rotated(ann, game, old)
        assert ann.move(game, 2, "4")["t"] == "ack"
        with pytest.raises(ConnectionClosed) as closed:
            thief.receive()
        assert closed.value.rcvd is not None
        assert (closed.value.rcvd.code, closed.value.rcvd.reason) == CLOSED
    assert bob.until(lambda news: news["t"] == "game" and news["seq"] == 3)["moves"] == ["4"]


def test_a_repeated_request_gets_the_same_answer_also_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    with serving(file, NO_LIMITS) as address, Client(address) as ann, Client(address) as bob:
        game, old, _ = seated(ann, bob)
        first = rotated(ann, game, old)
        assert rotated(ann, game, old) == first
        with Client(address) as again:
            assert rotated(again, game, old) == first
            assert again.move(game, 1, "4")["t"] == "ack"
        assert code(ann.ask("rotate", "k", game=game, token=old, new=OTHER)) == "wrong_token"
        assert code(ann.ask("rotate", "k", game=game, token=OWN, new=OTHER)) == "id_conflict"
        assert code(ann.ask("rotate", "j", game=game, token=old, new=OWN)) == "wrong_token"
    with serving(file, NO_LIMITS) as address, Client(address) as ann:
        assert code(ann.watch(game, old)) == "wrong_token"
        assert rotated(ann, game, old) == first
        assert ann.watch(game)["you"] == 0
        assert code(ann.move(game, 3, "4", "k")) == "id_conflict"
        second = ann.ask("rotate", "l", game=game, token=OWN, new=OTHER)
        assert second["t"] == "rotated"
        assert code(ann.ask("rotate", "k", game=game, token=old, new=OWN)) == "wrong_token"
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert not [token for token in (old, OWN, OTHER) if token.encode() in stored]


def test_a_new_token_must_be_new(ann: Client, bob: Client) -> None:
    game, token, other = seated(ann, bob)
    for each in (token, other):
        answer = ann.ask("rotate", game=game, token=token, new=each)
        assert answer["message"] == "The new token opens a seat already."
    for wrong in ("x" * 42, "x" * 44, "x" * 42 + "=", "x" * 42 + "\n", 1):
        assert code(ann.ask("rotate", game=game, token=token, new=wrong)) == "bad_message"
    assert ann.watch(game, token)["seq"] == 1


def test_who_plays_both_sides_has_one_new_token(ann: Client, bob: Client) -> None:
    made = ann.create("connect-four", ME, ME)
    game, old = made["game"], made["token"]
    ann.watch(game, old)
    assert rotated(ann, game, old)["seq"] == 1
    for seq in (1, 2):
        assert ann.move(game, seq, "4")["t"] == "ack"
    assert code(bob.watch(game, old)) == "wrong_token"
    assert rotated(bob, game, old)["seq"] == 1
    assert bob.move(game, 3, "4")["t"] == "ack"


def test_the_move_of_the_opponent_is_not_stale(ann: Client, bob: Client) -> None:
    """A player who replaces the token all the time could keep the other from moving."""
    game, token, _ = seated(ann, bob)
    ann.move(game, 1, "4")
    for new in ("1" * 43, "2" * 43):
        ann.ask("rotate", game=game, token=token, new=new)
        token = new
    assert bob.move(game, 2, "4") == {"t": "ack", "re": f"r{bob.count}", "seq": 5}
    assert code(bob.move(game, 4, "4")) == "stale"


def test_a_token_opens_the_seat_of_the_rematch_only_if_it_was_good_then(
    ann: Client, bob: Client
) -> None:
    game, old, other = seated(ann, bob)
    ann.ask("do", game=game, seq=1, what="resign")
    assert ann.ask("do", game=game, seq=2, what="rematch")["t"] == "ack"
    rotated(ann, game, old)
    assert bob.ask("do", game=game, seq=4, what="rematch")["t"] == "ack"
    again = bob.watch(game)["next"]
    assert code(ann.watch(again, old)) == "wrong_token"
    assert ann.watch(again, OWN)["you"] == 1
    assert bob.watch(again, other)["you"] == 0
    bob.ask("rotate", game=game, token=other, new=OTHER)  # of the first game alone
    assert bob.watch(again, other)["you"] == 0


REPLAYS = {
    "in another game": ("wrong_token", "seat_taken", "wrong_token", "not_a_player"),
    "of the other seat": ("ok", "ok", "ok", "not_your_turn"),
    "after rotation": ("wrong_token", "seat_taken", "wrong_token", "not_a_player"),
    "after leaving": ("ok", "ok", "ok", "ok"),  # a player may come back
    "after the game": ("ok", "ok", "ok", "game_over"),
    "in the rematch, after rotation": (
        "wrong_token", "seat_taken", "wrong_token", "not_a_player",
    ),
}  # fmt: skip
"""What `watch`, `sit`, `rotate` and then a move are answered to who shows a token again."""


@pytest.mark.parametrize("replay", REPLAYS)
def test_a_token_that_is_shown_again_opens_what_the_table_says(
    address: str, ann: Client, bob: Client, replay: str
) -> None:
    game, token, other = seated(ann, bob)
    if replay == "in another game":
        game = seated(ann, bob)[0]
    if replay == "of the other seat":
        token = other
    if "after rotation" in replay:
        rotated(ann, game, token)
    if replay == "after leaving":
        ann.ask("unwatch", game=game)
        assert code(ann.move(game, 1, "4")) == "not_a_player"
    if replay in ("after the game", "in the rematch, after rotation"):
        ann.ask("do", game=game, seq=1, what="resign")
    if replay == "in the rematch, after rotation":
        for client in (ann, bob):
            client.ask("do", game=game, seq=client.watch(game)["seq"], what="rematch")
        game = ann.watch(game)["next"]
    with Client(address) as eve:
        found = [
            code(eve.ask(kind, f"eve-{kind}", game=game, token=token, **more))
            for kind, more in (("watch", {}), ("sit", {}), ("rotate", {"new": OTHER}))
        ]
        found.append(code(eve.move(game, eve.watch(game)["seq"], "4", "eve-move")))
    assert tuple(found) == REPLAYS[replay]


class SlowAgent:
    """Moves after ten seconds, and counts how often it is asked."""

    asked = 0

    async def prepare(self, state: GameState) -> None:
        pass

    async def choose(self, state: GameState, left: float | None) -> SeatInput:
        self.asked += 1
        await asyncio.sleep(10.0)
        return state.match.position.legal_moves()[0]


async def rotate_again_and_again(
    seats: list[Message], seconds: float, pause: float
) -> tuple[Message, int]:
    """Replace a token after each pause; return the game, and how often its agent was asked."""
    server, agent = SimulatedServer(MemoryStore(), NO_LIMITS), SlowAgent()
    server.rooms.agents = agent
    client = SimulatedClient(server, random.Random(1))
    made = await client.ask("create", game="connect-four", seats=seats)
    game, token = made["game"], made["token"]
    for count in range(int(seconds / pause)):
        new = f"{count:0>43}"
        answer = await client.ask("rotate", game=game, token=token, new=new)
        assert answer["t"] == "rotated"
        token = new
        await asyncio.sleep(pause)
    view = await client.ask("watch", game=game)
    await server.kill()
    return view, agent.asked


def test_new_tokens_do_not_keep_an_agent_from_moving() -> None:
    view, asked = simulate(rotate_again_and_again([AGENT, ME], 12.0, pause=1.0))

    assert (view["seq"], len(view["moves"]), asked) == (13, 1, 1)


@pytest.mark.parametrize("other", [ME, OPEN])
def test_new_tokens_do_not_keep_a_game_open(other: Message) -> None:
    seconds = NO_LIMITS.waiting_seconds if other is OPEN else NO_LIMITS.unplayed_seconds
    before, _ = simulate(rotate_again_and_again([ME, other], seconds - 60.0, pause=60.0))
    after, _ = simulate(rotate_again_and_again([ME, other], seconds + 60.0, pause=60.0))

    assert "end" not in before
    assert after["end"]["reason"] == "abandoned"


def test_wrong_tokens_are_counted_like_those_of_watch() -> None:
    async def guess() -> float:
        server, loop = SimulatedServer(MemoryStore(), LIMITS), asyncio.get_running_loop()
        client = SimulatedClient(server, random.Random(1))
        game = (await client.ask("create", game="connect-four", seats=[ME, OPEN]))["game"]
        began = loop.time()
        for _ in range(LIMITS.failed_tokens_per_minute + 1):
            answer = await client.ask("rotate", game=game, token="x" * 43)
            assert answer["code"] == "wrong_token"
        await server.kill()
        return loop.time() - began

    assert simulate(guess()) == pytest.approx(LIMITS.failed_token_seconds)


def test_a_program_replaces_its_token_and_plays_on(tmp_path: Path) -> None:
    with serving(tmp_path / "games.db") as address, ExitStack() as stack:
        host = stack.enter_context(Client(address))
        made = host.create("connect-four", OPEN, ME)
        url = f"{address}game/{made['game']}"
        client, twin = (stack.enter_context(ServerClient(url)) for _ in range(2))
        client.sit("Tess")
        old = twin.token = client.token
        view = twin.watch()
        assert client.rotate().you == 0
        assert client.token not in (None, old)
        assert client.move(view, "4").moves == ("4",)
        with pytest.raises(RefusedError, match="the token of the seat was replaced"):
            twin.wait(view)
        with pytest.raises(RefusedError, match="opens no seat"):
            twin.watch()


def test_a_program_repeats_a_rotation_whose_answer_was_lost(tmp_path: Path) -> None:
    with serving(tmp_path / "games.db") as address, Client(address) as host:
        made = host.create("connect-four", OPEN, ME)
        with LosesOneAnswer(f"{address}game/{made['game']}") as client:
            client.sit("Tess")
            old = client.token
            assert client.rotate().you == 0
            assert (client.lost, client.token != old) == (1, True)
            assert client.watch().seq == 2  # it was replaced once


class LosesOneAnswer(ServerClient):
    """Loses its connection when the first rotation is acknowledged."""

    lost = 0

    def _answer(self, socket: ClientConnection, request: Fields, kind: type[Wanted]) -> Wanted:
        answer = super()._answer(socket, request, kind)
        if isinstance(answer, Rotated) and not self.lost:
            self.lost += 1
            socket.close()
            raise ConnectionResetError
        return answer


def test_a_store_in_which_nobody_has_the_token_is_damaged() -> None:
    person = SeatPlan("person", "Ann", token_hash=token_hash(OWN))
    state = opened("g", GamePlan("connect-four", "", (person, SeatPlan("open"))))

    assert applied(state, TokenRotated(0, b"n")).seats[0].token_hash == b"n"
    for player in (1, 2, -1):
        with pytest.raises(DamagedGameError, match="event 1: there is no token to replace"):
            applied(state, TokenRotated(player, b"n"))
