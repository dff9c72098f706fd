"""Games over web sockets: every request is answered, and everybody sees the same game."""

from __future__ import annotations

import asyncio
import json
import time
import tomllib
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from server.harness import LIMIT, ME, NO_LIMITS, OPEN, Client, Message, new_game, serving
from server.rooms.test_order import FakeSocket
from server.simulation import MemoryStore, SimulatedServer, simulate

from plyboard.games import GAMES, Position
from plyboard.play.record import read_records
from plyboard.server.game.tokens import new_token
from plyboard.server.limits import ServerLimits
from plyboard.server.protocol import (
    Created,
    CreateGame,
    Request,
    SeatChoice,
    Sit,
    Unwatch,
    Watch,
)
from plyboard.server.storage.reader import StorageError
from plyboard.server.storage.writes import Write


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


def test_two_players_and_a_spectator_see_the_same_game(
    address: str, ann: Client, bob: Client
) -> None:
    game = new_game(ann, bob)
    with Client(address) as eve:
        seen = eve.watch(game)
        assert seen.get("you") is None
        for index, move in enumerate("4455667"):
            mover = (ann, bob)[index % 2]
            assert mover.move(game, index + 1, move) == {
                "t": "ack", "re": f"r{mover.count}", "seq": index + 2,
            }  # fmt: skip
        views = [
            client.until(lambda news: news["t"] == "game" and "end" in news)
            for client in (ann, bob, eve)
        ]

        assert [view.pop("you", None) for view in views] == [0, 1, None]
        assert views[0] == views[1] == views[2]
        assert views[0]["end"] == {"result": "1-0", "reason": "line"}
        assert len(views[0]["board"]["line"]) == 4


@pytest.mark.parametrize("spec", [kind.name for kind in GAMES])
def test_the_described_moves_are_the_legal_ones(ann: Client, spec: str) -> None:
    shown = ann.ask("position", game=spec)
    position = Position(spec)

    assert {each["move"] for each in shown["legal"]} == set(position.legal_moves())
    for each in shown["legal"][:5]:
        after = ann.ask("position", game=spec, moves=[each["move"]])
        assert after["text"] == position.play(each["move"]).text()


@pytest.mark.parametrize("spec", [kind.name for kind in GAMES])
def test_a_person_plays_an_agent_to_the_end(ann: Client, spec: str) -> None:
    made = ann.create(spec, ME, {"kind": "agent", "agent": "random"})
    game, view = made["game"], ann.watch(made["game"], made["token"])
    while "end" not in view:
        if view["mover"] == 0:
            answer = ann.move(game, view["seq"], view["legal"][0]["move"])
            assert answer["t"] == "ack", answer
        seq = view["seq"]
        view = ann.until(lambda news, seq=seq: news["t"] == "game" and news["seq"] > seq)  # type: ignore[misc]

    replayed = Position(spec)
    for move in view["moves"]:
        replayed = replayed.play(move)
    assert replayed.text() == view["text"]
    assert replayed.is_over


def test_a_repeated_request_counts_once_and_is_answered_alike(ann: Client, bob: Client) -> None:
    game = new_game(ann, bob)
    first = ann.move(game, 1, "4", "same")

    assert [ann.move(game, seq, "4", "same") for seq in (1, 1, 2)] == [first] * 3
    assert ann.move(game, 2, "5", "same")["code"] == "id_conflict"
    assert bob.move(game, 2, "4", "same")["t"] == "ack"  # ids belong to a player
    assert bob.watch(game)["moves"] == ["4", "4"]


def test_a_repeated_create_gives_the_same_game(ann: Client, bob: Client) -> None:
    wanted: Message = {"game": "squatter", "seats": [ME, OPEN]}
    first = ann.ask("create", "same", **wanted)
    assert [ann.ask("create", "same", **wanted) for _ in range(2)] == [first] * 2
    assert ann.ask("create", "same", **{**wanted, "clock": "60"})["code"] == "id_conflict"
    assert ann.ask("create", "other", **wanted)["game"] != first["game"]
    assert bob.ask("create", "same", **wanted)["game"] != first["game"]  # ids belong to a socket


def test_a_create_with_a_token_of_its_own_can_be_repeated_over_any_socket(
    ann: Client, bob: Client
) -> None:
    wanted: Message = {"game": "squatter", "seats": [OPEN, ME], "token": new_token()}
    first = ann.ask("create", "same", **wanted)
    assert (first["player"], first["token"]) == (1, wanted["token"])
    assert bob.ask("create", "same", **wanted) == first
    assert bob.watch(first["game"], wanted["token"])["you"] == 1


class Forgetful(MemoryStore):
    """A store that does not know what has become of the next write, which it has stored."""

    is_forgetful = True

    def _stored(self, write: Write) -> BaseException | None:
        fault, is_forgetful = super()._stored(write), self.is_forgetful
        self.is_forgetful = False
        return StorageError("the connection is lost") if is_forgetful else fault


def test_a_create_of_unknown_outcome_may_be_sent_again() -> None:
    async def create() -> tuple[Any, Any, int, int]:
        store, socket = Forgetful(), FakeSocket()
        server = SimulatedServer(store, NO_LIMITS)
        wanted = CreateGame("c", "connect-four", (SeatChoice("agent", "random"), SeatChoice("me")))
        first, second = [await server.hub.answer(socket, wanted) for _ in range(2)]
        await asyncio.sleep(10.0)
        plies = len((await server.rooms.get(second.game)).state.match.turns)  # type: ignore[union-attr]
        await server.kill()
        return first, second, len(store.games), plies

    first, second, games, plies = simulate(create())
    assert (first.code, first.message) == (
        "storage_unavailable",
        "It is not known whether this was stored. Send it again with the same id.",
    )
    assert isinstance(second, Created)
    assert (games, plies) == (1, 1)  # its agent moves


def test_a_move_for_another_position_is_stale_and_brings_the_game(ann: Client, bob: Client) -> None:
    game = new_game(ann, bob)
    for seq in (0, 2, 99):
        ann.news.clear()
        assert ann.move(game, seq, "4")["code"] == "stale"
        assert ann.until(lambda news: news["t"] == "game")["seq"] == 1


WRONG = tomllib.loads((Path(__file__).parent / "wrong_messages.toml").read_text())["message"]


@pytest.mark.parametrize("wrong", WRONG, ids=[each["name"] for each in WRONG])
def test_a_wrong_message_is_answered_and_harms_nobody(
    ann: Client, bob: Client, wrong: dict[str, str]
) -> None:
    ann.send(wrong["text"])
    answer = ann.receive()

    assert (answer["t"], answer["code"]) == ("error", wrong["code"]), answer
    assert answer["re"] in ("a", "b", None)
    assert "Traceback" not in answer["message"]
    assert ann.ask("ping")["t"] == bob.ask("ping")["t"] == "ack"


@pytest.mark.parametrize(
    ("frame", "code"), [(b"\x00\x01", 1003), ("x" * 4097, 1009), ("é" * 2049, 1009)]
)
def test_frames_that_are_not_messages_close_the_socket(
    address: str, frame: str | bytes, code: int
) -> None:
    with Client(address) as client:
        client.send(frame)
        assert client.closed()[0] == code


def test_a_socket_must_say_hello_first(address: str) -> None:
    with Client(address, hello=False) as client:
        assert client.ask("ping")["code"] == "no_hello"
        assert client.ask("hello", version=99)["code"] == "wrong_version"
        assert client.ask("hello", version=1)["t"] == "welcome"


def test_limits_close_only_the_socket_that_exceeds_them(tmp_path: Path) -> None:
    limits = ServerLimits(messages=10, sockets_per_address=3, content_errors=5)
    with serving(tmp_path / "games.db", limits) as address, Client(address) as good:
        with Client(address) as fast:
            for number in range(11):
                fast.send(json.dumps({"t": "ping", "id": f"p{number}"}))
            assert fast.closed() == (1008, "too many messages")
        with Client(address) as wrong:
            for _ in range(6):
                wrong.send("{")
            assert wrong.closed() == (1008, "too many errors")
        with Client(address), Client(address), pytest.raises(Exception, match="429"):
            Client(address)
        assert good.ask("ping")["t"] == "ack"


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1.evil.example"]
)
def test_a_page_of_another_site_cannot_connect(address: str, origin: str) -> None:
    with pytest.raises(Exception, match="403"):
        Client(address, origin=origin)


def test_the_servers_own_page_can_connect(address: str) -> None:
    with Client(address, origin=address.rstrip("/")) as client:
        assert client.ask("ping")["t"] == "ack"


def test_only_one_of_many_gets_the_open_seat(address: str, ann: Client) -> None:
    made = ann.create("connect-four", ME, OPEN)
    clients = [Client(address) for _ in range(8)]
    try:
        for client in clients:
            client.send(json.dumps({"t": "sit", "id": "s", "game": made["game"]}))
        answers = [client.until(lambda message: message.get("re") == "s") for client in clients]
    finally:
        for client in clients:
            client.close()

    assert sorted(answer["t"] for answer in answers) == ["created"] + ["error"] * 7
    assert {answer.get("code") for answer in answers} == {None, "seat_taken"}


def test_a_seat_is_kept_by_its_token_over_a_new_socket(address: str, ann: Client) -> None:
    made = ann.create("connect-four", ME, ME)
    with Client(address) as again:
        assert again.watch(made["game"], made["token"])["you"] == 0
        assert again.move(made["game"], 0, "4")["t"] == "ack"
        assert again.watch(made["game"], "x" * 43)["code"] == "wrong_token"


def test_a_flag_falls_without_a_message(ann: Client, bob: Client) -> None:
    game = new_game(ann, bob, clock="0.2")
    view = bob.until(lambda news: news["t"] == "game" and "end" in news)

    assert view["end"] == {"result": "0-1", "reason": "time"}
    assert ann.move(game, view["seq"], "4")["code"] == "game_over"


def test_the_lobby_knows_which_hosts_are_here() -> None:
    async def host() -> list[bool]:
        server, ann, bob = SimulatedServer(MemoryStore(), NO_LIMITS), FakeSocket(), FakeSocket()
        seats, found = (SeatChoice("me"), SeatChoice("open")), list[bool]()
        made = await server.hub.answer(ann, CreateGame("c", "squatter", seats, public=True))
        assert isinstance(made, Created)

        async def ask(socket: FakeSocket, message: Request) -> None:
            await server.hub.answer(socket, message)
            found.append(server.rooms.hosted() == [made.game])

        await ask(bob, Watch("w", made.game))
        await ask(ann, Watch("w", made.game, made.token))
        await ask(ann, Unwatch("u", made.game))
        await ask(ann, Watch("v", made.game, made.token))
        await ask(bob, Sit("s", made.game))
        await server.kill()
        return found

    assert simulate(host()) == [False, True, False, True, False]


def test_an_open_game_is_in_the_lobby_until_somebody_joins(ann: Client, bob: Client) -> None:
    made = ann.create("squatter", ME, OPEN, public=True)
    hidden = ann.create("squatter", ME, OPEN)

    def listed() -> set[str]:
        return {each["game"] for each in bob.ask("lobby")["games"]}

    assert made["game"] in listed()
    assert hidden["game"] not in listed()
    bob.ask("sit", game=made["game"])
    assert made["game"] not in listed()


def test_finished_games_can_be_listed(ann: Client, bob: Client) -> None:
    game = new_game(ann, bob)
    ann.ask("do", game=game, seq=1, what="resign")

    found = bob.ask("finished", most=5)["games"][0]
    assert (found["game"], found["result"], found["reason"]) == (game, "0-1", "resignation")


def test_the_catalogue_describes_every_game(ann: Client) -> None:
    games = {each["name"]: each for each in ann.ask("games")["games"]}

    assert set(games) == {kind.name for kind in GAMES}
    for kind in games.values():
        assert kind["rules"]
        assert kind["summary"]
        assert "engine:level=1" in [agent["spec"] for agent in kind["agents"]]


def test_no_message_of_the_server_holds_a_token_that_was_not_asked_for(
    address: str, ann: Client
) -> None:
    made = ann.create("connect-four", ME, OPEN)
    with Client(address) as eve:
        texts = [eve.watch(made["game"]), eve.ask("lobby"), eve.ask("finished")]
        assert made["token"] not in json.dumps(texts)
        assert "token" not in json.dumps(texts)


def test_an_analysis_improves_until_it_is_exact(ann: Client) -> None:
    ann.ask("analyse", "a", game="connect-four", moves=list("444444222222666666111111"))
    view = ann.until(lambda news: news["t"] == "analysis" and news["is_last"])

    assert {value["move"] for value in view["values"]} == {"3", "5", "7"}
    assert all(value["exact"] and "score" in value for value in view["values"])


def test_a_stopped_analysis_sends_no_more(ann: Client) -> None:
    ann.ask("analyse", "a", game="squatter")
    assert ann.ask("stop", analysis="a")["t"] == "ack"
    ann.news.clear()
    end = time.monotonic() + LIMIT
    assert ann.ask("ping")["t"] == "ack"
    assert [news for news in ann.news if news["t"] == "analysis"] == []
    assert time.monotonic() < end


def test_takebacks_draws_and_aborts_reach_both_players(ann: Client, bob: Client) -> None:
    game = new_game(ann, bob)
    ann.move(game, 1, "4")
    asked = ann.ask("do", game=game, seq=2, what="takeback")
    assert bob.until(lambda news: news["t"] == "game" and news.get("takeback_offer") == 0)
    given = bob.ask("do", game=game, seq=asked["seq"], what="takeback")
    assert (
        ann.until(lambda news: news["t"] == "game" and news["seq"] == given["seq"])["moves"] == []
    )
    offered = ann.ask("do", game=game, seq=given["seq"], what="draw")
    bob.ask("do", game=game, seq=offered["seq"], what="draw")
    view = ann.until(lambda news: news["t"] == "game" and "end" in news)
    assert view["end"] == {"result": "1/2-1/2", "reason": "agreed"}


@pytest.mark.parametrize("form", ["txt", "json"])
def test_a_game_can_be_downloaded_as_a_record(
    address: str, ann: Client, bob: Client, form: str, tmp_path: Path
) -> None:
    game = new_game(ann, bob)
    ann.move(game, 1, "4")
    ann.ask("do", game=game, seq=2, what="resign")
    with urllib.request.urlopen(f"{address}export/{game}.{form}", timeout=LIMIT) as answer:
        assert "attachment" in answer.headers["Content-Disposition"]
        (tmp_path / f"game.{form}").write_bytes(answer.read())

    (match,) = read_records(str(tmp_path / f"game.{form}"))
    assert match.position.moves == ("4",)
    assert match.heading.players == ("guest", "Bob")
    assert match.result.value == "0-1"


@pytest.mark.parametrize("path", ["export/abcdefghabcdefgh.txt", "export/..%2f..%2fx.txt", "x"])
def test_an_unknown_path_is_not_found(address: str, path: str) -> None:
    with pytest.raises(urllib.error.HTTPError) as fault:
        urllib.request.urlopen(f"{address}{path}", timeout=LIMIT)
    assert fault.value.code == 404
    fault.value.close()


def test_the_figures_of_the_server_count_what_happened(tmp_path: Path) -> None:
    with (
        serving(tmp_path / "games.db") as address,
        Client(address) as ann,
        Client(address) as bob,
    ):
        game = new_game(ann, bob)
        ann.move(game, 1, "4")
        ann.move(game, 2, "4")
        with urllib.request.urlopen(f"{address}metrics", timeout=LIMIT) as answer:
            lines = answer.read().decode().splitlines()

    values = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert values["plyboard_sockets"] == "2"
    assert values["plyboard_games_unfinished"] == "1"
    assert values['plyboard_requests_total{type="move",result="ok"}'] == "1"
    assert values['plyboard_requests_total{type="move",result="not_your_turn"}'] == "1"
    total = sum(int(value) for key, value in values.items() if key.startswith("plyboard_requests"))
    assert int(values["plyboard_answer_seconds_count"]) == total
    assert int(values['plyboard_answer_seconds_bucket{le="+Inf"}']) == total


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("Bob", "Bob"),
        ("  Zo\u00eb  ", "Zo\u00eb"),
        ("\x1b[2JBob\r\n", "[2JBob"),  # would clear a terminal
        ("\u202eboB", "boB"),  # would turn the text around
        ("\u200b \x00", "guest"),
        ("<b>Bob</b>", "<b>Bob</b>"),  # shown as text
        ("B" + "\u0335" * 31, "B" + "\u0335" * 2),  # would cover the lines around it
        ("Zoe\u0308", "Zo\u00eb"),
        ("\u0e19\u0e49\u0e33", "\u0e19\u0e49\u0e33"),
    ],
)
def test_a_name_holds_only_characters_that_can_be_shown(
    ann: Client, bob: Client, given: str, shown: str
) -> None:
    made = ann.create("squatter", {"kind": "me", "name": given}, OPEN)
    bob.ask("sit", game=made["game"], name=given)

    assert [seat["name"] for seat in bob.watch(made["game"])["seats"]] == [shown, shown]
