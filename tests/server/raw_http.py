"""HTTP and web socket frames by hand, for what no library would send."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

LIMIT = 60.0  # seconds; only a hang takes longer
UPGRADE = (
    "GET /play HTTP/1.1\nHost: localhost\nUpgrade: websocket\nConnection: Upgrade\n"
    "Sec-WebSocket-Version: 13\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
)
HELLO = b'{"t":"hello","id":"h","version":1}'
TEXT, BINARY, CLOSE, PING, CONTINUED = 0x1, 0x2, 0x8, 0x9, 0x0


@dataclass(frozen=True)
class RawAnswer:
    """A response as it came."""

    status: int
    headers: dict[str, str]
    body: bytes


def port_of(address: str) -> int:
    return int(address.rstrip("/").rpartition(":")[2])


@contextmanager
def connected(address: str) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port_of(address)), timeout=LIMIT) as made:
        yield made


def lines(head: str, body: str = "") -> bytes:
    """Return the bytes of a request whose lines are separated by newlines."""
    return head.replace("\n", "\r\n").encode("latin-1") + b"\r\n\r\n" + body.encode()


def exchange(address: str, request: bytes) -> RawAnswer:
    """Send a request and return its answer."""
    with connected(address) as made:
        made.sendall(request)
        return read_answer(made, has_body=not request.startswith(b"HEAD"))


def read_answer(made: socket.socket, *, has_body: bool = True) -> RawAnswer:
    """Return the answer that comes; HEAD has no body."""
    data = b""
    while b"\r\n\r\n" not in data and (more := made.recv(65_536)):
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    headers = {
        name.lower(): value.strip() for name, _, value in (row.partition(":") for row in rest)
    }
    wanted = int(headers.get("content-length", 0))
    while has_body and len(body) < wanted and (more := made.recv(65_536)):
        body += more
    return RawAnswer(int(first.split(" ")[1]) if first else 0, headers, body)


def frame(
    data: bytes, kind: int = TEXT, *, last: bool = True, flags: int = 0, mask: bool = True
) -> bytes:
    """Return a frame of a client; the mask is zero."""
    size = len(data)
    masked = 0x80 if mask else 0
    length = (
        bytes([masked | size])
        if size < 126
        else bytes([masked | 126]) + size.to_bytes(2, "big")
        if size < 65_536
        else bytes([masked | 127]) + size.to_bytes(8, "big")
    )
    return (
        bytes([(0x80 if last else 0) | flags | kind]) + length + (b"\0" * 4 if mask else b"") + data
    )


@contextmanager
def raw_socket(address: str, *, hello: bool = True) -> Iterator[socket.socket]:
    """Open a web socket by hand."""
    with connected(address) as made:
        made.sendall(lines(UPGRADE))
        answer = read_answer(made)
        assert answer.status == 101, answer
        if hello:
            made.sendall(frame(HELLO))
            assert b"welcome" in made.recv(1000)
        yield made


def closing_code(made: socket.socket) -> int:
    """Return the code of the close frame that the server sends; 1006 without one."""
    data = b""
    while True:
        while len(data) >= 2:
            kind, size, start = data[0] & 0xF, data[1], 2
            if size == 126:
                size, start = int.from_bytes(data[2:4], "big"), 4
            if kind == CLOSE and len(data) >= start + 2:
                return int.from_bytes(data[start : start + 2], "big")
            if kind == CLOSE or len(data) < start + size:
                break
            data = data[start + size :]
        try:
            more = made.recv(65_536)
        except ConnectionResetError:
            return 1006
        if not more:
            return 1006
        data += more
