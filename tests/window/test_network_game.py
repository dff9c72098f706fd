"""Four in a row over the network in windows, with real clicks on both sides."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from oracles.four_in_a_row_peer import (
    DRAWN_GAME,
    End,
    PeerGame,
    at_random,
    dial,
    play_game,
    scripted,
)
from window.conftest import KEPT
from window.desk import Desk

from plyboard.errors import PeerError, UnusableError
from plyboard.games.picture import Cell
from plyboard.origins.four_in_a_row import network_window as network_game
from plyboard.origins.four_in_a_row.network.setup import HUMAN, NetworkSetup
from plyboard.origins.four_in_a_row.network_window import (
    ASK_TO_LEAVE,
    COPIED,
    TITLE,
    NetworkGameWindow,
)
from plyboard.play.record import read_records
from plyboard.search.common.budget import Budget
from plyboard.session.saved_games import SavedGames, SeriesFile
from plyboard.window.display import open_root


@dataclass
class NetworkDesk(Desk):
    """A person in front of one of several windows; all of them work while one waits."""

    network_window: NetworkGameWindow | None = None
    others: list[Desk] = field(default_factory=list)

    def pump(self) -> None:
        super().pump()
        for other in self.others:
            if not other.window.is_closed:
                Desk.pump(other)

    @property
    def port(self) -> int:
        assert self.network_window is not None
        return self.network_window.network.connection.address[1]


OpenNetwork = Callable[..., NetworkDesk]


@pytest.fixture
def open_network(
    display: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[OpenNetwork]:
    """Open windows of network games, and close them after the test."""
    monkeypatch.setenv("DISPLAY", display)
    desks = list[NetworkDesk]()

    def opened(
        player: str = HUMAN, port: int = 0, host: str | None = None, save: str = "", games: int = 1
    ) -> NetworkDesk:
        setup = NetworkSetup(player, port, host, budget=Budget(seed=3), games=games)
        file = SeriesFile(SavedGames(_write), str(tmp_path / save) if save else "")
        game = NetworkGameWindow(open_root("--headless"), setup, file, limits=None)
        desk = NetworkDesk(game.window, network_window=game)
        game.window.root.geometry(f"+{10 + 790 * len(desks)}+10")
        for other in desks:
            other.others.append(desk)
            desk.others.append(other)
        desks.append(desk)
        game.start()
        desk.until(lambda: game.window.board.layout is not None)
        return desk

    yield opened
    KEPT.extend(desks)
    for desk in desks:
        desk.window.close()


def _write(name: str, text: str, *, force: bool) -> None:
    assert force or not Path(name).exists()
    Path(name).write_text(text, "utf-8")


def messages(desk: Desk) -> tuple[str, str]:
    return desk.window.cards.messages.text(0), desk.window.cards.messages.text(1)


def in_thread(port: int, choose: Callable[..., int]) -> tuple[threading.Thread, list[PeerGame]]:
    """Let the independent peer play against a window that listens."""
    games = list[PeerGame]()

    def play() -> None:
        with dial("127.0.0.1", port) as connection:
            games.append(play_game(connection, 1, choose))

    thread = threading.Thread(target=play)
    thread.start()
    return thread, games


def test_two_people_play_in_two_windows(open_network: OpenNetwork, tmp_path: Path) -> None:
    ann = open_network(save="ann.txt")
    bob = open_network(port=ann.port, host="127.0.0.1", save="bob.txt")
    ann.until(lambda: ann.status == "Your turn." and bob.status == "The opponent's turn.")
    bob.click(Cell(0, 3))
    bob.until(lambda: messages(bob)[1] == "Not your turn!")

    for turn, column in enumerate([0, 1, 0, 1, 0, 1, 0]):
        here, there = (ann, bob) if turn % 2 == 0 else (bob, ann)
        here.play_by_click(Cell(2, column), str(column + 1))
        there.until(lambda there=there, turn=turn: len(there.match.turns) == turn + 1)  # type: ignore[misc]
        there.rest()
    ann.until(lambda: messages(ann) == ("winner!", "loser :(") == messages(bob))

    assert ann.window.root.title() == TITLE
    assert [card.name for card in ann.window.cards.bar.cards] == ["you", "opponent"]
    assert [card.name for card in bob.window.cards.bar.cards] == ["opponent", "you"]
    for desk in (ann, bob):
        desk.window.close()
    for name in ("ann.txt", "bob.txt"):
        (record,) = read_records(str(tmp_path / name))
        assert record.result.value == "1-0"
        assert record.position.moves == ("1", "2", "1", "2", "1", "2", "1")


def test_an_illegal_click_is_refused_and_the_game_goes_on(open_network: OpenNetwork) -> None:
    desk = open_network()
    thread, games = in_thread(desk.port, scripted([0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 3, 2]))
    for column in (0, 0, 0):
        desk.until(lambda: desk.match.mover == 0)
        desk.rest()
        desk.play_by_click(Cell(5, column), "1")
    desk.until(lambda: desk.match.mover == 0)
    desk.rest()
    desk.click(Cell(5, 0))
    desk.until(lambda: messages(desk)[0] == "Illegal move.")
    desk.play_by_click(Cell(5, 1), "2")
    desk.window.close()
    thread.join(60)

    assert games[0].end is End.CLOSED
    assert games[0].single_bytes


def test_an_agent_plays_in_a_window_and_ignores_clicks(open_network: OpenNetwork) -> None:
    desk = open_network("random")
    desk.until(lambda: len(desk.match.turns) == 1)  # before anybody is there
    assert desk.network_window is not None
    assert desk.network_window.network.connection.holds_move
    assert "Your move is sent once it is there." in desk.status
    desk.click(Cell(0, 0))
    thread, games = in_thread(desk.port, at_random(5))
    desk.until(lambda: desk.match.is_over)
    thread.join(60)

    assert games[0].end is End.RULES
    assert [turn.action for turn in desk.match.turns] == list(games[0].columns)
    assert messages(desk) != ("Not your turn!", "")


def test_a_drawn_game_ends_as_a_draw(open_network: OpenNetwork) -> None:
    desk = open_network()
    thread, games = in_thread(desk.port, scripted(DRAWN_GAME))
    for turn in range(0, len(DRAWN_GAME), 2):
        desk.until(lambda turn=turn: len(desk.match.turns) == turn)  # type: ignore[misc]
        desk.press(str(DRAWN_GAME[turn] + 1))
    desk.until(lambda: messages(desk) == ("draw", "draw"))
    thread.join(60)

    assert games[0].winner == 2


def test_the_window_stays_when_the_opponent_goes(open_network: OpenNetwork, tmp_path: Path) -> None:
    desk = open_network(save="cut.txt")
    with socket.create_connection(("127.0.0.1", desk.port)) as peer:
        desk.until(lambda: desk.status == "Your turn.")
        desk.play_by_click(Cell(0, 3), "4")
        assert peer.recv(9) == b"3"
    desk.until(lambda: desk.match.is_over)

    assert desk.status == "Game over: the opponent closed the connection."
    assert messages(desk) == ("", "")
    desk.window.root.geometry("480x420")
    desk.until(lambda: desk.window.root.winfo_width() == 480)  # it still works
    desk.window.close()
    assert desk.network_window is not None
    with pytest.raises(PeerError, match="the opponent closed the connection"):
        desk.network_window.check()
    (record,) = read_records(str(tmp_path / "cut.txt"))
    assert record.end is not None
    assert record.end.reason == "abandoned"
    assert "closed the connection" in record.end.detail


def test_closing_the_window_in_mid_game_tells_the_opponent(open_network: OpenNetwork) -> None:
    ann = open_network()
    bob = open_network(port=ann.port, host="127.0.0.1")
    ann.until(lambda: ann.status == "Your turn.")
    ann.play_by_click(Cell(0, 3), "4")
    bob.until(lambda: len(bob.match.turns) == 1)
    bob.rest()
    bob.press("q")
    bob.until(lambda: ASK_TO_LEAVE in bob.status)
    assert not bob.window.is_closed
    bob.press("q")
    ann.until(lambda: bob.window.is_closed and ann.match.is_over)

    assert ann.status == "Game over: the opponent closed the connection."


def test_rubbish_of_the_opponent_is_named_and_does_not_stop_the_window(
    open_network: OpenNetwork,
) -> None:
    desk = open_network()
    with socket.create_connection(("127.0.0.1", desk.port)) as peer:
        desk.until(lambda: desk.status == "Your turn.")
        desk.play_by_click(Cell(0, 3), "4")
        peer.sendall(b"3")
        desk.until(lambda: len(desk.match.turns) == 2)
        peer.sendall(b"5")  # out of turn
        desk.until(lambda: messages(desk)[1] == "Not your turn!")
        desk.rest()
        desk.play_by_click(Cell(0, 4), "5")


def test_the_command_for_a_friend_can_be_copied_while_nobody_is_there(
    open_network: OpenNetwork,
) -> None:
    desk = open_network()
    game = desk.network_window
    assert game is not None
    desk.until(lambda: bool(game.invitation.winfo_ismapped()))
    assert "Only this machine can connect." in desk.status
    game.invitation.invoke()

    command = desk.window.root.clipboard_get()
    assert command == f"plyboard four-in-a-row human {desk.port} 127.0.0.1"
    assert desk.status.startswith(COPIED)
    with socket.create_connection(("127.0.0.1", desk.port)):
        desk.until(lambda: not game.invitation.winfo_ismapped())


def test_the_invitation_stays_until_somebody_connects(open_network: OpenNetwork) -> None:
    desk = open_network()
    game = desk.network_window
    assert game is not None
    told = game.setup.invitation(game.network.connection)[0]
    desk.play_by_click(Cell(0, 3), "4")
    desk.click(Cell(0, 3))
    desk.until(lambda: messages(desk)[0] == "Not your turn!")
    assert told in desk.status.splitlines()
    with socket.create_connection(("127.0.0.1", desk.port)):
        desk.until(lambda: desk.status == "The opponent's turn.")
        desk.window.show_message(0, "")
        desk.click(Cell(0, 3))
        desk.until(lambda: messages(desk)[0] == "Not your turn!")
        desk.pump()

        assert desk.status == "The opponent's turn."
        assert not desk.window.toolbar.winfo_ismapped()  # no gap where the button was


def test_a_window_that_was_destroyed_from_outside_is_closed(
    open_network: OpenNetwork, tmp_path: Path
) -> None:
    desk = open_network(save="kept.txt")
    desk.play_by_click(Cell(0, 3), "4")
    window = desk.window
    window.root.after(0, lambda: window.root.tk.call("destroy", "."))
    window.run()

    assert window.is_closed
    (kept,) = read_records(str(tmp_path / "kept.txt"))
    assert kept.end is not None
    assert kept.end.detail == "the local player closed the window"


def test_several_games_are_played_one_after_another(
    open_network: OpenNetwork, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(network_game, "NEXT_GAME_SECONDS", 0.0)
    ann = open_network("random", games=3, save="ann.txt")
    bob = open_network("random", port=ann.port, host="127.0.0.1", games=3, save="bob.txt")

    def is_done(desk: NetworkDesk) -> bool:
        assert desk.network_window is not None
        return desk.network_window.number == 2 and desk.match.is_over

    ann.until(lambda: is_done(ann) and is_done(bob))
    for desk in (ann, bob):
        desk.window.close()
    ours, theirs = (list(read_records(str(tmp_path / f"{name}.txt"))) for name in ("ann", "bob"))
    assert [record.position.moves for record in ours] == [each.position.moves for each in theirs]
    assert len({record.position.moves for record in ours}) == 3
    assert all(record.is_over for record in ours)


def test_a_port_that_is_taken_is_named_and_no_window_stays(
    open_network: OpenNetwork,
) -> None:
    desk = open_network()
    with pytest.raises(UnusableError, match="cannot listen on"):
        open_network(port=desk.port)
