"""Several servers share one PostgreSQL store, and a game may be played on all of them."""

from __future__ import annotations

import contextlib
import json
import signal
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack

import psycopg
import pytest
from server.harness import (
    LIMIT,
    ME,
    OPEN,
    Client,
    Message,
    RunningServer,
    new_game,
    running,
    serving,
)
from server.postgres import PostgresServer
from server.stored_games import play
from websockets.exceptions import ConnectionClosed

from plyboard.server.storage.reader import StoreReader
from plyboard.server.storage.store import GameStore


@pytest.fixture(scope="module")
def store(postgres: PostgresServer) -> str:
    return postgres.new_database()


@pytest.fixture(scope="module")
def servers(store: str) -> Iterator[tuple[RunningServer, RunningServer]]:
    with running(store) as first, running(store) as second:
        yield first, second


@pytest.fixture
def ann(servers: tuple[RunningServer, RunningServer]) -> Iterator[Client]:
    """A player on the first server."""
    with Client(servers[0].address) as client:
        yield client


@pytest.fixture
def bob(servers: tuple[RunningServer, RunningServer]) -> Iterator[Client]:
    """A player on the second server."""
    with Client(servers[1].address) as client:
        yield client


def seated(ann: Client, bob: Client, **more: object) -> tuple[str, str, str]:
    """Return a new game of two clients, and their tokens."""
    made = ann.create("connect-four", ME, OPEN, **more)
    ann.watch(made["game"], made["token"])
    taken = bob.ask("sit", game=made["game"], name="Bob")
    assert taken["t"] == "created", taken
    view_at(ann, 1)
    return made["game"], made["token"], taken["token"]


def view_at(client: Client, seq: int) -> Message:
    """Return the first view of the game at this event or later that a client is sent."""
    return client.until(lambda news: news["t"] == "game" and news["seq"] >= seq)


def test_players_and_spectators_on_two_servers_see_the_same_game(
    servers: tuple[RunningServer, RunningServer], ann: Client, bob: Client, store: str
) -> None:
    game, _, _ = seated(ann, bob)
    with Client(servers[0].address) as eve, Client(servers[1].address) as dan:
        assert eve.watch(game)["seq"] >= 0
        assert dan.watch(game)["seq"] == 1
        for index, move in enumerate("4455667"):
            mover = (ann, bob)[index % 2]
            assert mover.move(game, index + 1, move)["seq"] == index + 2
            view_at((ann, bob)[1 - index % 2], index + 2)
        views = [view_at(client, 8) for client in (ann, eve, dan)]
        views.append(bob.watch(game))
        for view in views:
            view.pop("you", None)
            view.pop("re", None)

        assert views[0] == views[1] == views[2] == views[3]
        assert views[0]["end"] == {"result": "1-0", "reason": "line"}
    reader = StoreReader(store)
    assert list(reader.verify(replay=True)) == []
    reader.close()


def test_a_request_that_is_repeated_on_another_server_counts_once(
    servers: tuple[RunningServer, RunningServer], ann: Client, bob: Client
) -> None:
    game, token, _ = seated(ann, bob)
    with Client(servers[1].address) as again:
        again.watch(game, token)
        first = ann.move(game, 1, "4", "same")

        assert [again.move(game, seq, "4", "same") for seq in (1, 1, 2)] == [first] * 3
        assert again.move(game, 2, "5", "same")["code"] == "id_conflict"
        assert bob.move(game, 2, "4", "same")["t"] == "ack"
        assert again.watch(game)["moves"] == ["4", "4"]


def test_the_same_requests_to_both_servers_at_once_count_once(
    servers: tuple[RunningServer, RunningServer], ann: Client, bob: Client
) -> None:
    """The same player sends each move on two servers at the same time."""
    game, token, other = seated(ann, bob)
    with ExitStack() as stack:
        sockets = [stack.enter_context(Client(server.address)) for server in servers]
        for move in range(10):
            for client in sockets:
                client.watch(game, (token, other)[move % 2])
            request = {"t": "move", "id": f"m{move}", "game": game, "seq": move + 1}
            for client in sockets:
                client.send(json.dumps({**request, "move": "1234567"[move % 7]}))
            answers = [
                client.until(lambda news, move=move: news.get("re") == f"m{move}")  # type: ignore[misc]
                for client in sockets
            ]
            assert answers == [{"t": "ack", "re": f"m{move}", "seq": move + 2}] * 2
        assert sockets[0].watch(game)["moves"] == list("1234567123")


def test_one_of_two_people_gets_the_seat(ann: Client, bob: Client) -> None:
    for _ in range(5):
        game = ann.create("connect-four", ME, OPEN)["game"]
        for client in (ann, bob):
            client.send(json.dumps({"t": "sit", "id": f"s{game}", "game": game, "name": "Eve"}))
        found = [
            client.until(lambda news, game=game: news.get("re") == f"s{game}")  # type: ignore[misc]
            for client in (ann, bob)
        ]
        assert sorted(each.get("code", "") for each in found) == ["", "seat_taken"]


def test_a_seat_can_be_used_at_once_on_another_server(
    servers: tuple[RunningServer, RunningServer], ann: Client, bob: Client
) -> None:
    game, _, token = seated(ann, bob)
    with Client(servers[0].address) as moved:
        assert moved.watch(game, token)["you"] == 1


def test_a_token_that_is_replaced_on_one_server_is_refused_on_the_other(
    servers: tuple[RunningServer, RunningServer], ann: Client, bob: Client
) -> None:
    for round_number in range(5):
        game, old, _ = seated(ann, bob)
        new = f"{round_number}" * 43
        with Client(servers[1].address) as thief:
            assert thief.watch(game, old)["you"] == 0
            rotated = ann.ask("rotate", "k", game=game, token=old, new=new)
            with contextlib.suppress(ConnectionClosed):  # the other server may be faster
                thief.send(
                    json.dumps({"t": "move", "id": "m", "game": game, "seq": 1, "move": "1"})
                )
            assert rotated["t"] == "rotated"
            assert bob.ask("watch", game=game, token=old)["code"] == "wrong_token"
            assert bob.ask("rotate", game=game, token=old)["code"] == "wrong_token"
            assert bob.ask("sit", game=game, token=old)["code"] == "seat_taken"
            assert thief.closed() == (4009, "the token of the seat was replaced")
        with Client(servers[1].address) as moved:
            assert moved.ask("rotate", "k", game=game, token=old, new=new) == rotated
            assert moved.watch(game)["moves"] == []
            assert moved.move(game, 2, "4")["t"] == "ack"
        assert view_at(ann, 3)["you"] == 0


def test_the_lobby_and_the_finished_games_are_those_of_all_servers(
    ann: Client, bob: Client
) -> None:
    made = ann.create("squatter", ME, OPEN, public=True)
    assert made["game"] in {each["game"] for each in bob.ask("lobby")["games"]}
    bob.ask("sit", game=made["game"])
    assert made["game"] not in {each["game"] for each in ann.ask("lobby")["games"]}
    assert bob.ask("do", game=made["game"], seq=1, what="resign")["t"] == "ack"
    assert made["game"] in {each["game"] for each in ann.ask("finished", most=5)["games"]}


def test_a_resignation_counts_whatever_the_other_server_does(ann: Client, bob: Client) -> None:
    game, _, _ = seated(ann, bob)
    ann.send(json.dumps({"t": "move", "id": "m", "game": game, "seq": 1, "move": "4"}))
    assert bob.ask("do", game=game, seq=1, what="resign")["t"] == "ack"
    assert bob.watch(game)["end"] == {"result": "1-0", "reason": "resignation"}


def test_clocks_run_on_while_a_player_changes_the_server(
    servers: tuple[RunningServer, RunningServer], ann: Client, bob: Client
) -> None:
    game, token, _ = seated(ann, bob, clock="300")
    began = time.monotonic()
    while time.monotonic() < began + 1.5:
        assert ann.ask("ping")["t"] == "ack"
        time.sleep(0.1)
    with Client(servers[1].address) as moved:
        left = moved.watch(game, token)["seats"][0]["left"]
    used = time.monotonic() - began
    assert 300 - used - 1 <= left <= 298.6


def test_the_owner_of_a_game_ends_it_when_the_time_is_up(ann: Client, bob: Client) -> None:
    seated(ann, bob, clock="1")
    for client in (ann, bob):
        view = client.until(lambda news: news["t"] == "game" and "end" in news)
        assert view["end"]["reason"] == "time"


def test_games_are_taken_over_when_their_server_is_killed(postgres: PostgresServer) -> None:
    """Its agent goes on, its clock runs, and its players come back on the other server."""
    store = postgres.new_database()
    with running(store) as dying, running(store) as heir, Client(heir.address) as bob:
        with Client(dying.address) as ann:
            game, token, _ = seated(ann, bob)
            timed, _, _ = seated(ann, bob, clock="3")
            made = ann.create("connect-four", ME, {"kind": "agent", "agent": "random"})
            agent, view = made["game"], ann.watch(made["game"], made["token"])
            assert ann.move(agent, view["seq"], "4")["t"] == "ack"
            assert ann.move(game, 1, "4", "once")["seq"] == 2
            view_at(bob, 2)
            dying.stop(signal.SIGKILL)
        with Client(heir.address) as ann:
            assert ann.watch(game, token)["moves"] == ["4"]
            assert ann.move(game, 1, "4", "once") == {"t": "ack", "re": "once", "seq": 2}
            assert bob.move(game, 2, "4")["t"] == "ack"
            assert view_at(ann, 3)["moves"] == ["4", "4"]

            view = ann.watch(agent, made["token"])
            while "end" not in view:
                if view["mover"] == 0:
                    answer = ann.move(
                        agent, view["seq"], view["legal"][0]["move"], f"again{view['seq']}"
                    )
                    assert answer["t"] == "ack", answer
                seq = view["seq"]
                view = ann.until(
                    lambda news, seq=seq: (  # type: ignore[misc]
                        news["t"] == "game" and news["game"] == agent and news["seq"] > seq
                    )
                )

            ended = bob.watch(timed)
            if "end" not in ended:
                ended = bob.until(lambda news: news.get("game") == timed and "end" in news)
            assert ended["end"]["reason"] == "time"
    reader = StoreReader(store)
    assert list(reader.verify(replay=True)) == []
    reader.close()


def until_healthy(address: str) -> None:
    """Wait until a server knows that it can store games again: it looks once a second."""
    end = time.monotonic() + LIMIT
    while True:
        try:
            urllib.request.urlopen(f"{address}health", timeout=LIMIT).close()
            return
        except urllib.error.HTTPError as fault:
            fault.close()
            assert time.monotonic() < end


def test_players_are_told_when_the_database_is_down_and_go_on_when_it_is_back(
    postgres: PostgresServer,
    servers: tuple[RunningServer, RunningServer],
    ann: Client,
    bob: Client,
) -> None:
    game, _, _ = seated(ann, bob)
    postgres.stop()
    try:
        answers = list[Message]()

        def move() -> None:
            answers.append(ann.move(game, 1, "4", "once"))

        thread = threading.Thread(target=move)
        thread.start()
        assert bob.ask("finished")["code"] == "storage_unavailable"
        for path in ("health", f"export/{'a' * 16}.txt"):
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(f"{servers[1].address}{path}", timeout=LIMIT)
            refused.value.close()
            assert refused.value.code == 503
        thread.join(LIMIT)
        assert answers[0]["code"] == "storage_unavailable"
        assert bob.watch(game)["moves"] == []
    finally:
        postgres.start()

    assert ann.move(game, 1, "4", "once") == {"t": "ack", "re": "once", "seq": 2}
    assert view_at(bob, 2)["moves"] == ["4"]  # it listens again
    until_healthy(servers[1].address)
    assert bob.move(game, 2, "4")["t"] == "ack"
    assert view_at(ann, 3)["moves"] == ["4", "4"]


def test_a_move_is_stored_once_when_the_connection_is_lost_in_between(
    postgres: PostgresServer, ann: Client, bob: Client
) -> None:
    game, _, _ = seated(ann, bob)
    for seq in range(1, 9):
        postgres.execute(
            "select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()"
        )
        mover = (ann, bob)[(seq - 1) % 2]
        assert mover.move(game, seq, "1234567"[seq % 7], f"m{seq}")["seq"] == seq + 1
    assert len(ann.watch(game)["moves"]) == len(bob.watch(game)["moves"]) == 8


def test_a_database_that_was_replaced_by_an_older_copy_is_noticed_by_its_chain(
    postgres: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    """Promise D12: another event has the number of one that is lost."""
    url = postgres.new_database()
    with serving(url) as address, Client(address) as ann, Client(address) as bob:
        game = new_game(ann, bob)
        with psycopg.connect(url) as own:
            names = "sequence, chain, seal, clock_since"
            row = own.execute(f"select {names} from games".encode()).fetchone()
        assert ann.move(game, 1, "4")["t"] == "ack"
        with psycopg.connect(url) as own:  # back to the time before the move
            own.execute("delete from events where game = %s and sequence = 2", (game,))
            own.execute(f"update games set ({names}) = (%s, %s, %s, %s)".encode(), row)
        other = GameStore(url)
        before = other.load(game)
        assert before is not None
        play(other, before.state, "3")
        other.close()

        assert bob.move(game, 2, "5")["code"] == "stale"
        view = bob.watch(game)
        assert (view["seq"], view["moves"]) == (2, ["3"])
        assert bob.move(game, 2, "5")["t"] == "ack"
    told = [record.message for record in caplog.records if record.levelname == "ERROR"]
    assert len(told) == 1
    assert told[0].startswith(f"game {game} has other events in the database than here")
