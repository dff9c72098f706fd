"""A hundred misbehaving peers: what each does, and what the local player and the record say.

The steps of a script:

    move N       our player plays this column, and the peer reads it if the connection stands
    send TEXT    the peer sends this text at once, each character as one byte
    flood N TEXT the peer sends the text N times, as far as we take it
    close, reset, half-close    the peer ends the connection, or its own side of it
    hour         an hour passes
    N times STEP
"""

from __future__ import annotations

import socket
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from origins.four_in_a_row.network.peers import (
    LIMIT,
    LocalEnd,
    dialled,
    listener,
    local_end,
    read_all,
    reset,
)

from plyboard.origins.four_in_a_row.network import PeerConnection
from plyboard.play.record import read_record, write_record

POLLS = 3  # after each step; one reads what has come, the others find nothing more
PATIENCE = 86_400.0  # seconds for a move of the peer


@dataclass(frozen=True)
class Row:
    """One peer: what it does, and what comes of it."""

    name: str
    peer: str  # `client` if it dials us, `server` if we dial it
    script: tuple[str, ...]
    says: tuple[str, ...]  # all messages for our player
    moves: str  # of the game at the end of the script
    result: str = ""  # empty if the game goes on
    record: str = ""  # why the game was cut off


def rows() -> list[Row]:
    table = tomllib.loads(Path(__file__).with_name("misbehaving_peers.toml").read_text("utf-8"))
    return [_row(each) for each in table["peer"]]


def _row(table: dict[str, Any]) -> Row:
    return Row(**table | {key: tuple(table[key]) for key in ("script", "says")})


class Play:
    """Plays a script against our end of a connection."""

    def __init__(self, ours: LocalEnd, peer: socket.socket, clock: list[float]) -> None:
        self.ours, self.peer, self.clock = ours, peer, clock
        self.received = b""
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # each step sends at once

    def step(self, step: str) -> None:
        word, _, rest = step.partition(" ")
        if word.isdecimal():
            for _ in range(int(word)):
                self.step(rest.removeprefix("times "))
        elif word == "move":
            self.move(int(rest))
        elif word == "send":
            with suppress(ConnectionError):  # we may have closed the connection
                self.peer.sendall(rest.encode("latin-1"))
        elif word == "flood":
            count, _, text = rest.partition(" ")
            self.flood(int(count) * text.encode("latin-1"))
        elif word == "close":
            self.peer.close()
        elif word == "reset":
            reset(self.peer)
        elif word == "half-close":
            self.peer.shutdown(socket.SHUT_WR)
        elif word == "hour":
            self.clock[0] += 3600.0
        else:
            pytest.fail(f"unknown step {step!r}")
        if word in ("send", "close", "reset", "half-close"):
            self.ours.network.connection.wait(LIMIT)  # until it has come, if we are still there
        self.poll()

    def poll(self) -> None:
        for _ in range(POLLS):
            self.ours.poll()

    def move(self, column: int) -> None:
        self.ours.play(column)
        if self.ours.network.connection.is_connected:
            self.received += self.peer.recv(1)

    def flood(self, data: bytes) -> None:
        """Send data without ever waiting for us, until we close the connection."""
        self.peer.setblocking(False)
        with suppress(ConnectionError):
            while data:
                with suppress(BlockingIOError):
                    data = data[self.peer.send(data) :]
                self.ours.poll()
        self.peer.settimeout(LIMIT)
        self.ours.until(lambda: self.ours.network.connection.is_closed)


@contextmanager
def game_against(peer: str) -> Iterator[Play]:
    clock = [0.0]

    def now() -> float:
        return clock[0]

    with ExitStack() as opened:
        if peer == "client":
            connection = PeerConnection.listen()
            theirs = opened.enter_context(dialled(connection.address))
        else:
            server = opened.enter_context(listener())
            connection = PeerConnection.dial(*server.getsockname())
        player = 0 if peer == "client" else 1
        ours = opened.enter_context(local_end(connection, player, patience=PATIENCE, now=now))
        ours.until_connected()
        if peer == "server":
            theirs = opened.enter_context(server.accept()[0])
            theirs.settimeout(LIMIT)
        yield Play(ours, theirs, clock)


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.name)
def test_the_peer_gets_what_the_table_says(row: Row) -> None:
    with game_against(row.peer) as play:
        for step in row.script:
            play.step(step)
        ours, match = play.ours, play.ours.network.match

        assert ours.messages == list(row.says)
        assert ours.moves == row.moves
        kept = read_record(write_record(match)).end
        assert ("" if kept is None else kept.result.value) == row.result
        assert ("" if kept is None else kept.detail) == row.record
        assert ours.network.peer_fault == row.record
        ours.network.leave("the test is over")
        if play.peer.fileno() >= 0:  # nothing but our moves was ever sent
            play.received += read_all(play.peer)
            assert play.received == b"".join(b"%d" % each for each in own_columns(play))


def own_columns(play: Play) -> list[int]:
    """Return the columns that our player has played."""
    columns = [int(move) - 1 for move in play.ours.moves.split()]
    return columns[play.ours.network.local_player :: 2]


def test_there_are_a_hundred_of_them_with_names_of_their_own() -> None:
    assert len({row.name for row in rows()}) == len(rows()) >= 100
    assert {row.peer for row in rows()} == {"client", "server"}
