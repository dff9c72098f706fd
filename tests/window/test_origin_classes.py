"""`Screen` and `FourInARow`, the classes of the original program that need a window."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from network.peers import dialled, free_port
from window.conftest import KEPT
from window.desk import Desk

from plyboard.errors import IllegalMoveError
from plyboard.games.picture import Cell
from plyboard.origins.four_in_a_row import FourInARow, Game, Screen
from plyboard.window.display import open_root
from plyboard.window.match_window import MatchWindow


class LoopbackProgram(FourInARow):
    BIND_ADDRESS = "127.0.0.1"


@pytest.fixture
def shown(display: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[MatchWindow], Desk]]:
    """Wrap windows in desks, and close them after the test."""
    desks = list[Desk]()

    def wrapped(window: MatchWindow) -> Desk:
        desk = Desk(window)
        desks.append(desk)
        window.root.geometry("+40+30")
        desk.until(lambda: window.board.layout is not None)
        return desk

    monkeypatch.setenv("DISPLAY", display)
    yield wrapped
    KEPT.extend(desks)
    for desk in desks:
        desk.window.close()


Shown = Callable[[MatchWindow], Desk]


def test_a_click_on_a_column_calls_the_function(shown: Shown) -> None:
    clicked = list[int]()
    desk = shown(Screen(open_root("--headless"), Game.PLAYER_ONE, clicked.append).window)
    desk.click(Cell(0, 2))
    desk.until(lambda: clicked == [2])

    assert desk.moves == ()  # the function decides about the move


def test_a_program_can_be_written_with_game_and_screen(shown: Shown) -> None:
    game = Game()

    def play(column: int) -> None:
        player = game.get_current_player()
        row = max(row for row in range(6) if game.get_player_at(row, column) is None)
        game.make_move(column)
        screen.update_cell(row, column, player, anim=column == 3)

    screen = Screen(open_root("--headless"), Game.PLAYER_TWO, play)
    desk = shown(screen.window)
    for column in (3, 0, 3, 0, 3, 0, 3):
        play(column)
    desk.until(lambda: len(desk.moves) == 7)
    screen.win((2, 3), (1, 0), Game.PLAYER_ONE)
    screen.print_to_screen("winner!", Game.PLAYER_ONE, end=True)
    screen.print_to_screen("loser :(", Game.PLAYER_TWO)
    screen.clear_msg(Game.PLAYER_TWO)

    assert [desk.window.messages.text(player) for player in (0, 1)] == ["winner!", ""]
    assert screen.get_root() is desk.window.root
    assert desk.window.names == ("opponent", "you")


def test_a_disc_that_comes_before_the_board_was_drawn_is_shown_at_once(shown: Shown) -> None:
    root = open_root("--headless")
    root.withdraw()  # never laid out, as in the first moments of a window on a busy machine
    screen = Screen(root, Game.PLAYER_TWO, print)
    screen.update_cell(5, 3, Game.PLAYER_ONE)
    desk = Desk(screen.window)
    desk.until(lambda: desk.window.shown is desk.match)

    assert not desk.window.board.is_moving
    root.deiconify()
    desk = shown(screen.window)
    assert desk.moves == ("4",)


@pytest.mark.parametrize(("row", "column", "player"), [(4, 3, 0), (5, 3, 1), (5, 7, 0)])
def test_a_disc_cannot_hang_in_the_air_or_be_the_other_players(
    shown: Shown, row: int, column: int, player: int
) -> None:
    screen = Screen(open_root("--headless"), Game.PLAYER_ONE, lambda _: None)
    shown(screen.window)

    with pytest.raises(IllegalMoveError, match=r"^Illegal move\.$"):
        screen.update_cell(row, column, player)


def test_the_whole_program_plays_against_a_plain_socket(shown: Shown) -> None:
    port = free_port()
    program = LoopbackProgram(open_root("--headless"), "human", port)
    desk = shown(program.game.window)
    program.one_turn(3)  # held until somebody connects
    with dialled(("127.0.0.1", port)) as peer:
        desk.until(lambda: program.game.network.connection.is_connected)
        assert peer.recv(10) == b"3"
        peer.sendall(b"0")
        desk.until(lambda: desk.moves == ("4", "1"))
        program.one_turn(7)
        desk.until(lambda: desk.window.messages.text(0) == "Illegal move.")
