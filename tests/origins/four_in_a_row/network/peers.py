"""Both ends of a connection for tests: ours, and a plain socket as its peer."""

from __future__ import annotations

import socket
import struct
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress

from plyboard.games import Position
from plyboard.origins.four_in_a_row.network import NetworkEvent, NetworkMatch, PeerConnection
from plyboard.origins.four_in_a_row.network.messages import event_message
from plyboard.play import AgentSeat, Heading, Match
from plyboard.play.live_match import LiveMatch
from plyboard.play.referee import Observer

LIMIT = 60.0  # seconds; only a hang takes longer


class LocalEnd:
    """Our end of a game: a network match, and what it has said so far."""

    def __init__(self, network: NetworkMatch) -> None:
        self.network = network
        self.events: list[NetworkEvent] = []

    @property
    def messages(self) -> list[str]:
        """What the local player was told, except that the connection stands."""
        told = map(event_message, self.events)
        return [text for text in told if text and not text.startswith("Connected to")]

    @property
    def moves(self) -> str:
        """The moves so far, counted from 1."""
        return " ".join(self.network.match.position.moves)

    @property
    def detail(self) -> str:
        """Why the match ended, if that is not in the rules."""
        end = self.network.match.end
        return "" if end is None else end.detail

    def poll(self) -> None:
        self.events += self.network.poll()

    def until(self, is_true: Callable[[], bool]) -> None:
        """Poll until this is true."""
        end = time.monotonic() + LIMIT
        while not is_true():
            assert time.monotonic() < end, f"it hangs: {self.network.status}"
            self.network.wait(0.005)
            self.poll()

    def until_connected(self) -> None:
        self.until(lambda: self.network.connection.is_connected)

    def until_over(self) -> None:
        self.until(lambda: self.network.is_over)

    def play(self, column: int) -> None:
        """Make a move of the local player, counted from 0."""
        self.network.live.submit(self.network.local_player, column)
        self.poll()


@contextmanager
def local_end(
    connection: PeerConnection,
    local_player: int,
    seat: AgentSeat | None = None,
    patience: float | None = None,
    now: Callable[[], float] = time.monotonic,
    observers: Sequence[Observer] = (),
) -> Iterator[LocalEnd]:
    start = Match.of(Position("connect-four"), Heading("ours", "theirs"))
    seats = (seat, None) if local_player == 0 else (None, seat)
    network = NetworkMatch(
        connection, LiveMatch(start, seats), local_player, observers, patience, now
    )
    try:
        yield LocalEnd(network)
    finally:
        connection.close()
        network.live.close(LIMIT)


@contextmanager
def as_server(peer_sends: bytes = b"") -> Iterator[tuple[LocalEnd, socket.socket]]:
    """Give our end as the server, and the socket of a client that is connected to it."""
    connection = PeerConnection.listen()
    with local_end(connection, 0) as ours, dialled(connection.address) as peer:
        ours.until_connected()
        peer.sendall(peer_sends)
        yield ours, peer


@contextmanager
def as_client() -> Iterator[tuple[LocalEnd, socket.socket]]:
    """Give our end as the client, and the socket of the server that it is connected to."""
    with listener() as server:
        connection = PeerConnection.dial(*server.getsockname())
        with local_end(connection, 1) as ours:
            ours.until_connected()
            peer, _ = server.accept()
            peer.settimeout(LIMIT)
            with peer:
                yield ours, peer


@contextmanager
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(LIMIT)
        yield server


def dialled(address: tuple[str, int]) -> socket.socket:
    return socket.create_connection(address, LIMIT)


def reset(peer: socket.socket) -> None:
    """Close a connection with a reset instead of a goodbye."""
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    peer.close()


def read_all(peer: socket.socket) -> bytes:
    """Return what is sent until the other side closes."""
    data = b""
    with suppress(ConnectionResetError):
        while chunk := peer.recv(1024):
            data += chunk
    return data


def free_port() -> int:
    """Return a port on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port
