"""The classes of Four In A Row, so that a program written against them runs with ours.

`Game`, `AI` with its `Node`, and `Communicator` need no window; `Screen` and `FourInARow` need Tk.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from plyboard.agents.bots.opening import open_bot
from plyboard.errors import GameOverError, IllegalMoveError, PlyboardError, UsageError
from plyboard.games import Position
from plyboard.network import PeerConnection, PeerEvent, PeerLost
from plyboard.network.connection import LOOPBACK
from plyboard.network.messages import END_SECONDS, ILLEGAL_MOVE, MESSAGE_SECONDS, NO_AI_MOVES
from plyboard.network.setup import GAME, HUMAN, NetworkSetup
from plyboard.play import Match
from plyboard.play.live_match import LiveMatch
from plyboard.play.seat import SeatInput
from plyboard.search.common.budget import Budget
from plyboard.search.mcts.jericho import USUAL, JerichoSearch, JerichoTree

if TYPE_CHECKING:
    import tkinter as tk

ROWS, COLUMNS = 6, 7
SHORTEST_SECONDS = 0.001
DEFAULT_AGENT = "jericho:keep=yes"
ILLEGAL_LOCATION = "Illegal location."


class Game:
    """A game of four in a row. Row 0 is the top row; columns are counted from 0."""

    PLAYER_ONE, PLAYER_TWO, DRAW = 0, 1, 2

    def __init__(self) -> None:
        self._position = Position(GAME)

    def make_move(self, column: int) -> None:
        """Drop a disc of the current player.

        An illegal move raises `IllegalMoveError` with the text `Illegal move.`
        """
        try:
            self._position = self._position.apply_action(column)
        except PlyboardError:
            raise IllegalMoveError(ILLEGAL_MOVE) from None

    def get_winner(self) -> int | None:
        """Return the winner, `DRAW`, or None if the game is not over."""
        outcome = self._position.outcome()
        if outcome is None:
            return None
        return self.DRAW if outcome.winner is None else outcome.winner

    def get_player_at(self, row: int, col: int) -> int | None:
        """Return whose disc is in a cell; None if it is empty.

        A cell off the board raises `UsageError` with the text `Illegal location.`
        """
        if row not in range(ROWS) or col not in range(COLUMNS):
            raise UsageError(ILLEGAL_LOCATION)
        symbol = self._position.picture().rows[row][col]
        players = self._position.game.players
        return players.index(symbol) if symbol in players else None

    def get_current_player(self) -> int:
        """Return the player to move."""
        return self._position.mover


class ReadableGame(Protocol):
    """The methods of `Game` that an `AI` needs."""

    def get_player_at(self, row: int, col: int) -> int | None:
        """Return the owner of the disc in a cell; None if it is empty."""

    def get_current_player(self) -> int:
        """Return the player to move."""

    def get_winner(self) -> int | None:
        """Return the winner, 2 for a draw, or None if the game is not over."""


class Node:
    """A node of the tree of `AI.build_tree`.

    The score is the sum of results for the player to move at the root: above 0 when winning.
    """

    def __init__(self, tree: JerichoTree, index: int = 0, score: float = 0.0) -> None:
        self.score = score
        self._tree, self._index = tree, index

    @cached_property
    def children(self) -> Mapping[int, Node]:
        """The nodes after each column, in the order of their first visit."""
        children = self._tree.children(self._index)
        return {each.action: Node(self._tree, each.node, each.score) for each in children}


class AI:
    """Chooses columns in a game of this program. One object plays one game."""

    def __init__(self, spec: str = DEFAULT_AGENT, seed: int = 0) -> None:
        self._bot = open_bot(spec, GAME)
        self._seed = seed

    def find_legal_move(
        self, game: ReadableGame, func: Callable[[int], object], timeout: float | None = None
    ) -> None:
        """Call the function with the chosen column, counted from 0; the game is not changed.

        The timeout is in seconds; without one the agent uses its default budget. If there is no
        move, it raises `GameOverError` with the text `No possible AI moves.`
        """
        seconds = None if timeout is None else max(float(timeout), SHORTEST_SECONDS)
        budget = Budget(seconds=seconds, seed=self._seed)
        func(self._bot.think(_position_to_move(game), budget).action)

    def build_tree(self, game: ReadableGame, iterations: int = USUAL.simulations or 0) -> Node:
        """Return the root of a tree of so many random branches; raises as `find_legal_move`."""
        search = JerichoSearch(keep=True)
        budget = Budget(simulations=iterations, seed=self._seed)
        choice = search.search(_position_to_move(game), budget)
        assert search.tree is not None
        return Node(search.tree, score=sum((choice.values or {}).values()))


def _position_to_move(game: ReadableGame) -> Position:
    position = None if game.get_winner() is not None else position_of(game)
    if position is None or not position.legal_actions():
        raise GameOverError(NO_AI_MOVES)
    return position


def position_of(game: ReadableGame) -> Position:
    """Return the position of a game.

    Our `x` always began, so the player to move is `x` if the number of discs is even, else `o`.
    """
    cells = [[game.get_player_at(row, column) for column in range(COLUMNS)] for row in range(ROWS)]
    played = sum(cell is not None for row in cells for cell in row)
    mine, theirs = ("x", "o") if played % 2 == 0 else ("o", "x")
    symbols = {None: ".", game.get_current_player(): mine, 1 - game.get_current_player(): theirs}
    rows = ["".join(symbols[cell] for cell in row) for row in cells]
    return Position(GAME, f"{'/'.join(rows)} {mine}")


class EventLoop(Protocol):
    """What `Communicator` needs of a Tk root."""

    def after(self, ms: int, func: Callable[[], object]) -> object:
        """Call a function after so many milliseconds."""

    def destroy(self) -> object:
        """End the program."""


class Communicator:
    """Sends and receives texts without blocking, polled by the event loop every 100 ms.

    Without an IP it waits for the other side, otherwise it connects to it.
    """

    WAIT_PERIOD = 100  # milliseconds
    BIND_ADDRESS: str | None = None  # None for the address of this machine, as in the original

    def __init__(self, root: EventLoop, port: int, ip: str | None = None) -> None:
        self._root = root
        self._on_message: Callable[[str], object] | None = None
        self._is_polled = False
        self._connection = (
            TextConnection.listen(self.BIND_ADDRESS or own_address(), port)
            if ip is None
            else TextConnection.dial(ip, port)
        )

    def connect(self) -> None:
        """Begin to connect; needed before anything is sent or received."""
        if not self._is_polled:
            self._is_polled = True
            self._poll()

    def bind_action_to_message(self, func: Callable[[str], object]) -> None:
        """Call this function with each message."""
        self._on_message = func

    def send_message(self, message: object) -> None:
        """Send a text; it is held until the connection is established."""
        self._connection.send_text(str(message))

    def is_connected(self) -> bool:
        """Return whether the connection is established."""
        return self._connection.is_connected

    def close(self) -> None:
        """Close the connection; the original leaves that to the end of the program."""
        self._connection.close()

    def _poll(self) -> None:
        """Pass on what has come. When the other side closes, the program ends, as there."""
        if self._connection.is_closed:
            return
        for event in self._connection.poll():
            if isinstance(event, PeerLost):
                self._root.destroy()
                return
        for text in self._connection.take_texts():
            if self._on_message is not None:
                self._on_message(text)
        self._root.after(self.WAIT_PERIOD, self._poll)


class TextConnection(PeerConnection):
    """A connection for any text, not only for columns. Each read is one message."""

    def send_text(self, text: str) -> None:
        """Send a text now, or once the connection is established."""
        self._send(text.encode("utf-8", "replace"))

    def take_texts(self) -> list[str]:
        """Return the texts that have come since the last call."""
        texts, self._texts = self._texts, []
        return texts

    @cached_property
    def _texts(self) -> list[str]:
        return []

    def _read(self, data: bytes) -> list[PeerEvent]:
        self._texts.append(data.decode("utf-8", "replace"))
        return []


class Screen:
    """The board in a window. A click on a column calls a function, which decides about it."""

    def __init__(self, tk_root: tk.Tk, my_color: int, button_func: Callable[[int], object]) -> None:
        from plyboard.window.match_window import MatchWindow

        self._root, self._live = tk_root, ClickedMatch(button_func)
        people = my_color == Game.PLAYER_ONE, my_color == Game.PLAYER_TWO
        self.window = MatchWindow(tk_root, self._live, people)
        self.window.start()

    def update_cell(self, row: int, col: int, player: int, anim: bool = True) -> None:
        """Show a disc of the player to move in a column; with `anim` it falls.

        A disc that cannot lie there raises `IllegalMoveError` with the text `Illegal move.`
        """
        match = self._live.match
        try:
            after = match.apply_action(col)
        except PlyboardError:
            raise IllegalMoveError(ILLEGAL_MOVE) from None
        lies = {(cell.row, cell.column) for cell in after.position.picture().last}
        if match.mover != player or lies != {(row, col)}:
            raise IllegalMoveError(ILLEGAL_MOVE)
        self.window.animates = anim
        self._live.set_match(after)

    def win(self, coord: tuple[int, int], direction: tuple[int, int], winner: int) -> None:
        """Accept the winning four; they flash anyway once the last disc is there."""

    def print_to_screen(self, msg: str, player: int, end: bool = False) -> None:
        """Show a message beside a player's label, for 4 seconds or for 100 at the end."""
        self.window.show_message(player, msg, END_SECONDS if end else MESSAGE_SECONDS)

    def clear_msg(self, player: int) -> None:
        """Remove the message of a player."""
        self.window.show_message(player, "")

    def get_root(self) -> tk.Tk:
        """Return the Tk root."""
        return self._root


class ClickedMatch(LiveMatch):
    """A match that passes clicks on to a function instead of playing them."""

    def __init__(self, on_click: Callable[[int], object]) -> None:
        super().__init__(Match.of(Position(GAME)), (None, None))
        self._on_click = on_click

    def submit(self, player: int, said: SeatInput) -> None:
        """Call the function with the column that was clicked, counted from 0."""
        self._on_click(self.match.start.game.parse(str(said)))


class FourInARow:
    """The whole program: a window in which a person or an AI plays over the network.

    The owner runs the main loop of the root, as the original does.
    """

    BIND_ADDRESS: str | None = None  # as in `Communicator`

    def __init__(self, root: tk.Tk, player: str, port: int, ip: str | None = None) -> None:
        from plyboard.window.network_game import NetworkGameWindow

        self.game = NetworkGameWindow(
            root,
            NetworkSetup(
                HUMAN if player == HUMAN else DEFAULT_AGENT,
                port,
                ip,
                bind=self.BIND_ADDRESS or own_address(),
            ),
        )
        self.game.start()

    def one_turn(self, column: int) -> None:
        """Play a column for the local player, as a click does."""
        network = self.game.network
        network.live.submit(network.local_player, column)


def own_address() -> str:
    """Return the address of this machine, by its name; the loopback address without one."""
    try:
        return socket.gethostbyname(socket.gethostname())
    except OSError:
        return LOOPBACK
