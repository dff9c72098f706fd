"""`Screen` and `FourInARow`, the classes of the original program that need a window."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator

import pytest
from origins.four_in_a_row.network.peers import dialled, free_port
from window.conftest import KEPT
from window.desk import Desk

from plyboard.errors import IllegalMoveError
from plyboard.games.picture import Cell
from plyboard.origins.four_in_a_row import AI, Communicator, FourInARow, Game, Screen
from plyboard.window.display import open_root
from plyboard.window.match_window import MatchWindow


class LoopbackProgram(FourInARow):
    BIND_ADDRESS = "127.0.0.1"


class LoopbackCommunicator(Communicator):
    BIND_ADDRESS = "127.0.0.1"
    WAIT_PERIOD = 5


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

    assert [desk.window.cards.messages.text(player) for player in (0, 1)] == ["winner!", ""]
    assert screen.get_root() is desk.window.root
    assert desk.window.cards.names == ("opponent", "you")


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
        desk.until(lambda: desk.window.cards.messages.text(0) == "Illegal move.")


def test_an_error_in_the_owners_program_stays_with_the_owner(shown: Shown) -> None:
    root, faults = open_root("--headless"), list[object]()
    root.report_callback_exception = lambda *fault: faults.append(fault[0])
    screen = Screen(root, Game.PLAYER_ONE, print)
    root.after(0, lambda: 1 / 0)
    while not faults:
        root.update()
    screen.update_cell(5, 3, Game.PLAYER_ONE)
    desk = shown(screen.window)
    desk.until(lambda: desk.moves == ("4",))

    assert faults == [ZeroDivisionError]


def test_an_ai_starts_no_process_that_would_run_the_script_again(shown: Shown) -> None:
    before, port = multiprocessing.active_children(), free_port()
    program = LoopbackProgram(open_root("--headless"), "ai", port)
    desk = shown(program.game.window)
    desk.until(lambda: len(desk.moves) == 1)

    assert multiprocessing.active_children() == before
    program.handle_message("1")
    program.handle_message()
    desk.until(lambda: len(desk.moves) == 3)


def test_a_whole_program_is_written_with_these_classes(shown: Shown) -> None:
    """The classes work together as the text says: a click, a move, a message, an answer."""
    port = free_port()
    sides = [OwnProgram(port, None), OwnProgram(port, "127.0.0.1")]
    desks = [shown(side.screen.window) for side in sides]

    def until(is_true: Callable[[], bool]) -> None:
        desks[0].until(lambda: desks[1].pump() or is_true())  # type: ignore[func-returns-value]

    until(lambda: all(side.communicator.is_connected() for side in sides))
    sides[0].play_my_move(3)
    until(lambda: all(side.game.get_winner() is not None for side in sides))

    assert sides[0].game.get_winner() == sides[1].game.get_winner()
    assert sides[0].game.get_attr_for_sim() == sides[1].game.get_attr_for_sim()
    texts = {desk.window.cards.messages.text(player) for desk in desks for player in (0, 1)}
    assert texts <= {"winner!", "loser :(", "draw"}
    for side in sides:
        side.communicator.close()


class OwnProgram:
    """A program in which two AIs play over the network, written against these classes."""

    def __init__(self, port: int, ip: str | None) -> None:
        root = open_root("--headless")
        self.color = Game.PLAYER_TWO if ip else Game.PLAYER_ONE
        self.game, self.ai = Game(), AI("jericho:simulations=100,hash=1", seed=5)
        self.screen = Screen(root, self.color, self.play_my_move)
        self.communicator = LoopbackCommunicator(root, port, ip)
        self.communicator.connect()
        self.communicator.bind_action_to_message(self.handle_message)

    def play_my_move(self, column: int) -> None:
        if self.one_turn(column, self.color):
            self.communicator.send_message(column)

    def one_turn(self, column: int, player: int) -> bool:
        if self.game.get_current_player() != player:
            self.screen.print_to_screen("Not your turn!", player)
            return False
        self.game.make_move(column)
        row, col = self.game.get_last_coord() or (0, 0)
        self.screen.update_cell(row, col, player, anim=False)
        winner = self.game.get_winner()
        if winner is not None:
            self.screen.win(*self.game.get_win_info(), winner)
            for each in (0, 1):
                told = "winner!" if each == winner else "loser :("
                self.screen.print_to_screen("draw" if winner == 2 else told, each, end=True)
        return True

    def handle_message(self, message: str) -> None:
        self.one_turn(int(message[0]), 1 - self.color)
        if self.game.get_win_info()[1] is None:
            simulated = Game()
            simulated.set_attr_for_sim(*self.game.get_attr_for_sim())
            self.ai.find_legal_move(simulated, self.play_my_move)
