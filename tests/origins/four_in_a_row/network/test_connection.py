"""The connection: who gets in, what is sent, and how it ends."""

from __future__ import annotations

import errno
import resource
import socket
import time
from contextlib import ExitStack, closing
from pathlib import Path

import pytest
from origins.four_in_a_row.network.peers import (
    LIMIT,
    as_server,
    dialled,
    free_port,
    listener,
    read_all,
)

from plyboard.errors import UnusableError, UsageError
from plyboard.origins.four_in_a_row.network import (
    ConnectionState,
    PeerConnected,
    PeerConnection,
    PeerEvent,
    PeerLost,
    addresses,
    setup,
)
from plyboard.origins.four_in_a_row.network.addresses import (
    interface_addresses,
    is_loopback,
    outward_address,
    resolve,
)
from plyboard.origins.four_in_a_row.network.connection import EVERY_ADDRESS
from plyboard.origins.four_in_a_row.network.dialler import RETRY_SECONDS, is_own_echo
from plyboard.origins.four_in_a_row.network.setup import NetworkSetup
from plyboard.origins.four_in_a_row.network.wire import (
    ColumnReceived,
    RubbishReceived,
    decode,
    encode,
)


def until_event(connection: PeerConnection) -> PeerEvent:
    """Return the next event."""
    end = time.monotonic() + LIMIT
    while not (events := connection.poll()):
        assert time.monotonic() < end, f"it hangs: {connection.state}"
        connection.wait(0.01)
    (event,) = events
    return event


def until_closed(connection: PeerConnection) -> None:
    end = time.monotonic() + LIMIT
    while not connection.is_closed:
        assert time.monotonic() < end, f"it hangs: {connection.state}"
        connection.wait(0.01)
        connection.poll()


def until_refused(connection: PeerConnection) -> None:
    end = time.monotonic() + LIMIT
    while connection.trouble != "Connection refused":
        assert time.monotonic() < end, f"it hangs: {connection.state}"
        assert connection.poll() == []
        connection.wait(RETRY_SECONDS)


class Clock:
    """A clock that goes only when told."""

    def __init__(self) -> None:
        self.instant = 0.0

    def __call__(self) -> float:
        return self.instant


def test_a_column_is_one_digit_without_an_end() -> None:
    assert [encode(column) for column in range(7)] == [b"0", b"1", b"2", b"3", b"4", b"5", b"6"]


@pytest.mark.parametrize(
    ("data", "meaning"),
    [
        (b"0", ColumnReceived(0)),
        (b"6", ColumnReceived(6)),
        (b"9", ColumnReceived(9)),
        (b"3\n", ColumnReceived(3)),
        (b"3\r\n", ColumnReceived(3)),
        (b"34", ColumnReceived(3, b"4")),
        (b"3 ", ColumnReceived(3, b" ")),
        (b"\n", None),
        (b"\r\n", None),
        (b"\n3", RubbishReceived(b"\n3")),
        (b"-1", RubbishReceived(b"-1")),
        (b"\x00", RubbishReceived(b"\x00")),
        (b"\xef\xbc\x93", RubbishReceived(b"\xef\xbc\x93")),  # a full-width 3
        ("²".encode("latin-1"), RubbishReceived(b"\xb2")),
    ],
)
def test_only_the_first_character_of_a_read_counts(
    data: bytes, meaning: ColumnReceived | RubbishReceived | None
) -> None:
    assert decode(data) == meaning


def test_a_move_made_before_the_connection_is_delivered_after_it() -> None:
    with closing(PeerConnection.listen()) as ours:
        ours.send(4)
        assert ours.holds_move
        with dialled(ours.address) as peer:
            assert isinstance(until_event(ours), PeerConnected)
            ours.finish()
            assert read_all(peer) == b"4"
        until_closed(ours)


def test_a_client_tries_again_until_the_server_is_there() -> None:
    port = free_port()
    with closing(PeerConnection.dial("127.0.0.1", port)) as ours:
        ours.send(2)
        until_refused(ours)
        with socket.create_server(("127.0.0.1", port)) as server:
            assert until_event(ours) == PeerConnected(f"127.0.0.1 port {port}")
            peer, _ = server.accept()
            with peer:
                ours.finish()
                assert read_all(peer) == b"2"


def test_a_client_tries_ten_times_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, attempts = Clock(), []

    class CountedSocket(socket.socket):
        def connect_ex(self, address: object) -> int:
            attempts.append(address)
            return errno.ECONNREFUSED

    monkeypatch.setattr(socket, "socket", CountedSocket)
    with closing(PeerConnection.dial("127.0.0.1", 8000, now=clock)) as ours:
        while clock.instant < 10:
            ours.poll()
            clock.instant += 0.01

    assert 90 <= len(attempts) <= 101


def test_a_client_gives_up_after_the_time_given() -> None:
    port = free_port()
    with closing(PeerConnection.dial("127.0.0.1", port, give_up_after=0.15)) as ours:
        assert until_event(ours) == PeerLost(
            f"nobody answered at 127.0.0.1 port {port} within 0.15 s (Connection refused)"
        )
        assert ours.state is ConnectionState.CLOSED
        assert ours.poll() == []


def test_a_server_gives_up_after_the_time_given() -> None:
    with closing(PeerConnection.listen(give_up_after=0.05)) as ours:
        assert until_event(ours) == PeerLost("nobody connected within 0.05 s")


def test_only_the_first_peer_gets_in() -> None:
    with as_server() as (ours, _), pytest.raises(ConnectionRefusedError):
        dialled(ours.network.connection.address).close()


def test_the_port_can_be_used_again_at_once() -> None:
    with as_server() as (ours, peer):
        port = ours.network.connection.address[1]
        ours.network.connection.finish()
        with closing(PeerConnection.listen(port=port)) as again:
            assert again.address == ("127.0.0.1", port)
            assert peer.recv(1) == b""


def test_a_taken_port_is_told() -> None:
    with closing(PeerConnection.listen()) as ours:
        host, port = ours.address
        with pytest.raises(UnusableError, match=r"^cannot listen on 127\.0\.0\.1 port \d+: Addr"):
            PeerConnection.listen(host, port)


def test_an_address_of_another_machine_cannot_be_listened_on() -> None:
    with pytest.raises(UnusableError, match=r"^cannot listen on 192\.0\.2\.1 port 8000: "):
        PeerConnection.listen("192.0.2.1", 8000)


@pytest.mark.parametrize(
    "host",
    [
        "",
        " ",
        "999.1.1.1",
        "1.2.3",
        "127.1",
        "1.2.3.4.5",
        "::g",
        "a b",
        "a\x00b",
        "x" * 300,
        "é" * 99,
    ],
)
def test_an_address_that_is_none_is_a_wrong_argument(host: str) -> None:
    with pytest.raises(UsageError, match=r"^wrong address: got '.*; expected an IP address or"):
        resolve(host, 8000)


@pytest.mark.parametrize(
    ("listens_on", "dials"),
    [("::1", "::1"), ("localhost", "localhost"), ("::", "127.0.0.1"), ("0.0.0.0", "127.0.0.1")],
)
def test_host_names_and_ipv6_work(listens_on: str, dials: str) -> None:
    with ExitStack() as opened:
        server = opened.enter_context(closing(PeerConnection.listen(listens_on)))
        client = opened.enter_context(closing(PeerConnection.dial(dials, server.address[1])))

        assert isinstance(until_event(client), PeerConnected)
        assert isinstance(until_event(server), PeerConnected)


def test_loopback_addresses_are_known() -> None:
    assert all(map(is_loopback, ("127.0.0.1", "127.1.2.3", "::1")))
    assert not any(map(is_loopback, ("0.0.0.0", "192.168.1.2", "::", "localhost")))


def test_a_connection_to_itself_is_noticed() -> None:
    port = free_port()
    with socket.socket() as echo:
        echo.bind(("127.0.0.1", port))
        echo.connect(("127.0.0.1", port))  # nobody listens: it meets itself
        assert is_own_echo(echo)
    with as_server() as (_, peer):
        assert not is_own_echo(peer)


def test_a_dialled_connection_to_itself_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    with listener() as server:
        host, port = server.getsockname()
        monkeypatch.setattr(
            "plyboard.origins.four_in_a_row.network.dialler.is_own_echo", lambda _: True
        )
        with closing(PeerConnection.dial(host, port, give_up_after=0.1)) as ours:
            assert until_event(ours) == PeerLost(
                f"nobody answered at 127.0.0.1 port {port} within 0.1 s"
                " (it would have been a connection to itself)"
            )


def test_the_last_move_arrives_although_the_connection_ends() -> None:
    with as_server(b"99999") as (ours, peer):
        ours.network.connection.send(6)
        ours.network.connection.finish()
        assert read_all(peer) == b"6"
        peer.close()
        until_closed(ours.network.connection)


def test_a_dead_peer_is_noticed_by_keepalive() -> None:
    with as_server() as (ours, _):
        port = ours.network.connection.address[1]
        rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        established = [row for row in rows if row[1].endswith(f":{port:04X}") and row[3] == "01"]
        (timer,) = (row[5] for row in established)
        kind, ticks = timer.split(":")

    assert kind == "02"  # keepalive
    assert 0 < int(ticks, 16) <= 15 * 100


def test_closing_does_not_wait_for_ever_for_the_peer() -> None:
    clock = Clock()
    with closing(PeerConnection.listen(now=clock)) as ours, dialled(ours.address):
        until_event(ours)
        ours.finish()
        ours.poll()
        assert ours.state is ConnectionState.CLOSING
        clock.instant = 2.1
        ours.poll()
        assert ours.is_closed


def test_waiting_for_a_peer_needs_no_processor() -> None:
    with closing(PeerConnection.listen()) as server:
        assert share_while_waiting(server) < 0.01
    with closing(PeerConnection.dial("127.0.0.1", free_port())) as client:
        assert share_while_waiting(client) < 0.01


def share_while_waiting(connection: PeerConnection) -> float:
    """Return the processor time used per second while nothing comes."""
    began, before = time.monotonic(), used()
    while (lasted := time.monotonic() - began) < 1:
        connection.poll()
        connection.wait(1 - lasted)
    return (used() - before) / lasted


def used() -> float:
    usage = resource.getrusage(resource.RUSAGE_THREAD)
    return usage.ru_utime + usage.ru_stime


def test_the_address_for_others_is_known_without_a_default_route(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not any(map(is_loopback, interface_addresses()))
    monkeypatch.setattr(addresses, "_default_route_address", lambda _unspecified: "")
    for found in (["192.168.7.2", "10.0.0.1"], []):
        monkeypatch.setattr(addresses, "interface_addresses", lambda found=found: found)
        assert [outward_address(text) for text in ("0.0.0.0", "::")] == [(found or [""])[0]] * 2


def test_an_invitation_without_a_known_address_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(setup, "outward_address", lambda _unspecified: "")
    with closing(PeerConnection.listen(EVERY_ADDRESS)) as connection:
        port = connection.address[1]
        assert NetworkSetup("human", 0).invitation(connection) == [
            f"The other player types: plyboard four-in-a-row human {port} ADDRESS",
            "ADDRESS is the address of this machine in your network.",
        ]
