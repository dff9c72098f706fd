"""The peer of the networked four in a row: its rules, and games between two of them."""

import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

import pytest

from oracles.connect_four import ConnectFour
from oracles.four_in_a_row_peer import (
    DRAW,
    DRAWN_GAME,
    TIMEOUT,
    Board,
    Chooser,
    End,
    PeerGame,
    at_random,
    dial,
    play_game,
    scripted,
    serve,
    towards_draw,
)

HOST = "127.0.0.1"
SCRIPT = Path(__file__).with_name("four_in_a_row_peer.py")
FIRST_WINS = "0101010"  # the example in the statement of the exercise
SECOND_WINS = "60506050"
WON_BY_THE_LAST_DISC = "416210144241363310466123232265505465550003"


def columns(digits: str) -> tuple[int, ...]:
    return tuple(int(digit) for digit in digits)


# --- the rules ------------------------------------------------------------------------------------

EMPTY = "......."


def drawing(board: Board) -> list[str]:
    """Return the rows from the top, with a dot for an empty cell."""
    return ["".join("." if cell is None else str(cell) for cell in row) for row in board.cells]


def test_a_disc_lands_on_the_bottom_row_or_on_the_last_disc() -> None:
    board = Board(columns("3340"))

    assert drawing(board) == [EMPTY] * 4 + ["...1...", "1..00.."]
    assert (board.at(5, 3), board.at(4, 3), board.at(0, 3)) == (0, 1, None)


@pytest.mark.parametrize(
    ("digits", "winner", "rows"),
    [
        (FIRST_WINS, 0, ["0......", "01.....", "01.....", "01....."]),
        (SECOND_WINS, 1, ["1......", "1......", "1....00", "1....00"]),
        ("3041526", 0, [EMPTY, EMPTY, EMPTY, "1110000"]),
        ("60615253", 1, [EMPTY, EMPTY, ".....00", "1111.00"]),
        ("01122323363", 0, ["...0...", "..00...", ".001...", "0111..1"]),
        ("501122323363", 1, ["...1...", "..11...", ".110...", "1000.00"]),
        ("65544343303", 0, ["...0...", "...00..", "...100.", "1..1110"]),
        ("065544343303", 1, ["...1...", "...11..", "0..011.", "0..0001"]),
    ],
)
def test_four_in_any_direction_wins(digits: str, winner: int, rows: list[str]) -> None:
    board = Board(columns(digits))

    assert (drawing(board)[2:], board.winner()) == (rows, winner)
    assert Board(columns(digits[:-1])).winner() is None


def test_a_line_does_not_continue_at_the_other_edge() -> None:
    board = Board(columns("5363021"))

    assert (drawing(board)[5], board.winner()) == ("0011.00", None)
    assert board.at(5, -1) is board.at(-1, 0) is board.at(6, 0) is board.at(5, 7) is None


def has_four(rows: list[str]) -> bool:
    """Tell whether a drawing has four in a row; bars keep lines from crossing an edge."""
    cells = "|".join(rows)
    steps = (1, 7, 8, 9)  # right, down left, down, down right
    lines = {cells[start::step][:4] for start in range(len(cells)) for step in steps}
    return bool(lines & {"0000", "1111"})


def test_a_full_board_without_four_is_a_draw() -> None:
    board = Board(DRAWN_GAME)

    assert "." not in "".join(drawing(board))
    assert not has_four(drawing(board))
    assert board.winner() == DRAW
    assert Board(DRAWN_GAME[:-1]).winner() is None


def test_four_on_a_full_board_is_a_win() -> None:
    board = Board(columns(WON_BY_THE_LAST_DISC))

    assert "." not in "".join(drawing(board))
    assert has_four(drawing(board))
    assert drawing(board)[0] == "0111110"
    assert board.winner() == 1


@pytest.mark.parametrize("seed", range(10))
def test_the_rules_are_those_of_the_connect_four_oracle(seed: int) -> None:
    board, choose = Board(), at_random(seed)
    oracle = ConnectFour()
    state = oracle.start()
    names = {None: None, 0: "first", 1: "second", DRAW: "draw"}

    while board.legal():
        column = choose(board)
        board.play(column)
        state = oracle.play(state, str(column + 1))
        assert [str(legal + 1) for legal in board.legal()] == oracle.moves(state)
        assert names[board.winner()] == oracle.outcome(state)


@pytest.mark.parametrize(
    ("digits", "refused"),
    [
        ("", [-1, 7]),
        ("000000", [0]),
        (FIRST_WINS, range(7)),
        (SECOND_WINS, range(7)),
        (WON_BY_THE_LAST_DISC, range(7)),
    ],
)
def test_illegal_moves_change_nothing(digits: str, refused: list[int]) -> None:
    board = Board(columns(digits))
    before = drawing(board)

    assert not set(refused) & set(board.legal())
    for column in refused:
        with pytest.raises(ValueError, match="illegal move"):
            board.play(column)
    assert (drawing(board), board.played) == (before, list(columns(digits)))


def test_all_columns_that_are_not_full_are_legal() -> None:
    assert Board().legal() == [0, 1, 2, 3, 4, 5, 6]
    assert Board(columns("000000")).legal() == [1, 2, 3, 4, 5, 6]


# --- games over a socket --------------------------------------------------------------------------


def games_between(first: Chooser, second: Chooser) -> tuple[PeerGame, PeerGame]:
    """Return one game as seen by the server and by the client."""
    ports = SimpleQueue[int]()

    def server() -> PeerGame:
        with serve(0, ports.put) as connection:
            return play_game(connection, 0, first)

    with ThreadPoolExecutor() as pool:
        game = pool.submit(server)
        with dial(HOST, ports.get(timeout=TIMEOUT)) as connection:
            return play_game(connection, 1, second), game.result()


def check_agreement(client: PeerGame, server: PeerGame) -> None:
    assert (server.end, server.winner) == (client.end, client.winner)
    assert server.columns == client.columns
    assert server.sent == client.received == "".join(map(str, server.columns[::2])).encode()
    assert client.sent == server.received == "".join(map(str, server.columns[1::2])).encode()
    assert server.single_bytes
    assert client.single_bytes


@pytest.mark.parametrize(
    ("script", "winner"),
    [
        (columns(FIRST_WINS), 0),
        (columns(SECOND_WINS), 1),
        (columns(WON_BY_THE_LAST_DISC), 1),
        (DRAWN_GAME, DRAW),
    ],
)
def test_two_peers_follow_a_script_to_its_end(script: tuple[int, ...], winner: int) -> None:
    client, server = games_between(scripted(script), scripted(script))

    assert (server.end, server.winner, server.columns) == (End.RULES, winner, script)
    check_agreement(client, server)


@pytest.mark.parametrize("seed", range(4))
def test_two_peers_agree_on_a_random_game(seed: int) -> None:
    client, server = games_between(at_random(seed), at_random(seed + 100))

    assert server.end is End.RULES
    assert server.winner == Board(server.columns).winner() is not None
    check_agreement(client, server)


def test_two_peers_can_play_for_a_draw() -> None:
    assert games_between(towards_draw, towards_draw)[0].winner == DRAW


Pair = tuple[socket.socket, socket.socket]


@pytest.fixture
def pair() -> Iterator[Pair]:
    """Yield both ends of a connection: the peer's and the one that a test speaks at."""
    mine, other = socket.socketpair()
    with mine, other:
        yield mine, other


@pytest.mark.parametrize("message", [b"7", b"9", b"x", b"\n", b"-1", b"\xff"])
def test_a_message_that_is_no_column_ends_the_game(pair: Pair, message: bytes) -> None:
    mine, other = pair
    other.sendall(message)

    game = play_game(mine, 1, at_random(0))

    assert game == PeerGame(End.ILLEGAL, None, (), (message,), b"")


def test_a_disc_in_a_full_column_ends_the_game(pair: Pair) -> None:
    mine, other = pair
    with ThreadPoolExecutor() as pool:
        game = pool.submit(play_game, mine, 1, scripted([0] * 6))
        for _ in range(3):
            other.sendall(b"0")
            assert other.recv(1024) == b"0"
        other.sendall(b"0")

    assert game.result() == PeerGame(End.ILLEGAL, None, (0,) * 6, (b"0",) * 4, b"000")


def test_a_message_out_of_turn_ends_the_game(pair: Pair) -> None:
    mine, other = pair
    other.sendall(b"3")

    game = play_game(mine, 0, at_random(0))

    assert game == PeerGame(End.ILLEGAL, None, (), (b"3",), b"")


def test_only_the_first_character_of_a_read_counts_and_the_rest_is_recorded(pair: Pair) -> None:
    mine, other = pair
    other.sendall(b"31\n")
    other.shutdown(socket.SHUT_WR)

    game = play_game(mine, 1, at_random(0))

    assert game == PeerGame(End.CLOSED, None, (3,), (b"31\n",), b"")
    assert game.received == b"31\n"
    assert not game.single_bytes


@pytest.mark.parametrize("me", [0, 1])
def test_a_closed_connection_ends_the_game(pair: Pair, me: int) -> None:
    mine, other = pair
    other.close()

    assert play_game(mine, me, at_random(0)) == PeerGame(End.CLOSED, None, (), (), b"")


def test_silence_ends_the_game(pair: Pair) -> None:
    mine, _ = pair

    game = play_game(mine, 0, scripted([3]), timeout=0.01)

    assert game == PeerGame(End.TIMEOUT, None, (3,), (), b"3")


def test_a_chooser_may_not_send_an_illegal_column(pair: Pair) -> None:
    mine, other = pair
    with pytest.raises(ValueError, match="illegal move 7"):
        play_game(mine, 0, scripted([7]))
    mine.close()

    assert other.recv(1024) == b""


# --- connecting -----------------------------------------------------------------------------------


def test_a_client_tries_again_every_100_ms(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        pauses: list[float] = []

        def listen_at_the_third_pause(seconds: float) -> None:
            pauses.append(seconds)
            if len(pauses) == 3:
                listener.listen(1)

        monkeypatch.setattr(time, "sleep", listen_at_the_third_pause)
        with dial(HOST, listener.getsockname()[1]) as connection:
            assert (pauses, connection.gettimeout()) == ([0.1] * 3, TIMEOUT)


def test_a_client_gives_up_in_the_end() -> None:
    with socket.socket() as deaf:
        deaf.bind((HOST, 0))
        port = deaf.getsockname()[1]
        with pytest.raises(TimeoutError, match=f"{HOST}:{port}"):
            dial(HOST, port, timeout=0.01)


def test_a_server_accepts_one_peer_and_stops_listening() -> None:
    ports = SimpleQueue[int]()
    with ThreadPoolExecutor() as pool:
        accepted = pool.submit(serve, 0, ports.put)
        port = ports.get(timeout=TIMEOUT)
        with dial(HOST, port), accepted.result() as connection:
            assert connection.gettimeout() == TIMEOUT
            with pytest.raises(ConnectionRefusedError):
                socket.create_connection((HOST, port))


def test_a_server_gives_up_in_the_end() -> None:
    with pytest.raises(TimeoutError):
        serve(0, timeout=0.01)


def test_two_processes_play_with_the_standard_library_alone() -> None:
    python = [sys.executable, "-I", "-S", str(SCRIPT)]
    moves = [f"player {ply % 2}: {column}" for ply, column in enumerate(DRAWN_GAME)]
    told = [*moves, "end: won or drawn by the rules; winner: draw"]

    with subprocess.Popen(
        [*python, "serve", "0", "--script", "draw"], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        port = server.stdout.readline().removeprefix("port ").strip()
        client = subprocess.run(
            [*python, "dial", HOST, port, "--script", "draw"],
            stdout=subprocess.PIPE,
            text=True,
            timeout=TIMEOUT,
            check=True,
        )
        assert server.stdout.read().splitlines() == told

    assert client.stdout.splitlines() == told
    assert server.returncode == 0
