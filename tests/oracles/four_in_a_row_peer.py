"""A peer of the original networked four in a row, with its own rules and its own sockets.

    python tests/oracles/four_in_a_row_peer.py serve 8000              plays first
    python tests/oracles/four_in_a_row_peer.py dial 127.0.0.1 8000     plays second

Columns are chosen at random (`--seed 7`) or taken from a script of the whole game
(`--script 0101010`, or `--script draw` for a drawn game that both players must follow).
A message is one column, "0" to "6", without a terminator.
"""

from __future__ import annotations

import argparse
import random
import select
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum

ROWS, COLUMNS = 6, 7
DRAW = 2
TIMEOUT = 60.0  # seconds that any wait for the other side may take
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # right, down and both diagonals down


class Board:
    """A game in progress. Row 0 is the top row; player 0 moves first."""

    def __init__(self, columns: Sequence[int] = ()) -> None:
        self.cells: list[list[int | None]] = [[None] * COLUMNS for _ in range(ROWS)]
        self.played: list[int] = []
        for column in columns:
            self.play(column)

    def legal(self) -> list[int]:
        """Return the columns open to the next player, from the left; none after the end."""
        over = self.winner() is not None
        return [] if over else [c for c in range(COLUMNS) if self.cells[0][c] is None]

    def play(self, column: int) -> None:
        """Drop a disc of the next player; raise ValueError for an illegal move."""
        if column not in self.legal():
            raise ValueError(f"illegal move {column} after {self.played}")
        row = max(row for row in range(ROWS) if self.cells[row][column] is None)
        self.cells[row][column] = len(self.played) % 2
        self.played.append(column)

    def winner(self) -> int | None:
        """Return the player with four in a row, DRAW on a full board without one, else None."""
        for row in range(ROWS):
            for column in range(COLUMNS):
                for down, right in DIRECTIONS:
                    four = {self.at(row + i * down, column + i * right) for i in range(4)}
                    if four in ({0}, {1}):
                        return four.pop()
        return DRAW if len(self.played) == ROWS * COLUMNS else None

    def at(self, row: int, column: int) -> int | None:
        """Return the player whose disc is in a cell; None if it is empty or off the board."""
        inside = 0 <= row < ROWS and 0 <= column < COLUMNS
        return self.cells[row][column] if inside else None


Chooser = Callable[[Board], int]


def at_random(seed: int) -> Chooser:
    """Return a chooser of random legal columns."""
    chance = random.Random(seed)
    return lambda board: chance.choice(board.legal())


def scripted(columns: Sequence[int]) -> Chooser:
    """Return a chooser that follows a whole game, the columns of both players in turn."""
    return lambda board: columns[len(board.played)]


DRAWN_GAME = tuple(int(digit) for digit in "532315310141250566206042303423260411544566")
towards_draw = scripted(DRAWN_GAME)


class End(Enum):
    """Why a game ended."""

    RULES = "won or drawn by the rules"
    CLOSED = "the other side closed the connection"
    TIMEOUT = "the other side sent nothing in time"
    ILLEGAL = "the other side sent an illegal move or sent out of turn"


@dataclass(frozen=True)
class PeerGame:
    """A game as one side saw it. A move that was refused is in `reads`, not in `columns`."""

    end: End
    winner: int | None
    columns: tuple[int, ...]
    reads: tuple[bytes, ...]  # what each recv returned, without the empty one of a closed peer
    sent: bytes

    @property
    def received(self) -> bytes:
        """All bytes received, in order."""
        return b"".join(self.reads)

    @property
    def single_bytes(self) -> bool:
        """Whether each read held exactly one byte."""
        return all(len(read) == 1 for read in self.reads)


def play_game(
    connection: socket.socket,
    me: int,
    choose: Chooser,
    timeout: float = TIMEOUT,
    watch: Callable[[int, int], None] = lambda player, column: None,
) -> PeerGame:
    """Play one game as player `me` and return it; the connection stays open.

    Like the original, only the first character of a read counts. Unlike it, a message out of
    turn ends the game. `watch` is called with the player and the column of each move.
    """
    board, reads, sent = Board(), list[bytes](), bytearray()
    connection.settimeout(timeout)

    def receive() -> int:
        read = connection.recv(1024)
        if not read:
            raise ConnectionError("the other side closed the connection")
        reads.append(read)
        return read[0] - ord("0")

    def exchange() -> End:
        while board.winner() is None:
            player = len(board.played) % 2
            if player == me:
                column = choose(board)
                if select.select([connection], [], [], 0)[0]:
                    receive()
                    return End.ILLEGAL
                board.play(column)
                connection.sendall(b"%d" % column)
                sent.extend(b"%d" % column)
            else:
                column = receive()
                if column not in board.legal():
                    return End.ILLEGAL
                board.play(column)
            watch(player, column)
        return End.RULES

    try:
        end = exchange()
    except TimeoutError:
        end = End.TIMEOUT
    except ConnectionError:
        end = End.CLOSED
    return PeerGame(end, board.winner(), tuple(board.played), tuple(reads), bytes(sent))


def serve(
    port: int,
    bound: Callable[[int], None] = lambda port: None,
    host: str = "127.0.0.1",
    timeout: float = TIMEOUT,
) -> socket.socket:
    """Return the connection of the first peer to dial; port 0 takes any free port.

    `bound` is called with the port once peers can connect. The original binds
    `gethostbyname(gethostname())`.
    """
    with socket.socket() as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(1)
        listener.settimeout(timeout)
        bound(listener.getsockname()[1])
        connection = listener.accept()[0]
    connection.settimeout(timeout)
    return connection


def dial(host: str, port: int, timeout: float = TIMEOUT) -> socket.socket:
    """Return a connection to a server, tried every 100 ms; raise TimeoutError without one."""
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        with suppress(OSError):
            connection = socket.create_connection((host, port), timeout=0.01)
            connection.settimeout(timeout)
            return connection
        time.sleep(0.1)
    raise TimeoutError(f"nobody listens on {host}:{port}")


def main() -> None:
    """Play one game as the command line says, and print its moves and its winner."""
    parser = argparse.ArgumentParser(description="Play the networked four in a row.")
    roles = parser.add_subparsers(dest="role", required=True)
    server = roles.add_parser("serve", help="wait for a peer and play first")
    client = roles.add_parser("dial", help="connect to a server and play second")
    server.add_argument("--host", default="127.0.0.1", help="the address to listen on")
    client.add_argument("host")
    for role in (server, client):
        role.add_argument("port", type=int)
        role.add_argument("--seed", type=int, default=0, help="seed of the random columns")
        role.add_argument("--script", help="the columns of the whole game, or 'draw'")
    options = parser.parse_args()

    choose = at_random(options.seed)
    if options.script:
        script = DRAWN_GAME if options.script == "draw" else map(int, options.script)
        choose = scripted(tuple(script))
    if options.role == "serve":
        me, connection = 0, serve(options.port, lambda port: show(f"port {port}"), options.host)
    else:
        me, connection = 1, dial(options.host, options.port)
    with connection:
        game = play_game(
            connection, me, choose, watch=lambda player, column: show(f"player {player}: {column}")
        )
    show(f"end: {game.end.value}; winner: {'draw' if game.winner == DRAW else game.winner}")
    if not game.single_bytes:
        show(f"reads of more than one byte: {[read for read in game.reads if len(read) > 1]}")


def show(line: str) -> None:
    """Print a line at once, also into a pipe."""
    print(line, flush=True)


if __name__ == "__main__":
    main()
