"""A client of the server for programs: asks, waits for news, and comes back by itself."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from types import TracebackType
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

import msgspec
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from plyboard.errors import PeerError, UsageError, printable, shown
from plyboard.server.game.tokens import is_game_id, new_token
from plyboard.server.protocol import (
    REPLACED,
    VERSION,
    Ack,
    Created,
    ErrorAnswer,
    GameView,
    PositionView,
    Rotated,
    Welcome,
)

Fields = dict[str, Any]  # of a request
Heard = Welcome | Ack | Created | Rotated | ErrorAnswer | GameView | PositionView
Wanted = TypeVar("Wanted", Welcome, Ack, Created, Rotated, GameView, PositionView)
LONGEST_TEXT = 1000  # characters that are kept of a text that the server sent
RETRY_SECONDS = 0.5
PATIENCE = 60.0  # seconds without a connection
ANSWER_SECONDS = 30.0  # for an answer, before the connection is opened again
GAME_PATH = "/game/"
FORM = "an address such as http://127.0.0.1:8000/game/abcdefghjkmnpqrs"


def game_address(url: str) -> tuple[str, str]:
    """Return the address of the socket and the id of the game in the address of a page.

    The address of the socket names the game, so that a proxy can bring its players together.
    """
    parts = urlsplit(url if "://" in url else f"http://{url}")
    game = parts.path.removeprefix(GAME_PATH).strip("/")
    is_known = parts.scheme in ("http", "https") and parts.path.startswith(GAME_PATH)
    if not is_known or not parts.netloc or not is_game_id(game):
        raise UsageError("wrong address", got=shown(url), expected=FORM)
    return f"{socket_address(parts.geturl())}?game={game}", game


def socket_address(server: str) -> str:
    """Return the address of the socket of a server, given as http://127.0.0.1:8000."""
    parts = urlsplit(server)
    return f"{'wss' if parts.scheme == 'https' else 'ws'}://{parts.netloc}/play"


class WrongMessageError(PeerError):
    """A message that no Plyboard server sends."""


class RefusedError(PeerError):
    """The server has refused a request; `code` says why, for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__("the server refused", reason=message)
        self.code, self.message = code, message


class ServerClient:
    """One game on a server, as a player or as a spectator.

    A request that was not answered when the connection broke is sent again with the same id.
    """

    def __init__(self, url: str, patience: float = PATIENCE, *, has_game: bool = True) -> None:
        """Take the address of a game; without `has_game` that of a server, for `create`."""
        self.address, self.game = game_address(url) if has_game else (socket_address(url), "")
        self.token: str | None = None
        self.patience = patience
        self.on_trouble: Callable[[str], None] = lambda _: None  # gets a sentence for people
        self._was_connected = False
        self._exit = ExitStack()
        self._socket: ClientConnection | None = None
        self._number = 0
        self._rotation: Fields | None = None  # that has not been answered
        self._news: GameView | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connection."""
        self._exit.close()
        self._socket = None

    def check_game(self, spec: str) -> None:
        """Raise an error if there is no server, or if it does not know a game."""
        self._ask({"t": "position", "game": spec}, PositionView)

    def create(self, game: Fields) -> GameView:
        """Make a game on the server, take its seat `me`, and return it."""
        made = self._ask({"t": "create", **game}, Created)
        if not is_game_id(made.game) or made.token is None:
            raise WrongMessageError("wrong message", reason="the server has made no game")
        self.game, self.token = made.game, made.token
        return self.watch()

    def watch(self) -> GameView:
        """Return the game, and get its news from now on."""
        return self._ask({"t": "watch", **self._seat()}, GameView)

    def sit(self, name: str) -> GameView:
        """Take the open seat, and return the game."""
        token = new_token()
        self._ask({"t": "sit", "game": self.game, "name": name, "token": token}, Created)
        self.token = token
        return self.watch()

    def rotate(self) -> GameView:
        """Replace the token of the seat, and return the game; the old token is refused then.

        If that fails, nobody knows which token is good: call it again, which repeats the request.
        """
        if self.token is None:
            raise RefusedError("not_a_player", "Only a player has a token.")
        if self._rotation is None:
            self._number += 1
            old, new = self.token, new_token()
            self._rotation = {"t": "rotate", "id": f"r{self._number}", "token": old, "new": new}
        self.token = self._ask({"game": self.game, **self._rotation}, Rotated).token
        self._rotation = None
        return self.watch()

    def move(self, view: GameView, move: str) -> GameView:
        """Make a move in a position of the game, and return the game after it."""
        self._ask({"t": "move", "game": self.game, "seq": view.seq, "move": move}, Ack)
        return self.watch()

    def do(self, view: GameView, what: str) -> GameView:
        """Resign, offer a draw and so on; return the game after it."""
        self._ask({"t": "do", "game": self.game, "seq": view.seq, "what": what}, Ack)
        return self.watch()

    def wait(self, view: GameView) -> GameView:
        """Wait until the game has changed, and return it."""
        while (news := self.poll(view)) is None:
            pass
        return news

    def poll(self, view: GameView, seconds: float | None = None) -> GameView | None:
        """Return the game if it changes within so many seconds; None if it may not have."""
        news, self._news = self._news, None
        if news is not None and news.seq > view.seq:
            return news
        try:
            heard = read_message(self._connected().recv(seconds))
        except TimeoutError:
            return None
        except (OSError, WebSocketException) as fault:
            self._lose(fault)
            heard = self.watch()
        return heard if isinstance(heard, GameView) and heard.seq > view.seq else None

    def _seat(self) -> Fields:
        return {"game": self.game, **({"token": self.token} if self.token else {})}

    def _ask(self, request: Fields, kind: type[Wanted]) -> Wanted:
        """Return the answer to a request; raise `RefusedError` if it is refused."""
        self._number += 1
        request, end = {"id": f"r{self._number}", **request}, time.monotonic() + self.patience
        while True:
            try:
                return self._answer(self._connected(), request, kind)
            except (OSError, WebSocketException) as fault:
                self._lose(fault)
                if time.monotonic() > end:
                    raise self._no_server(fault) from fault

    def _lose(self, fault: Exception) -> None:
        """Give a broken connection up; raise `RefusedError` if others use the seat now."""
        self.close()
        closed = fault.rcvd if isinstance(fault, ConnectionClosed) else None
        if closed is not None and closed.code == REPLACED:
            raise RefusedError("replaced", printable(closed.reason, LONGEST_TEXT))

    def _answer(self, socket: ClientConnection, request: Fields, kind: type[Wanted]) -> Wanted:
        end = time.monotonic() + ANSWER_SECONDS
        socket.send(json.dumps(request))
        while True:
            heard = read_message(socket.recv(max(0.0, end - time.monotonic())))
            if heard.re == request["id"]:
                if isinstance(heard, ErrorAnswer):
                    raise RefusedError(heard.code, heard.message)
                if not isinstance(heard, kind):
                    raise _wrong_message()
                return heard
            if isinstance(heard, GameView):
                self._news = heard

    def _connected(self) -> ClientConnection:
        """Return the connection. A lost one is tried again for a while; the first one is not."""
        end = time.monotonic() + (self.patience if self._was_connected else 0.0)
        if self._socket is None and self._was_connected:
            self.on_trouble("The connection to the server is lost. Trying again ...")
        while self._socket is None:
            try:
                self._socket = self._connect()
            except (OSError, WebSocketException) as fault:
                self.close()
                if time.monotonic() > end:
                    raise self._no_server(fault) from fault
                time.sleep(RETRY_SECONDS)
        return self._socket

    def _connect(self) -> ClientConnection:
        socket = self._exit.enter_context(connect(self.address, compression=None))
        try:
            self._answer(socket, {"t": "hello", "id": "hello", "version": VERSION}, Welcome)
        except RefusedError as fault:
            reason = f"the server is of another kind ({fault.message})"
            raise WrongMessageError("wrong message", reason=reason) from fault
        if self.token is not None:
            with suppress(RefusedError):  # the request that follows is refused, too
                self._answer(socket, {"t": "watch", "id": "again", **self._seat()}, GameView)
        if self._was_connected:
            self.on_trouble("Connected again.")
        self._was_connected = True
        return socket

    def _no_server(self, fault: Exception) -> PeerError:
        reason = printable(_why(fault), LONGEST_TEXT)
        return PeerError(f"no server at {urlsplit(self.address).netloc}", reason=reason)


def read_message(data: str | bytes) -> Heard:
    """Return a message of the server, which need not be honest: all its texts are printable."""
    try:
        heard: Heard = msgspec.convert(_printable(msgspec.json.decode(data)), Heard)
    except (msgspec.DecodeError, RecursionError) as fault:
        raise _wrong_message() from fault
    return heard


def _printable(value: Any) -> Any:
    """Return a decoded message with only printable texts."""
    if isinstance(value, str):
        return printable(value, LONGEST_TEXT)
    if isinstance(value, list):
        return [_printable(each) for each in value]
    if isinstance(value, dict):
        return {name: _printable(each) for name, each in value.items()}
    return value


def _wrong_message() -> WrongMessageError:
    return WrongMessageError("wrong message", reason="the server sent what cannot be read")


def _why(fault: Exception) -> str:
    text = getattr(fault, "strerror", None) or str(fault) or type(fault).__name__
    return str(text).partition("\n")[0]
