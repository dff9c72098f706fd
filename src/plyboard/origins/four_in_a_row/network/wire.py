"""The wire: a move is its column as one ASCII digit, without a terminator."""

from __future__ import annotations

from dataclasses import dataclass

COLUMNS = 7
DIGITS = b"0123456789"
LARGEST_READ = 1024  # bytes, as in the original program
LINE_ENDS = (b"\n", b"\r", b"\r\n")  # ignored, so that a person can play with netcat


@dataclass(frozen=True)
class PeerConnected:
    """The connection is established."""

    address: str


@dataclass(frozen=True)
class ColumnReceived:
    """The peer has sent a digit. Columns 7 to 9 do not exist; the referee refuses them."""

    column: int
    ignored: bytes = b""  # what came with the digit in one read; only the first character counts


@dataclass(frozen=True)
class RubbishReceived:
    """The peer has sent something that is no digit."""

    data: bytes


@dataclass(frozen=True)
class PeerLost:
    """The connection is lost, or was never established; the reason is a clause for people."""

    reason: str


PeerEvent = PeerConnected | ColumnReceived | RubbishReceived | PeerLost


def encode(column: int) -> bytes:
    """Return the message for a column, counted from 0."""
    assert 0 <= column < COLUMNS, column
    return b"%d" % column


def decode(data: bytes) -> ColumnReceived | RubbishReceived | None:
    """Return the meaning of one read; None for a line end alone.

    Only the first character counts, as in the original program.
    """
    if data in LINE_ENDS:
        return None
    first, rest = data[:1], data[1:]
    if first not in DIGITS:
        return RubbishReceived(data)
    return ColumnReceived(int(first), b"" if rest in LINE_ENDS else rest)
