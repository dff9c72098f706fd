"""A TCP connection to the other player that never blocks its owner."""

from __future__ import annotations

import selectors
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Any, Self

from plyboard.errors import UnusableError
from plyboard.origins.four_in_a_row.network.addresses import address_text, resolve
from plyboard.origins.four_in_a_row.network.dialler import Dialler
from plyboard.origins.four_in_a_row.network.wire import (
    LARGEST_READ,
    PeerConnected,
    PeerEvent,
    PeerLost,
    decode,
    encode,
)

LOOPBACK, EVERY_ADDRESS = "127.0.0.1", "0.0.0.0"
CLOSE_SECONDS = 2.0  # for the peer to close its side, too
KEEPALIVE = {"TCP_KEEPIDLE": 15, "TCP_KEEPINTVL": 5, "TCP_KEEPCNT": 3}  # a dead peer: 30 s
UNACKNOWLEDGED_MS = 30_000  # the same for a move that is never acknowledged


class ConnectionState(Enum):
    """The state of a connection."""

    WAITING = "waiting"  # listens for the peer
    CONNECTING = "connecting"  # dials until the peer answers
    CONNECTED = "connected"
    CLOSING = "closing"  # has said goodbye and waits for the peer's
    CLOSED = "closed"


class PeerConnection:
    """The connection to one peer. The owner calls `poll` regularly, or when `wait` returns.

    The listening side accepts one peer and then closes its listening socket. Moves that are sent
    before the connection is established are held. Nothing but these moves is ever sent.
    """

    def __init__(
        self, state: ConnectionState, give_up_after: float | None, now: Callable[[], float]
    ) -> None:
        self.state = state
        self.peer = ""  # the peer's address for people; empty before the connection
        self._now = now
        self._socket: socket.socket | None = None
        self._held: deque[bytes] = deque()
        self._waits_for = give_up_after
        self._deadline = None if give_up_after is None else now() + give_up_after
        self._dialler: Dialler | None = None

    @classmethod
    def listen(
        cls,
        host: str = LOOPBACK,
        port: int = 0,
        give_up_after: float | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> Self:
        """Return a connection that waits for a peer; port 0 is any free port.

        Raises `UnusableError` if the port is taken or not allowed.
        """
        family, address = resolve(host, port, listening=True)[0]
        connection = cls(ConnectionState.WAITING, give_up_after, now)
        connection._socket = _listening(family, address)
        return connection

    @classmethod
    def dial(
        cls,
        host: str,
        port: int,
        give_up_after: float | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> Self:
        """Return a connection that tries to reach a peer every 100 ms.

        The name of the host is looked up here, once; nothing after that blocks.
        """
        connection = cls(ConnectionState.CONNECTING, give_up_after, now)
        connection._dialler = Dialler(resolve(host, port), now)
        return connection

    @property
    def trouble(self) -> str:
        """Why the last attempt to connect failed."""
        return "" if self._dialler is None else self._dialler.trouble

    @property
    def address(self) -> tuple[str, int]:
        """The host and port that it listens on, dials, or is connected from."""
        if self._dialler is not None and self.state is ConnectionState.CONNECTING:
            host, port, *_ = self._dialler.address
        else:
            assert self._socket is not None
            host, port, *_ = self._socket.getsockname()
        return host, port

    @property
    def is_connected(self) -> bool:
        """Whether the connection is established."""
        return self.state is ConnectionState.CONNECTED

    @property
    def is_closed(self) -> bool:
        """Whether nothing will happen any more."""
        return self.state is ConnectionState.CLOSED

    @property
    def holds_move(self) -> bool:
        """Whether a move has not been sent yet."""
        return bool(self._held)

    def send(self, column: int) -> None:
        """Send a column, counted from 0, now or once the connection is established."""
        self._send(encode(column))

    def _send(self, message: bytes) -> None:
        self._held.append(message)
        if self.is_connected:
            self._send_held()

    def poll(self) -> list[PeerEvent]:
        """Do what can be done without blocking, and return what happened.

        Reads at most once, so a peer that floods us costs little.
        """
        if self.state is ConnectionState.WAITING:
            return self._accept()
        if self.state is ConnectionState.CONNECTING:
            return self._connect()
        if self.state is ConnectionState.CONNECTED:
            self._send_held()
            return self._receive()
        if self.state is ConnectionState.CLOSING:
            self._drain()
        return []

    def wait(self, seconds: float | None = None, also: Iterable[Any] = ()) -> None:
        """Block until `poll` may have something to do, or one of the other files can be read."""
        timeouts = [each for each in (seconds, self._seconds_to_next()) if each is not None]
        with selectors.DefaultSelector() as selector:
            for file in also:
                selector.register(file, selectors.EVENT_READ)
            if self._socket is not None:
                sends = selectors.EVENT_WRITE if self.is_connected and self._held else 0
                selector.register(self._socket, selectors.EVENT_READ | sends)
            elif self._dialler is not None and self._dialler.socket is not None:
                selector.register(self._dialler.socket, selectors.EVENT_WRITE)
            selector.select(max(0.0, min(timeouts)) if timeouts else None)

    def finish(self) -> None:
        """Close our side; `poll` closes the connection once the peer has closed its side, too.

        A connection that is closed at once could lose our last move on its way.
        """
        if self.state is not ConnectionState.CONNECTED or self._socket is None:
            self.close()
            return
        self._send_held()
        try:
            self._socket.shutdown(socket.SHUT_WR)
        except OSError:  # the peer is gone already
            self.close()
            return
        self.state, self._deadline = ConnectionState.CLOSING, self._now() + CLOSE_SECONDS

    def close(self) -> None:
        """Close everything now."""
        self.state = ConnectionState.CLOSED
        self._held.clear()
        self._close_socket()

    def _close_socket(self) -> None:
        if self._dialler is not None:
            self._dialler.close()
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _seconds_to_next(self) -> float | None:
        """Return the seconds until `poll` has something to do without news from the peer."""
        instants = [] if self._deadline is None else [self._deadline]
        if self._dialler is not None and self.state is ConnectionState.CONNECTING:
            instants.append(self._dialler.next_instant)
        if self.is_closed:
            return 0.0
        return min(instants) - self._now() if instants else None

    def _lose(self, reason: str) -> list[PeerEvent]:
        self.close()
        return [PeerLost(reason)]

    def _gave_up(self) -> bool:
        return self._deadline is not None and self._now() >= self._deadline

    def _accept(self) -> list[PeerEvent]:
        assert self._socket is not None
        try:
            peer, address = self._socket.accept()
        except (BlockingIOError, ConnectionAbortedError, InterruptedError):
            if self._gave_up():
                return self._lose(f"nobody connected within {self._waits_for:g} s")
            return []
        except OSError as fault:
            return self._lose(f"no connection can be accepted ({fault.strerror})")
        self._close_socket()
        return self._use(peer, address)

    def _connect(self) -> list[PeerEvent]:
        assert self._dialler is not None
        if not self._dialler.is_trying and self._gave_up():
            where, why = self._dialler.where, self.trouble
            told = f"nobody answered at {where} within {self._waits_for:g} s"
            return self._lose(f"{told} ({why})" if why else told)
        peer = self._dialler.try_now(must_end=self._gave_up())
        return [] if peer is None else self._use(peer, self._dialler.address)

    def _use(self, peer: socket.socket, address: Any) -> list[PeerEvent]:
        """Begin to use a connected socket; send a move that was held for it."""
        self._socket, self.peer = peer, address_text(address)
        peer.setblocking(False)
        _set_options(peer)
        self.state, self._deadline = ConnectionState.CONNECTED, None
        self._send_held()
        return [PeerConnected(self.peer)]

    def _send_held(self) -> None:
        """Send one held move. If that fails for good, the next read tells why."""
        assert self._socket is not None
        if not self._held:
            return
        try:
            self._socket.send(self._held[0])
        except (BlockingIOError, InterruptedError):
            return
        except OSError:
            pass
        self._held.popleft()

    def _receive(self) -> list[PeerEvent]:
        assert self._socket is not None
        try:
            data = self._socket.recv(LARGEST_READ)
        except (BlockingIOError, InterruptedError):
            return []
        except OSError as fault:
            return self._lose(f"the connection to the opponent broke ({fault.strerror})")
        if not data:
            return self._lose("the opponent closed the connection")
        return self._read(data)

    def _read(self, data: bytes) -> list[PeerEvent]:
        """Return what the data of one read means."""
        event = decode(data)
        return [] if event is None else [event]

    def _drain(self) -> None:
        """Discard what still comes, until the peer has closed its side."""
        assert self._socket is not None
        try:
            has_ended = not self._socket.recv(LARGEST_READ)
        except (BlockingIOError, InterruptedError):
            has_ended = False
        except OSError:
            has_ended = True
        if has_ended or self._gave_up():
            self.close()


def _listening(family: socket.AddressFamily, address: Any) -> socket.socket:
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform == "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:  # the port of a game that has just ended can be used again
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family == socket.AF_INET6:  # `::` also accepts IPv4
            listener.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        listener.bind(address)
        listener.listen(1)
        listener.setblocking(False)
    except OSError as fault:
        listener.close()
        raise UnusableError(
            f"cannot listen on {address_text(address)}", reason=fault.strerror or str(fault)
        ) from None
    return listener


def _set_options(peer: socket.socket) -> None:
    """Send each move at once, and notice a peer that is gone without a word."""
    options = [(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)]
    wanted = {"TCP_NODELAY": 1, "TCP_USER_TIMEOUT": UNACKNOWLEDGED_MS, **KEEPALIVE}
    for name, value in wanted.items():
        if hasattr(socket, name):  # not every system has all of them
            options.append((socket.IPPROTO_TCP, getattr(socket, name), value))
    for level, option, value in options:
        try:
            peer.setsockopt(level, option, value)
        except OSError:  # gone already; the first read tells
            return
