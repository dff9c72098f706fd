"""Nothing that was acknowledged is lost, and the server stops when it is told to."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import signal
import socket
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from server.harness import ME, OPEN, Client, new_game, running, serving
from server.postgres import PostgresServer
from server.storage import power_loss
from server.storage.kill_server import ServerProcess, check, run
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from plyboard.server.http.running import listener
from plyboard.server.limits import ServerLimits

IS_PLANTED = "PLYBOARD_PLANTED" in os.environ  # a fault; a few kills find it
KILLS, GAMES = 4 if IS_PLANTED else 10, 16
SHARED_KILLS, SHARED_GAMES = 3, 4  # one of two servers each time
MOVES_WITHOUT_POWER, POWER_LOSSES = 30, 15
STOPPING_SECONDS = 60.0  # on a busy machine; otherwise a second
FEWEST_MOVES = 100  # fewer would not have tested anything


def test_no_acknowledged_move_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    report = asyncio.run(run(KILLS, GAMES, 1, file, []))

    assert check(report, file) == []
    assert report.kills == KILLS
    assert len(report.acknowledged) >= FEWEST_MOVES


def test_no_acknowledged_move_is_lost_when_servers_of_one_database_are_killed(
    postgres: PostgresServer,
) -> None:
    store = postgres.new_database()
    report = asyncio.run(run(SHARED_KILLS, SHARED_GAMES, 2, store, [], servers=2))

    assert check(report, store) == []
    assert report.kills == SHARED_KILLS
    assert len(report.acknowledged) >= FEWEST_MOVES


def test_no_acknowledged_move_is_lost_when_the_power_fails() -> None:
    assert power_loss.run(MOVES_WITHOUT_POWER, POWER_LOSSES, seed=3) == []


def test_sigterm_closes_every_socket_and_ends_the_server(tmp_path: Path) -> None:
    async def stop_with_sockets() -> tuple[int, list[int]]:
        server = ServerProcess(tmp_path / "games.db")
        await server.start()
        url = f"ws://127.0.0.1:{server.port}/play"
        sockets = [await connect(url, compression=None).__aenter__() for _ in range(15)]
        for each in sockets[:10]:
            await each.send('{"t":"hello","id":"h","version":1}')
            await each.recv()
        async with asyncio.timeout(60):
            code = await server.kill(signal.SIGTERM)
        closed = []
        for each in sockets:
            try:
                await each.recv()
            except ConnectionClosed as fault:
                closed.append(fault.rcvd.code if fault.rcvd else 1006)
        return code, closed

    code, closed = asyncio.run(stop_with_sockets())
    assert code == 0
    assert set(closed) == {1012}


def test_sigterm_ends_the_server_while_an_agent_thinks(tmp_path: Path) -> None:
    async def stop_while_thinking() -> float:
        server = ServerProcess(tmp_path / "games.db")
        await server.start()
        async with connect(f"ws://127.0.0.1:{server.port}/play", compression=None) as socket:
            seats = [{"kind": "agent", "agent": "mcts"}, {"kind": "me"}]
            for request in (
                {"t": "hello", "id": "h", "version": 1},
                {"t": "create", "id": "c", "game": "squatter", "seats": seats, "clock": "100000"},
            ):
                await socket.send(json.dumps(request))
                assert json.loads(await socket.recv())["t"] in ("welcome", "created")
            await asyncio.sleep(1)  # the search has begun, or its process starts
            began = time.monotonic()
            assert await server.kill(signal.SIGTERM) == 0
        return time.monotonic() - began

    assert asyncio.run(stop_while_thinking()) < STOPPING_SECONDS


def test_a_game_goes_on_after_a_restart(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    with serving(file) as address, Client(address) as ann, Client(address) as bob:
        game = new_game(ann, bob, clock="60+1")
        assert ann.move(game, 1, "4")["t"] == "ack"
        made = ann.create("connect-four", ME, ME)
        ann.watch(made["game"], made["token"])
        ann.move(made["game"], 0, "3", "once")
    with serving(file) as address, Client(address) as again:
        view = again.watch(game)
        assert view["moves"] == ["4"]
        assert view["running"] == 1
        assert 59.0 <= view["seats"][1]["left"] <= 60.0  # time while it was down is not charged
        again.watch(made["game"], made["token"])
        assert again.move(made["game"], 0, "3", "once") == {"t": "ack", "re": "once", "seq": 1}


def test_a_client_that_does_not_read_is_closed_and_nobody_waits_for_it(tmp_path: Path) -> None:
    limits = ServerLimits(queued_messages=8, messages=100_000)
    with (
        serving(tmp_path / "games.db", limits) as address,
        Client(address) as ann,
        Client(address) as bob,
        lazy_socket(address) as lazy,
    ):
        with pytest.raises(OSError, match=r"reset|closed|pipe"):
            flood(lazy)
        game = new_game(ann, bob)
        assert ann.move(game, 1, "4")["t"] == "ack"


@contextmanager
def lazy_socket(address: str) -> Iterator[socket.socket]:
    """Open a web socket by hand, and never read from it again."""
    port = int(address.rstrip("/").rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port), timeout=60) as lazy:
        lazy.sendall(
            b"GET /play HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
            b"Connection: Upgrade\r\n"
            b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        assert lazy.recv(1000).startswith(b"HTTP/1.1 101")
        lazy.sendall(frame('{"t":"hello","id":"h","version":1}'))
        yield lazy


def flood(lazy: socket.socket) -> None:
    """Ask for long answers until the server closes the socket."""
    request = frame(json.dumps({"t": "games", "id": "g"}))
    for _ in range(100_000):
        lazy.sendall(request)


def frame(text: str) -> bytes:
    """Return a short masked text frame; the mask is zero."""
    assert len(text) < 126
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text.encode()


def test_a_damaged_game_is_named_and_the_others_are_played(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    with serving(file) as address, Client(address) as ann, Client(address) as bob:
        bad, good = new_game(ann, bob), new_game(ann, bob)
        ann.move(bad, 1, "4")
        ann.move(good, 1, "4")
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("update events set data = data || ' ' where game = ?", (bad,))
    with serving(file) as address, Client(address) as eve:
        assert eve.watch(bad)["code"] == "damaged_game"
        assert eve.watch(good)["moves"] == ["4"]


def test_the_port_of_another_program_is_named(tmp_path: Path) -> None:
    async def start_twice() -> tuple[int, str]:
        server = ServerProcess(tmp_path / "games.db")
        await server.start()
        second = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "plyboard", "serve", "--no-warm", "--port", str(server.port),
            "--store", str(tmp_path / "other.db"), stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        _, text = await second.communicate()
        await server.kill(signal.SIGTERM)
        assert second.returncode is not None
        return second.returncode, text.decode()

    code, text = asyncio.run(start_twice())
    assert code == 4
    assert text.startswith("error: cannot listen on port ")
    assert text.count("\n") <= 2


def test_small_messages_are_sent_at_once() -> None:
    """Without TCP_NODELAY one answer in a hundred waits 40 ms for an acknowledgement of TCP."""
    with listener("127.0.0.1", 0) as bound:
        assert bound.proto == socket.IPPROTO_TCP  # asyncio sets the option for these only


def test_play_goes_on_by_itself_after_the_disk_was_full(tmp_path: Path) -> None:
    """The system refuses every write of the server to a file, and then allows them again."""
    file = tmp_path / "games.db"
    with running(file) as server, Client(server.address) as ann, Client(server.address) as bob:
        game, waiting = new_game(ann, bob), ann.create("connect-four", ME, OPEN)["game"]
        made = ann.create("connect-four", ME, {"kind": "agent", "agent": "random"})
        agent, process = made["game"], server.process.pid
        ann.watch(agent, made["token"])
        usual = resource.prlimit(process, resource.RLIMIT_FSIZE)
        resource.prlimit(process, resource.RLIMIT_FSIZE, (1, usual[1]))
        refused = [
            ann.move(game, 1, "4", "once"),
            bob.ask("sit", game=waiting, name="Bob"),
            ann.ask("create", game="connect-four", seats=[ME, OPEN]),
            ann.ask("do", game=game, seq=1, what="resign"),
        ]
        assert {each["code"] for each in refused} == {"storage_unavailable"}
        assert bob.watch(game)["moves"] == []
        assert bob.ask("lobby")["t"] == "lobby"  # what needs no write is answered
        resource.prlimit(process, resource.RLIMIT_FSIZE, usual)

        assert ann.move(game, 1, "4", "once") == {"t": "ack", "re": "once", "seq": 2}
        assert bob.ask("sit", game=waiting, name="Bob")["t"] == "created"
        assert ann.move(agent, 0, "4")["t"] == "ack"
        assert ann.until(lambda news: news.get("game") == agent and news["seq"] == 2)
