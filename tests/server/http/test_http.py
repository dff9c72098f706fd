"""HTTP at the edge: wrong requests get their status, and every response its headers."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import random
import socket
import sys
import threading
import time
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from server.harness import LIMIT, NO_LIMITS, Client, new_game, serving
from server.raw_http import (
    BINARY,
    CLOSE,
    CONTINUED,
    PING,
    TEXT,
    UPGRADE,
    closing_code,
    connected,
    exchange,
    frame,
    lines,
    port_of,
    raw_socket,
    read_answer,
)
from uvicorn.server import ServerState

from plyboard.server.http.app import create_app
from plyboard.server.http.gate import HEADERS, MOST_HEADERS
from plyboard.server.http.protocols import SLOW_WAITS, AbortableProtocol, TimedHttpProtocol
from plyboard.server.http.running import server_config
from plyboard.server.limits import LOCAL_LIMITS

ROWS = tomllib.loads((Path(__file__).parent / "wrong_requests.toml").read_text())["request"]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("server") / "games.db", NO_LIMITS) as found:
        yield found


def get(path: str) -> bytes:
    return lines(f"GET {path} HTTP/1.1\nHost: localhost")


@pytest.mark.parametrize("row", ROWS, ids=[row["name"] for row in ROWS])
def test_a_request_gets_its_status_and_all_headers(address: str, row: dict[str, Any]) -> None:
    request = get(row["path"]) if "path" in row else lines(row["head"], row.get("body", ""))
    answer = exchange(address, request)

    assert answer.status == row["status"], answer
    assert {name: answer.headers.get(name.lower()) for name in HEADERS} == HEADERS
    if answer.status >= 400 and not row.get("plain"):
        error = json.loads(answer.body)["error"]
        assert set(error) == {"code", "message", "detail", "request_id"}
        assert error["request_id"] == answer.headers.get("x-request-id", "")
    assert not any(word in answer.body for word in (b"Traceback", b"/src/", b"SELECT", b"uvicorn"))
    assert "server" not in answer.headers


def test_a_request_may_have_so_many_headers_and_not_one_more(address: str) -> None:
    def asked(count: int) -> int:
        more = "".join(f"\nX-{number}: x" for number in range(count - 1))
        return exchange(address, lines(f"GET /health HTTP/1.1\nHost: localhost{more}")).status

    assert [asked(MOST_HEADERS), asked(MOST_HEADERS + 1)] == [200, 431]


def test_ids_that_are_wrong_are_answered_as_unknown_ones(address: str) -> None:
    bodies = set()
    for path in ("abcdefghabcdefgh", "..%2f..%2fetc%2fpasswd", "x", "%00"):
        error = json.loads(exchange(address, get(f"/export/{path}.txt")).body)["error"]
        bodies.add((error["code"], error["message"]))
    assert bodies == {("no_game", "There is no such game.")}


# ------------------------------------------------------------------------------------- traversal

DOTS = ("..", "%2e%2e", ".%2e", "%252e%252e", "..%00", "%c0%ae%c0%ae", "....", "..;", "\\..",
        "%5c..", "%uff0e%uff0e", "..%09")  # fmt: skip
SLASHES = ("/", "%2f", "%252f", "\\", "%5c", "//", "%c0%af")
TARGETS = ("etc/passwd", "games.db", "games.db-wal", "windows/win.ini", "con", "proc/self/environ")
ROOTS = ("/", "/web/", "/export/", "/game/", "/learn/", "/review/")


def traversal_paths() -> list[str]:
    """Return 500 paths that try to leave their folder."""
    chance = random.Random(1)
    found = {"//etc/passwd", "/C:/windows/win.ini", "/web/C:%5cx", "/export/" + "a" * 5000 + ".txt"}
    while len(found) < 500:
        up = (chance.choice(DOTS) + chance.choice(SLASHES)) * chance.randint(1, 6)
        form = chance.choice(("", ".txt", ".json", "%00.txt", ".js"))
        found.add(chance.choice(ROOTS) + up + chance.choice(TARGETS) + form)
    return sorted(found)


class OpenedFiles:
    """Collects the files that this process opens while it is active."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.is_active = False
        sys.addaudithook(self._hear)

    def _hear(self, event: str, arguments: tuple[object, ...]) -> None:
        if self.is_active and event == "open":
            self.names.append(str(arguments[0]))


def test_no_path_leads_to_a_file_outside_the_list(address: str) -> None:
    opened, paths = OpenedFiles(), traversal_paths()
    opened.is_active = True
    with connected(address) as made:
        for path in paths:
            made.sendall(get(path))
            answer = read_answer(made)

            assert answer.status in (200, 400, 404), path
            assert b"root:" not in answer.body
            if answer.status == 200:  # `/game/x` and so on are the page of the client
                assert answer.body.startswith(b"<!doctype html>"), path
    opened.is_active = False

    strange = ("passwd", "win.ini", "environ", "wal", "..", "games.db\\")
    assert len(paths) == 500
    assert [name for name in opened.names if any(part in name for part in strange)] == []


# ---------------------------------------------------------------------------------------- frames


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        (frame(b"\0\1", BINARY), 1003),
        (frame(b"\xff\xfe"), 1007),
        (frame(b'{"t":"\xc3\x28"}'), 1007),
        (frame(b"x" * 4097), 1009),
        (frame(b"x" * 70_000), 1009),
        (b"\x81\xff" + b"\x7f" * 8, 1009),  # says that it is endless
        (frame(b"x" * 3000, last=False) + frame(b"x" * 3000, CONTINUED), 1009),
        (frame(b"", last=False) + frame(b"", CONTINUED, last=False) * 100, 1009),
        (frame(b"{}", flags=0x40), 1002),  # compressed, which was not agreed on
        (frame(b"{}", flags=0x20), 1002),
        (frame(b"{}", 0x3), 1002),  # no such kind
        (frame(b"{}", mask=False), 1002),
        (frame(b"{}", CONTINUED), 1002),  # continues nothing
        (frame(b"x" * 126, PING), 1002),
        (frame(b"", PING, last=False), 1002),
        (frame(b"a", last=False) + frame(b"b", TEXT), 1002),
    ],
)  # fmt: skip
def test_a_wrong_frame_closes_its_socket_only(address: str, sent: bytes, code: int) -> None:
    with Client(address) as other:
        with raw_socket(address) as made:
            made.sendall(sent)
            assert closing_code(made) == code
        assert other.ask("ping")["t"] == "ack"


def test_a_flood_of_pings_closes_the_socket(tmp_path: Path) -> None:
    with serving(tmp_path / "games.db", LOCAL_LIMITS) as address, raw_socket(address) as made:
        made.sendall(frame(b"", PING) * LOCAL_LIMITS.messages)
        made.sendall(frame(b'{"t":"ping","id":"a"}'))
        data = b""
        while b"ack" not in data:
            data += made.recv(65_536)
        made.sendall(frame(b"", PING))
        assert closing_code(made) == 1008


def test_compression_is_not_agreed_on(address: str) -> None:
    head = (
        "GET /play HTTP/1.1\nHost: localhost\nUpgrade: websocket\nConnection: Upgrade\n"
        "Sec-WebSocket-Version: 13\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\n"
        "Sec-WebSocket-Extensions: permessage-deflate"
    )
    with connected(address) as made:
        made.sendall(lines(head))
        answer = read_answer(made)
    assert answer.status == 101
    assert "sec-websocket-extensions" not in answer.headers


# ---------------------------------------------------------------------------------------- floods


def test_half_a_request_is_dropped_and_players_stay(tmp_path: Path) -> None:
    limits = replace(NO_LIMITS, hello_seconds=2.0, connections_per_address=40)
    with (
        serving(tmp_path / "games.db", limits) as address,
        Client(address) as ann,
        Client(address) as bob,
    ):
        game = new_game(ann, bob)
        parts = (
            b"",
            b"GET",
            b"GET / HTTP/1.1\r\n",
            b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-",
        )
        halves = [half for part in parts for half in (part,) * 8]
        sockets = [connected(address) for _ in halves]
        opened = [each.__enter__() for each in sockets]
        try:
            for made, half in zip(opened, halves, strict=True):
                made.sendall(half)
            ended = threading.Event()
            dripping = threading.Thread(target=drip, args=(opened[-1], ended))
            dripping.start()
            assert ann.move(game, 1, "4")["t"] == "ack"
            assert all(is_closed(made) for made in opened)
            ended.set()
            dripping.join()
            assert bob.move(game, 2, "4")["t"] == "ack"
        finally:
            for each in sockets:
                each.__exit__(None, None, None)


def drip(made: Any, ended: threading.Event) -> None:
    """Send a byte from time to time, as if more would come."""
    while not ended.wait(0.1):
        try:
            made.sendall(b"x")
        except OSError:
            return


def is_closed(made: Any) -> bool:
    """Wait until the server closes a connection."""
    try:
        while made.recv(1000):
            pass
    except ConnectionResetError:
        return True
    return True


@pytest.mark.parametrize(
    ("limit", "status", "code"),
    [("connections_per_address", 429, "too_many_connections"), ("connections", 503, "full")],
)
def test_there_are_so_many_connections_and_not_one_more(
    tmp_path: Path, limit: str, status: int, code: str
) -> None:
    limits = replace(NO_LIMITS, **{limit: 5})
    with serving(tmp_path / "games.db", limits) as address:
        sockets = [raw_socket(address) for _ in range(5)]
        for each in sockets:
            each.__enter__()
        with connected(address) as sixth:
            sixth.settimeout(LIMIT)
            answer = read_answer(sixth)  # before it has sent a request
            assert (answer.status, answer.headers["retry-after"]) == (status, "30")
            assert json.loads(answer.body)["error"]["code"] == code
            assert {name: answer.headers.get(name.lower()) for name in HEADERS} == HEADERS
            assert is_closed(sixth)
        sockets.pop().__exit__(None, None, None)
        end = time.monotonic() + LIMIT
        while not is_welcome(address):
            assert time.monotonic() < end
        for each in sockets:
            each.__exit__(None, None, None)


def test_a_closed_connection_is_freed_without_the_collector(address: str) -> None:
    """It would wait for a full look at all objects, which a server that lives for months avoids."""
    gc.collect()
    gc.disable()
    try:
        before = connections_in_memory()
        for _ in range(5):
            exchange(address, get("/health"))
            with connected(address) as made:
                made.sendall(b"GET")
            with raw_socket(address) as made:
                made.sendall(frame(b"", CLOSE))
                assert is_closed(made)
            with raw_socket(address):
                pass  # leaves without a word
        end = time.monotonic() + LIMIT
        while connections_in_memory() > before:
            assert time.monotonic() < end, "a closed connection is still in memory"
    finally:
        gc.enable()


def connections_in_memory() -> int:
    kinds = (AbortableProtocol, TimedHttpProtocol, asyncio.Transport)
    return sum(isinstance(each, kinds) for each in gc.get_objects())


def test_a_network_of_ipv6_addresses_is_one_client() -> None:
    config = server_config(create_app(None, replace(NO_LIMITS, connections_per_address=2)))  # type: ignore[arg-type]
    for last in (1, 2):
        assert config.open_connection(f"2001:db8:1:2::{last}") is None
    assert config.open_connection("2001:db8:1:2::3") is not None
    assert config.open_connection("2001:db8:1:3::1") is None
    for last in (1, 2, 3):
        config.close_connection(f"2001:db8:1:2::{last}")
    assert config.open_connection("2001:db8:1:2::4") is None


def is_welcome(address: str) -> bool:
    try:
        return exchange(address, get("/health")).status == 200
    except ConnectionResetError:
        return False


def test_an_address_gets_so_many_requests_a_minute_and_not_one_more(tmp_path: Path) -> None:
    limits = replace(NO_LIMITS, requests_per_minute=5)
    with serving(tmp_path / "games.db", limits) as address:
        answers = [exchange(address, get("/health")) for _ in range(6)]
        assert [answer.status for answer in answers] == [200] * 5 + [429]
        assert 1 <= int(answers[-1].headers["retry-after"]) <= 12


def test_a_player_may_come_back_though_no_more_addresses_can_be_counted(tmp_path: Path) -> None:
    limits = replace(NO_LIMITS, addresses=1)
    with serving(tmp_path / "games.db", limits) as address, Client(address):
        for request, status in ((lines(UPGRADE), 101), (get("/health"), 429)):
            with socket.create_connection(
                ("127.0.0.1", port_of(address)), LIMIT, source_address=("127.0.0.2", 0)
            ) as made:
                made.sendall(request)
                assert read_answer(made).status == status


class SlowTransport:
    """A connection whose client has not read everything yet."""

    def __init__(self) -> None:
        self.unread, self.is_aborted = 1000, False

    def get_write_buffer_size(self) -> int:
        return self.unread

    def abort(self) -> None:
        self.is_aborted = True


class CountingLoop:
    """Counts the deadlines that are set."""

    def __init__(self) -> None:
        self.calls = 0

    def call_later(self, *_: object) -> None:
        self.calls += 1


def slow_connection() -> tuple[TimedHttpProtocol, SlowTransport, CountingLoop]:
    protocol = TimedHttpProtocol.__new__(TimedHttpProtocol)
    transport, loop = SlowTransport(), CountingLoop()
    app = create_app(None)  # type: ignore[arg-type]
    protocol.__dict__.update(transport=transport, loop=loop, config=server_config(app))
    return protocol, transport, loop


def test_a_client_with_a_slow_line_may_read_its_answer_to_the_end() -> None:
    protocol, transport, loop = slow_connection()
    for _ in range(SLOW_WAITS - 1):
        protocol._expire()
    assert (transport.is_aborted, loop.calls) == (False, SLOW_WAITS - 1)
    protocol._expire()
    assert transport.is_aborted  # but not for ever


def test_a_client_that_has_read_everything_is_dropped_in_time() -> None:
    protocol, transport, _ = slow_connection()
    transport.unread = 0
    protocol._expire()
    assert transport.is_aborted


@pytest.mark.parametrize("path", ["/lobby/", "/games/?game=squatter", "/game/abcdefghabcdefgh/"])
def test_a_slash_at_the_end_leads_to_the_page_by_a_path_alone(address: str, path: str) -> None:
    answer = exchange(address, get(path))
    page, _, query = path.partition("?")

    assert answer.status == 307
    assert answer.headers["location"] == page.rstrip("/") + (f"?{query}" if query else "")


@pytest.mark.parametrize("path", ["//evil.example/", "/lobby//", "/health/"])
def test_no_other_path_with_a_slash_at_the_end_leads_anywhere(address: str, path: str) -> None:
    assert exchange(address, get(path)).status == 404


@pytest.mark.parametrize("end", ["GET /health HTTP/1.1\nHost: localhost", "\0\0 no HTTP"])
def test_what_follows_the_last_request_of_a_connection_is_ignored(
    end: str, caplog: pytest.LogCaptureFixture
) -> None:
    """It arrives while that request is being answered."""

    async def serve() -> bytes:
        config = server_config(create_app(None))  # type: ignore[arg-type]
        config.load()
        protocol = TimedHttpProtocol(config, ServerState(), {})
        ours, theirs = socket.socketpair()
        loop = asyncio.get_running_loop()
        await loop.connect_accepted_socket(lambda: protocol, ours)
        request = "GET /nothing HTTP/1.1\nHost: localhost\nConnection: close"
        protocol.data_received(lines(request))
        protocol.data_received(lines(end))
        with theirs:
            theirs.setblocking(False)
            data = b""
            while more := await loop.sock_recv(theirs, 65_536):
                data += more
        return data

    answer = asyncio.run(serve())
    assert answer.startswith(b"HTTP/1.1 404")
    assert answer.count(b"HTTP/1.1") == 1
    assert [each.getMessage() for each in caplog.records if each.levelno >= logging.ERROR] == []
