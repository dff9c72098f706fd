"""Matches over a connection: moves go both ways, and the referee decides on all of them."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable

import pytest
from origins.four_in_a_row.network.peers import (
    LIMIT,
    LocalEnd,
    as_client,
    as_server,
    dialled,
    free_port,
    local_end,
)

from plyboard.agents import agent
from plyboard.origins.four_in_a_row.network import PeerConnection
from plyboard.origins.four_in_a_row.network.network_match import MOST_FAULTS
from plyboard.play import AgentSeat, Match
from plyboard.play.record import read_record, write_record
from plyboard.search.common.budget import Budget
from plyboard.session.messages import end_message


def test_moves_go_both_ways() -> None:
    with as_server() as (ours, peer):
        ours.play(3)
        assert peer.recv(10) == b"3"
        peer.sendall(b"0")
        ours.until(lambda: ours.moves == "4 1")
        ours.play(6)
        assert peer.recv(10) == b"6"


def test_the_client_is_player_two() -> None:
    with as_client() as (ours, peer):
        ours.play(3)
        assert ours.messages == ["Not your turn!"]
        peer.sendall(b"2")
        ours.until(lambda: ours.moves == "3")
        ours.play(3)
        assert peer.recv(10) == b"3"


def test_a_refused_move_of_the_local_player_is_not_sent() -> None:
    with as_server() as (ours, peer):
        ours.play(7)
        assert ours.messages == ["Illegal move."]
        ours.play(1)
        assert peer.recv(10) == b"1"


def test_the_local_players_faults_are_not_counted_as_the_opponents() -> None:
    with as_server() as (ours, _):
        for _ in range(2 * MOST_FAULTS):
            ours.play(7)

        assert ours.network.faults == 0
        assert not ours.network.is_over


def test_a_winning_move_counts_although_the_peer_leaves_at_once() -> None:
    with as_client() as (ours, peer):
        for column in b"012":
            peer.sendall(bytes([column]))
            ours.until(lambda: ours.network.match.mover == 1)
            ours.play(6)
        peer.sendall(b"3")
        peer.close()
        ours.until_over()
        ours.until(lambda: ours.network.connection.is_closed)

        assert ours.network.match.winner == 0
        assert ours.network.peer_fault == ""
        assert [end_message(ours.network.match, player) for player in (0, 1)] == [
            "winner!",
            "loser :(",
        ]


def test_a_match_that_was_cut_off_says_why_in_its_record() -> None:
    with as_server() as (ours, peer):
        ours.play(3)
        assert peer.recv(10) == b"3"
        peer.close()
        ours.until_over()

        read = read_record(write_record(ours.network.match))
        assert read.end is not None
        assert (read.end.result.value, read.end.reason, read.end.detail) == (
            "*", "abandoned", "the opponent closed the connection",
        )  # fmt: skip
        assert ours.network.peer_fault == "the opponent closed the connection"


def test_a_local_player_can_leave() -> None:
    with as_server() as (ours, peer):
        ours.play(3)
        ours.events += ours.network.leave("the local player left")

        assert ours.detail == "the local player left"
        assert ours.network.peer_fault == ""
        assert peer.recv(10) + peer.recv(10) == b"3"


def test_observers_get_a_move_before_it_is_sent() -> None:
    order: list[str] = []

    class WatchedConnection(PeerConnection):
        def send(self, column: int) -> None:
            order.append(f"sent {column}")
            super().send(column)

    def store(match: Match) -> None:
        order.append(f"stored {len(match.turns)} turn")

    with local_end(WatchedConnection.listen(), 0, observers=(store,)) as ours:
        ours.play(3)

    assert order == ["stored 1 turn", "sent 3"]


def test_a_peer_that_makes_no_move_in_time_ends_the_game() -> None:
    clock = [0.0]
    connection = PeerConnection.listen()
    with local_end(connection, 0, patience=60, now=lambda: clock[0]) as ours:
        ours.play(3)
        clock[0] = 1000.0  # nobody is there yet, so this does not count
        ours.poll()
        with dialled(connection.address) as peer:
            ours.until_connected()
            clock[0] = 1059.9
            ours.poll()
            assert not ours.network.is_over
            peer.sendall(b"3")
            ours.until(lambda: ours.moves == "4 4")
            clock[0] = 2000.0  # our own time does not count either
            ours.poll()
            ours.play(3)
            clock[0] = 2060.0
            ours.poll()

            assert ours.detail == "the opponent made no move within 60 s"


def test_without_such_a_limit_an_hour_is_not_too_long() -> None:
    clock = [0.0]
    connection = PeerConnection.listen()
    with (
        local_end(connection, 0, now=lambda: clock[0]) as ours,
        dialled(connection.address) as peer,
    ):
        ours.until_connected()
        for ply in range(3):
            ours.play(ply)
            clock[0] += 3600.0
            ours.poll()
            peer.sendall(b"%d" % ply)
            ours.until(lambda: ours.network.match.mover == 0)

        assert len(ours.network.match.turns) == 6


@pytest.mark.parametrize("local_player", [0, 1])
def test_an_agent_can_play_for_the_local_player(local_player: int) -> None:
    seat = AgentSeat(agent("random"), Budget(seed=1))
    with local_end(PeerConnection.listen(), 0, seat if local_player == 0 else None) as first:
        client = PeerConnection.dial(*first.network.connection.address)
        with local_end(client, 1, seat if local_player == 1 else None) as second:
            ends = first, second
            person = ends[1 - local_player]
            together(ends, lambda: both_over(ends), lambda: move_at_will(person))

            assert first.moves == second.moves
            assert first.network.match.result == second.network.match.result


def move_at_will(person: LocalEnd) -> None:
    """Make the first legal move of the local player, if it is its turn."""
    match = person.network.match
    if not match.is_over and match.mover == person.network.local_player:
        person.play(match.position.legal_actions()[0])


def both_over(ends: tuple[LocalEnd, LocalEnd]) -> bool:
    return all(end.network.is_over for end in ends)


def together(
    ends: tuple[LocalEnd, LocalEnd], is_true: Callable[[], bool], act: Callable[[], None]
) -> None:
    limit = time.monotonic() + LIMIT
    while not is_true():
        assert time.monotonic() < limit, [end.network.status for end in ends]
        act()
        for end in ends:
            end.network.wait(0.001)
            end.poll()


def test_waiting_for_an_opponents_move_needs_no_processor() -> None:
    with as_server() as (ours, _):
        ours.play(3)
        began, before = time.monotonic(), used()
        while (lasted := time.monotonic() - began) < 1:
            ours.poll()
            ours.network.wait(1 - lasted)

        assert (used() - before) / lasted < 0.01


def used() -> float:
    usage = resource.getrusage(resource.RUSAGE_THREAD)
    return usage.ru_utime + usage.ru_stime


def test_the_status_says_what_is_awaited() -> None:
    connection = PeerConnection.listen()
    where = "{} port {}".format(*connection.address)
    with local_end(connection, 0) as ours:
        assert ours.network.status == f"Waiting for the other player on {where}."
        ours.play(3)
        assert ours.network.status == (
            f"Waiting for the other player on {where}. Your move is sent once it is there."
        )
        with dialled(connection.address) as peer:
            ours.until_connected()
            assert ours.network.status == "The opponent's turn."
            assert peer.recv(10) == b"3"
            peer.sendall(b"3")
            ours.until(lambda: ours.moves == "4 4")
            assert ours.network.status == "Your turn."
        ours.until_over()
        assert ours.network.status == "Game over: the opponent closed the connection."


def test_the_status_of_a_client_says_why_it_is_not_connected() -> None:
    connection = PeerConnection.dial("127.0.0.1", free_port())
    with local_end(connection, 1) as ours:
        ours.until(lambda: bool(connection.trouble))

        where = "{} port {}".format(*connection.address)
        assert ours.network.status == f"Connecting to {where} (Connection refused)."
