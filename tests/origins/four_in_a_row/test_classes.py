"""The classes of Four In A Row that need no window, used as the original program uses them."""

from __future__ import annotations

import copy
import heapq
import random
import time
from collections.abc import Callable
from contextlib import suppress
from itertools import count

import pytest
from oracles.four_in_a_row_peer import DRAWN_GAME
from origins.four_in_a_row.network.peers import LIMIT, dialled, free_port, listener, read_all

from plyboard.errors import IllegalMoveError, SpecError
from plyboard.origins.four_in_a_row import AI, Communicator, Game, Node
from plyboard.origins.four_in_a_row.game import position_of

QUICK = "jericho:simulations=200,hash=1,keep=yes"


class CourseGame:
    """A game as the course has it: 6 rows from the top, 7 columns, players 0 and 1, draw 2."""

    PLAYER_ONE, PLAYER_TWO, DRAW = 0, 1, 2

    def __init__(self, *columns: int, first: int = 0) -> None:
        self.cells: dict[tuple[int, int], int] = {}
        self.first = first
        for column in columns:
            self.make_move(column)

    def make_move(self, column: int) -> None:
        rows = [row for row in range(6) if (row, column) not in self.cells]
        if self.get_winner() is not None or not rows or not 0 <= column < 7:
            raise Exception("Illegal move.")
        self.cells[rows[-1], column] = self.get_current_player()

    def get_player_at(self, row: int, col: int) -> int | None:
        if not (0 <= row < 6 and 0 <= col < 7):
            raise Exception("Illegal location.")
        return self.cells.get((row, col))

    def get_current_player(self) -> int:
        return (len(self.cells) + self.first) % 2

    def get_winner(self) -> int | None:
        for (row, column), player in self.cells.items():
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + step * down, column + step * right) for step in range(4)]
                if all(self.cells.get(cell) == player for cell in line):
                    return player
        return self.DRAW if len(self.cells) == 42 else None


def chosen(game: CourseGame, ai: AI | None = None, timeout: float | None = None) -> int:
    """Return the one column that the function was called with."""
    columns: list[int] = []
    (ai or AI(QUICK, seed=0)).find_legal_move(game, columns.append, timeout)
    (column,) = columns
    return column


def test_the_board_is_read_from_the_top_with_the_right_player_to_move() -> None:
    position = position_of(CourseGame(3, 3, 0))

    assert position.text() == "......./......./......./......./...o.../x..x... o"


def test_it_does_not_matter_who_began() -> None:
    assert position_of(CourseGame(3, 3, 0, first=1)) == position_of(CourseGame(3, 3, 0, first=0))


@pytest.mark.parametrize("first", [0, 1])
def test_it_wins_at_once_and_stops_a_threat(first: int) -> None:
    assert chosen(CourseGame(0, 1, 0, 1, 0, 1, first=first)) == 0
    assert chosen(CourseGame(0, 1, 0, 1, 0, first=first), AI("mcts:simulations=200,hash=1")) == 0


def test_the_game_stays_as_it_is() -> None:
    game = CourseGame(3, 3, 0)
    before = copy.deepcopy(vars(game))
    chosen(game)

    assert vars(game) == before


def test_a_timeout_ends_it() -> None:
    assert chosen(CourseGame(), AI("mcts:hash=1"), timeout=0.01) in range(7)
    assert chosen(CourseGame(), AI("mcts:hash=1"), timeout=0) in range(7)


def test_a_whole_game_between_two_of_them_is_legal() -> None:
    game, players = CourseGame(), (AI(QUICK, seed=1), AI("random", seed=2))
    while game.get_winner() is None:
        players[game.get_current_player()].find_legal_move(game, game.make_move)

    assert game.get_winner() == CourseGame.PLAYER_ONE


@pytest.mark.parametrize(
    "moves",
    [
        (0, 1, 0, 1, 0, 1, 0),
        [column for pair in ((0, 1), (2, 3), (4, 5)) for column in pair * 3]
        + [column for pair in ((1, 0), (3, 2), (5, 4)) for column in pair * 3]
        + [6] * 6,
    ],
)
def test_there_is_no_move_once_the_game_is_over(moves: list[int]) -> None:
    game = CourseGame(*moves)

    assert game.get_winner() is not None
    with pytest.raises(Exception, match=r"^No possible AI moves\.$"):
        chosen(game)


def test_there_is_no_move_when_the_program_has_not_noticed_the_end() -> None:
    game = CourseGame(0, 1, 0, 1, 0, 1, 0)
    game.get_winner = lambda: None  # type: ignore[method-assign]

    with pytest.raises(Exception, match=r"^No possible AI moves\.$"):
        chosen(game)


def test_an_agent_that_is_not_there_is_told_at_once() -> None:
    with pytest.raises(SpecError, match="unknown agent: got 'jerico'; expected jericho"):
        AI("jerico")


def test_the_statements_example_is_won_by_player_one() -> None:
    game = Game()
    for column in (0, 1, 0, 1, 0, 1):
        assert game.get_winner() is None
        game.make_move(column)
    game.make_move(0)

    assert game.get_winner() == Game.PLAYER_ONE == 0
    with pytest.raises(Exception, match=r"^Illegal move\.$"):
        game.make_move(3)


def test_a_full_board_without_a_four_is_a_draw() -> None:
    game = Game()
    for column in DRAWN_GAME:
        game.make_move(column)

    assert game.get_winner() == Game.DRAW == 2


@pytest.mark.parametrize("column", [-1, 7, 100, 3.0, "3", None, True])
def test_a_column_that_does_not_exist_is_an_illegal_move(column: int) -> None:
    game = Game()
    with pytest.raises(Exception, match=r"^Illegal move\.$"):
        game.make_move(column)
    assert game.get_current_player() == Game.PLAYER_ONE


def test_a_full_column_is_an_illegal_move() -> None:
    game = Game()
    for _ in range(6):
        game.make_move(3)
    with pytest.raises(Exception, match=r"^Illegal move\.$"):
        game.make_move(3)


def test_row_0_is_the_top_row() -> None:
    game = Game()
    game.make_move(3)
    game.make_move(3)

    assert [game.get_player_at(row, 3) for row in range(6)] == [None, None, None, None, 1, 0]
    assert game.get_player_at(5, 2) is None


@pytest.mark.parametrize(("row", "column"), [(-1, 0), (6, 0), (0, -1), (0, 7)])
def test_a_cell_off_the_board_is_an_illegal_location(row: int, column: int) -> None:
    with pytest.raises(Exception, match=r"^Illegal location\.$"):
        Game().get_player_at(row, column)


def test_random_games_are_those_of_an_independent_game() -> None:
    chance = random.Random(5)
    for _ in range(20):
        ours, theirs = Game(), CourseGame()
        while theirs.get_winner() is None:
            column = chance.randrange(7)
            assert refuses(ours, column) == refuses(theirs, column)
            assert ours.get_winner() == theirs.get_winner()
            assert ours.get_current_player() == theirs.get_current_player()
        assert all(
            ours.get_player_at(row, column) == theirs.get_player_at(row, column)
            for row in range(6)
            for column in range(7)
        )


def refuses(game: Game | CourseGame, column: int) -> bool:
    """Make a move; return whether it was refused."""
    before = game.get_current_player()
    with suppress(Exception):
        game.make_move(column)
    return game.get_current_player() == before


def test_a_game_can_be_copied_before_it_is_searched() -> None:
    game = Game()
    game.make_move(3)
    other = copy.deepcopy(game)
    other.make_move(3)

    assert (game.get_current_player(), other.get_current_player()) == (1, 0)


def test_the_ai_plays_our_own_game() -> None:
    game = Game()
    for column in (0, 1, 0, 1, 0, 1):
        game.make_move(column)
    AI(QUICK).find_legal_move(game, game.make_move, timeout=None)

    assert game.get_winner() == Game.PLAYER_ONE


def test_a_tree_scores_a_win_by_its_visits() -> None:
    game = Game()
    for column in (0, 1, 0, 1, 0, 1):
        game.make_move(column)
    root = AI(QUICK, seed=0).build_tree(game, iterations=700)

    assert set(root.children) == set(range(7))
    assert root.children[0].score == max(child.score for child in root.children.values())
    assert root.children[0].score > 50  # each of about 100 visits is a win
    assert root.children[0].children == {}
    assert root.children[1].children
    assert isinstance(root.children[1], Node)


def test_a_node_adds_what_its_children_return() -> None:
    game = Game()
    for column in (3, 3, 2, 4, 2):
        game.make_move(column)
    root = AI(seed=1).build_tree(game)
    ends = sum(child.score for child in root.children.values() if not child.children)
    others = sum(child.score for child in root.children.values() if child.children)

    assert root.score == ends + others / 2 != 0  # half of what is not the end of a game


def test_branches_one_by_one_add_up_to_a_tree() -> None:
    game, ai, root = Game(), AI(seed=2), Node()
    returned = [ai.build_branch(game, root) for _ in range(50)]

    assert root.get_score() == 2 * sum(returned)
    assert root.get_children().keys() <= ai.possible_moves(game) == set(range(7))


def test_scores_are_for_the_player_who_asked_first() -> None:
    game, ai = Game(), AI(QUICK, seed=3)
    for column in (0, 1, 0, 1, 0, 1):
        game.make_move(column)
    mine = ai.build_tree(game, iterations=700)
    for column in (6, 2):  # not the win, and any move: it is the other's turn after one more
        game.make_move(column)
    game.make_move(6)
    theirs = ai.build_tree(game, iterations=700)

    assert mine.children[0].score > 50
    assert theirs.children[1].score < -50  # four in column 1 are a loss
    game.make_move(1)
    leaf = Node(2)
    assert ai.build_branch(game, leaf) == -1
    assert leaf.get_score() == 1


def test_nodes_are_made_by_hand_as_in_the_original() -> None:
    node, child = Node(), Node(0.5)
    node.add_child(3, child)
    node.add_score(child.get_score())
    assert (node.get_score(), node.get_children()) == (0.5, {3: child})
    node.remove_child(3)
    node.remove_child(4)
    assert node.get_children() == {}


def test_an_ai_without_a_seed_plays_differently_each_time() -> None:
    scores = {AI(QUICK).build_tree(Game(), iterations=200).score for _ in range(4)}

    assert len(scores) > 1


def test_a_game_is_simulated_in_another_one() -> None:
    game, other = Game(), Game()
    for column in (3, 3, 3):
        game.make_move(column)
    board, register, cells, counter = game.get_attr_for_sim()
    other.set_attr_for_sim(board, register, cells, counter)

    assert (register[3], register[0], len(cells), counter) == (2, 5, 42, 3)
    assert (game.get_last_coord(), other.get_last_coord()) == ((3, 3), None)
    assert other.get_current_player() == Game.PLAYER_TWO
    other.make_move(0)
    assert game.get_player_at(5, 0) is None
    assert not other.is_col_full(3)
    for _ in range(3):
        other.make_move(3)
    assert other.is_col_full(3)


def test_moves_are_taken_back_to_the_empty_board_whatever_led_to_the_game() -> None:
    for moves in ((3, 3, 2), ()):
        game, simulated = Game(), Game()
        for column in (0, 0):
            game.make_move(column)
        simulated.set_attr_for_sim(*game.get_attr_for_sim())
        for column in moves:
            simulated.make_move(column)
        for column in reversed((0, 0, *moves)):
            simulated.unmake_move(column, None)
        assert simulated.get_attr_for_sim() == Game().get_attr_for_sim()
        assert simulated.get_last_coord() is None
        with pytest.raises(IllegalMoveError, match=r"^Illegal move\.$"):
            simulated.unmake_move(0, None)


def test_the_winning_four_have_a_beginning_and_a_direction() -> None:
    game = Game()
    assert game.get_win_info() == (None, None)
    for column in (0, 6, 1, 6, 2, 6):
        game.make_move(column)
    assert game.get_win_info() == ((3, 6), None)
    game.make_move(3)
    (row, column), (down, right) = game.get_win_info()  # type: ignore[misc]
    four = {(row + step * down, column + step * right) for step in range(Game.WIN_LEN)}

    assert four == {(5, 0), (5, 1), (5, 2), (5, 3)}
    drawn = Game()
    for column in DRAWN_GAME:
        drawn.make_move(column)
    assert drawn.get_win_info() == (drawn.get_last_coord(), Game.DRAW)


class Loop:
    """An event loop with the `after` of Tk, for programs that need no window."""

    def __init__(self) -> None:
        self.is_destroyed = False
        self._due: list[tuple[float, int, Callable[[], object]]] = []
        self._numbers = count()

    def after(self, ms: int, func: Callable[[], object]) -> object:
        heapq.heappush(self._due, (time.monotonic() + ms / 1000, next(self._numbers), func))
        return None

    def destroy(self) -> object:
        self.is_destroyed = True
        return None

    def until(self, is_true: Callable[[], bool]) -> None:
        end = time.monotonic() + LIMIT
        while not is_true():
            assert time.monotonic() < end, "it hangs"
            due, _, func = heapq.heappop(self._due)
            time.sleep(max(0.0, due - time.monotonic()))
            func()


class LoopbackCommunicator(Communicator):
    BIND_ADDRESS = "127.0.0.1"
    WAIT_PERIOD = 5


def test_two_communicators_talk_to_each_other() -> None:
    loop, port, heard = Loop(), free_port(), list[tuple[str, str]]()
    server = LoopbackCommunicator(loop, port)
    client = LoopbackCommunicator(loop, port, "127.0.0.1")
    for name, each in (("server", server), ("client", client)):
        each.connect()
        each.bind_action_to_message(lambda text, name=name: heard.append((name, text)))  # type: ignore[misc]
    assert not server.is_connected()
    server.send_message(3)  # held until the connection stands
    loop.until(lambda: server.is_connected() and client.is_connected())
    loop.until(lambda: heard == [("client", "3")])
    client.send_message("any text")
    loop.until(lambda: heard[1:] == [("server", "any text")])

    client.close()
    loop.until(lambda: loop.is_destroyed)
    server.close()


def test_a_communicator_polls_every_100_ms_as_the_original() -> None:
    assert Communicator.WAIT_PERIOD == 100


def test_a_communicator_accepts_one_peer_and_sends_nothing_by_itself() -> None:
    loop, port = Loop(), free_port()
    server = LoopbackCommunicator(loop, port)
    server.connect()
    server.connect()  # does nothing more
    with dialled(("127.0.0.1", port)) as peer:
        loop.until(server.is_connected)
        with pytest.raises(ConnectionRefusedError):
            dialled(("127.0.0.1", port)).close()
        server.send_message("0")
        server.close()
        assert read_all(peer) == b"0"


def test_a_communicator_tries_until_the_server_is_there() -> None:
    loop, port = Loop(), free_port()
    client = LoopbackCommunicator(loop, port, "127.0.0.1")
    client.connect()
    attempts = iter(range(20))
    loop.until(lambda: next(attempts) == 19)
    assert not client.is_connected()
    client.close()
    with listener() as server:
        other = LoopbackCommunicator(loop, server.getsockname()[1], "127.0.0.1")
        other.connect()
        loop.until(other.is_connected)
        other.close()
