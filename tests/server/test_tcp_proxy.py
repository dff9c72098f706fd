"""The proxy of the tests does to connections what it says."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing

import pytest
from server.tcp_proxy import TcpProxy

LIMIT = 60.0  # seconds; only a hang takes longer
SHORT = 0.05  # seconds in which nothing must arrive


class Echo:
    """A server that sends back what it gets, and notes how its connections end."""

    def __init__(self) -> None:
        self.ends: list[str] = []
        self.ended = threading.Semaphore(0)
        self.socket = socket.create_server(("127.0.0.1", 0))
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self.socket.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            try:
                while data := connection.recv(100):
                    connection.sendall(data)
                self.ends.append("end")
            except ConnectionResetError:
                self.ends.append("reset")
        self.ended.release()


@pytest.fixture
def echo() -> Iterator[Echo]:
    server = Echo()
    yield server
    server.socket.close()


@pytest.fixture
def proxy(echo: Echo) -> Iterator[TcpProxy]:
    with TcpProxy(*echo.socket.getsockname()) as found:
        yield found


def connected(proxy: TcpProxy) -> closing[socket.socket]:
    found = socket.create_connection(("127.0.0.1", proxy.port), LIMIT)
    return closing(found)


def answer(connection: socket.socket, text: bytes, seconds: float = LIMIT) -> bytes:
    connection.sendall(text)
    connection.settimeout(seconds)
    return connection.recv(100)


def test_without_a_fault_data_and_ends_pass(echo: Echo, proxy: TcpProxy) -> None:
    with connected(proxy) as link:
        assert answer(link, b"a") == b"a"
    assert echo.ended.acquire(timeout=LIMIT)
    assert echo.ends == ["end"]


def test_connections_are_cut_and_new_ones_work(echo: Echo, proxy: TcpProxy) -> None:
    with connected(proxy) as link:
        assert answer(link, b"a") == b"a"
        proxy.cut()
        with pytest.raises(ConnectionResetError):
            answer(link, b"b")
        assert echo.ended.acquire(timeout=LIMIT)
        assert echo.ends == ["reset"]
    with connected(proxy) as link:
        assert answer(link, b"c") == b"c"


def test_new_connections_are_refused_until_it_is_healed(proxy: TcpProxy) -> None:
    proxy.refuse()
    with pytest.raises(ConnectionError), connected(proxy) as link:
        answer(link, b"a")
    proxy.heal()
    with connected(proxy) as link:
        assert answer(link, b"b") == b"b"


def test_a_blackhole_swallows_ends_and_keeps_data(echo: Echo, proxy: TcpProxy) -> None:
    with connected(proxy) as link, connected(proxy) as dying:
        assert answer(link, b"a") + answer(dying, b"b") == b"ab"
        proxy.blackhole()
        dying.close()
        with pytest.raises(TimeoutError):
            answer(link, b"c", SHORT)
        with connected(proxy) as new, pytest.raises(TimeoutError):
            answer(new, b"d", SHORT)
        assert echo.ends == []
        proxy.heal()
        link.settimeout(LIMIT)
        assert link.recv(100) == b"c"
        assert echo.ended.acquire(timeout=LIMIT)


def test_a_half_open_connection_is_silent_for_ever_and_new_ones_work(proxy: TcpProxy) -> None:
    with connected(proxy) as link:
        assert answer(link, b"a") == b"a"
        proxy.half_open()
        with connected(proxy) as new:
            assert answer(new, b"b") == b"b"
        proxy.heal()
        with pytest.raises(TimeoutError):
            answer(link, b"c", SHORT)


def test_everything_arrives_later(proxy: TcpProxy) -> None:
    proxy.delay(SHORT)
    with connected(proxy) as link:
        began = time.monotonic()
        assert answer(link, b"a") == b"a"
        assert time.monotonic() - began >= 2 * SHORT  # there and back


def test_the_answer_of_a_commit_is_swallowed_once(echo: Echo, proxy: TcpProxy) -> None:
    proxy.swallow_commit_answers()
    with connected(proxy) as link:
        assert answer(link, b"SELECT") == b"SELECT"
        with pytest.raises(ConnectionResetError):
            answer(link, b"COMMIT")
        assert proxy.swallowed.is_set()
    with connected(proxy) as link:
        assert answer(link, b"COMMIT") == b"COMMIT"
