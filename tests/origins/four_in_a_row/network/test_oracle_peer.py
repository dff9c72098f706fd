"""Games against a peer written from the rules alone, and the bytes of a whole game."""

from __future__ import annotations

import selectors
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from oracles.four_in_a_row_peer import (
    DRAW,
    DRAWN_GAME,
    Chooser,
    End,
    PeerGame,
    at_random,
    play_game,
    towards_draw,
)
from origins.four_in_a_row.network.peers import LocalEnd, dialled, listener, local_end

from plyboard.agents import agent
from plyboard.origins.four_in_a_row.network import PeerConnection
from plyboard.play import AgentSeat
from plyboard.search.common.budget import Budget

GOLDEN = Path(__file__).with_name("drawn_game_wire.txt")
GAMES = 99  # against random moves, as server and as client; and one draw each


@dataclass
class OraclePeer:
    """The other peer, which plays in a thread of its own."""

    connection: socket.socket
    me: int
    choose: Chooser
    game: PeerGame | None = None

    def run(self) -> None:
        with self.connection:
            self.game = play_game(self.connection, self.me, self.choose)


@contextmanager
def game_with_oracle(
    local_player: int, choose: Chooser, seat: AgentSeat | None
) -> Iterator[tuple[LocalEnd, OraclePeer, threading.Thread]]:
    """Give our end of a game, and the other peer in a thread that has started."""
    with ExitStack() as opened:
        if local_player == 0:
            connection = PeerConnection.listen()
            ours = opened.enter_context(local_end(connection, 0, seat))
            theirs = dialled(connection.address)
        else:
            server = opened.enter_context(listener())
            connection = PeerConnection.dial(*server.getsockname())
            ours = opened.enter_context(local_end(connection, 1, seat))
            ours.until_connected()
            theirs, _ = server.accept()
        peer = OraclePeer(theirs, 1 - local_player, choose)
        thread = threading.Thread(target=peer.run)
        thread.start()
        try:
            yield ours, peer, thread
        finally:
            connection.close()
            thread.join()


def played(
    local_player: int, choose: Chooser, seat: AgentSeat | None, script: Sequence[int] = ()
) -> tuple[LocalEnd, PeerGame]:
    """Play a game to its end; without a seat our player follows the script."""
    with game_with_oracle(local_player, choose, seat) as (ours, peer, thread):
        while not ours.network.is_over:
            turn = len(ours.network.match.turns)
            if seat is None and ours.network.match.mover == local_player:
                ours.play(script[turn])
            ours.until(lambda turn=turn: len(ours.network.match.turns) > turn)  # type: ignore[misc]
        thread.join()
        assert peer.game is not None
        return ours, peer.game


@pytest.mark.parametrize("local_player", [0, 1])
def test_a_hundred_games_against_a_peer_that_knows_only_the_rules(local_player: int) -> None:
    winners = set()
    for seed in range(GAMES):
        seat = AgentSeat(agent("random"), Budget(seed=seed))
        ours, theirs = played(local_player, at_random(seed), seat)

        assert agree(ours, theirs)
        winners.add(theirs.winner)
    ours, theirs = played(local_player, towards_draw, None, DRAWN_GAME)

    assert agree(ours, theirs)
    assert winners | {theirs.winner} == {0, 1, DRAW}


def agree(ours: LocalEnd, theirs: PeerGame) -> bool:
    """Check that both sides have seen the same game, with a byte for each move and no more."""
    match = ours.network.match
    columns = tuple(turn.action for turn in match.turns)
    own = columns[ours.network.local_player :: 2]
    assert theirs.end is End.RULES
    assert theirs.winner == (DRAW if match.winner is None else match.winner)
    assert theirs.columns == columns
    assert theirs.received == "".join(map(str, own)).encode()
    assert theirs.single_bytes
    return not ours.messages or ours.messages == ["The opponent closed the connection."]


def test_the_bytes_of_a_whole_game_are_those_of_the_golden_file() -> None:
    """A proxy between a server and a client of ours writes down every piece it passes on."""
    with ExitStack() as opened:
        server = opened.enter_context(local_end(PeerConnection.listen(), 0))
        between = opened.enter_context(listener())
        client = opened.enter_context(local_end(PeerConnection.dial(*between.getsockname()), 1))
        to_server = opened.enter_context(dialled(server.network.connection.address))
        for end in (server, client):
            end.until_connected()
        accepted, _ = between.accept()
        to_client = opened.enter_context(accepted)
        proxy = opened.enter_context(closing(Proxy(to_server, to_client)))
        for ply, column in enumerate(DRAWN_GAME):
            (server, client)[ply % 2].play(column)
            proxy.pass_on()
            other = (client, server)[ply % 2]
            other.until(lambda other=other, ply=ply: len(other.network.match.turns) > ply)  # type: ignore[misc]
        for end in (server, client):
            end.network.connection.finish()
            proxy.pass_on()

    assert "".join(f"{line}\n" for line in proxy.transcript) == GOLDEN.read_text()


class Proxy:
    """Passes on what two sockets send, and writes it down in hexadecimal digits."""

    def __init__(self, to_server: socket.socket, to_client: socket.socket) -> None:
        self.transcript: list[str] = []
        self._selector = selectors.DefaultSelector()
        self._selector.register(to_server, selectors.EVENT_READ, ("server", to_client))
        self._selector.register(to_client, selectors.EVENT_READ, ("client", to_server))

    def close(self) -> None:
        self._selector.close()

    def pass_on(self) -> None:
        """Wait for the next piece of data and pass it on."""
        (key, _), *more = self._selector.select(60)
        assert not more, "both sides have sent something"
        assert isinstance(key.fileobj, socket.socket)
        data = key.fileobj.recv(1024)
        name, other = key.data
        self.transcript.append(f"{name}: {data.hex() or 'end'}")
        if data:
            other.sendall(data)
        else:
            self._selector.unregister(key.fileobj)
            other.shutdown(socket.SHUT_WR)
