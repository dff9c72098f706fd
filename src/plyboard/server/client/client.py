"""A client of the server for programs: asks, waits for news, and comes back by itself."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self, cast
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from plyboard.errors import PeerError, UsageError, shown
from plyboard.server.game.tokens import is_game_id, new_token
from plyboard.server.protocol import REPLACED, VERSION

Message = dict[str, Any]
RETRY_SECONDS = 0.5
PATIENCE = 60.0  # seconds without a connection
ANSWER_SECONDS = 30.0  # for an answer, before the connection is opened again
GAME_PATH = "/game/"
FORM = "an address such as http://127.0.0.1:8000/game/abcdefghjkmnpqrs"


def game_address(url: str) -> tuple[str, str]:
    """Return the address of the socket and the id of the game in the address of a page."""
    parts = urlsplit(url if "://" in url else f"http://{url}")
    game = parts.path.removeprefix(GAME_PATH).strip("/")
    is_known = parts.scheme in ("http", "https") and parts.path.startswith(GAME_PATH)
    if not is_known or not parts.netloc or not is_game_id(game):
        raise UsageError("wrong address", got=shown(url), expected=FORM)
    return socket_address(parts.geturl()), game


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
        self._rotation: Message | None = None  # that has not been answered
        self._news: Message | None = None

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
        self._ask({"t": "position", "game": spec})

    def create(self, game: Message) -> Message:
        """Make a game on the server, take its seat `me`, and return it."""
        made = self._ask({"t": "create", **game})
        found, token = made.get("game"), made.get("token")
        if not isinstance(found, str) or not is_game_id(found) or not isinstance(token, str):
            raise WrongMessageError("wrong message", reason="the server has made no game")
        self.game, self.token = found, token
        return self.watch()

    def watch(self) -> Message:
        """Return the game, and get its news from now on."""
        return self._ask({"t": "watch", **self._seat()})

    def sit(self, name: str) -> Message:
        """Take the open seat, and return the game."""
        token = new_token()
        self._ask({"t": "sit", "game": self.game, "name": name, "token": token})
        self.token = token
        return self.watch()

    def rotate(self) -> Message:
        """Replace the token of the seat, and return the game; the old token is refused then.

        If that fails, nobody knows which token is good: call it again, which repeats the request.
        """
        if self.token is None:
            raise RefusedError("not_a_player", "Only a player has a token.")
        if self._rotation is None:
            self._number += 1
            old, new = self.token, new_token()
            self._rotation = {"t": "rotate", "id": f"r{self._number}", "token": old, "new": new}
        self.token = self._ask({"game": self.game, **self._rotation})["token"]
        self._rotation = None
        return self.watch()

    def move(self, view: Message, move: str) -> Message:
        """Make a move in a position of the game, and return the game after it."""
        self._ask({"t": "move", "game": self.game, "seq": view["seq"], "move": move})
        return self.watch()

    def do(self, view: Message, what: str) -> Message:
        """Resign, offer a draw and so on; return the game after it."""
        self._ask({"t": "do", "game": self.game, "seq": view["seq"], "what": what})
        return self.watch()

    def wait(self, view: Message) -> Message:
        """Wait until the game has changed, and return it."""
        while (news := self.poll(view)) is None:
            pass
        return news

    def poll(self, view: Message, seconds: float | None = None) -> Message | None:
        """Return the game if it changes within so many seconds; None if it may not have."""
        news, self._news = self._news, None
        if news is not None and news["seq"] > view["seq"]:
            return news
        try:
            message = _read(self._connected().recv(seconds))
        except TimeoutError:
            return None
        except (OSError, WebSocketException) as fault:
            self._lose(fault)
            message = self.watch()
        is_news = message["t"] == "game" and message["seq"] > view["seq"]
        return message if is_news else None

    def _seat(self) -> Message:
        return {"game": self.game, **({"token": self.token} if self.token else {})}

    def _ask(self, request: Message) -> Message:
        """Return the answer to a request; raise `RefusedError` if it is refused."""
        self._number += 1
        request, end = {"id": f"r{self._number}", **request}, time.monotonic() + self.patience
        while True:
            try:
                answer = self._answer(self._connected(), request)
            except (OSError, WebSocketException) as fault:
                self._lose(fault)
                if time.monotonic() > end:
                    raise self._no_server(fault) from fault
                continue
            if answer["t"] == "error":
                raise RefusedError(str(answer.get("code")), str(answer.get("message")))
            return answer

    def _lose(self, fault: Exception) -> None:
        """Give a broken connection up; raise `RefusedError` if others use the seat now."""
        self.close()
        closed = fault.rcvd if isinstance(fault, ConnectionClosed) else None
        if closed is not None and closed.code == REPLACED:
            raise RefusedError("replaced", closed.reason)

    def _answer(self, socket: ClientConnection, request: Message) -> Message:
        end = time.monotonic() + ANSWER_SECONDS
        socket.send(json.dumps(request))
        while True:
            message = _read(socket.recv(max(0.0, end - time.monotonic())))
            if message.get("re") == request["id"]:
                return message
            if message["t"] == "game":
                self._news = message

    def _connected(self) -> ClientConnection:
        """Return the connection. A lost one is tried again for a while; the first one is not."""
        end = time.monotonic() + (self.patience if self._was_connected else 0.0)
        if self._socket is None and self._was_connected:
            self.on_trouble("The connection to the server is lost. Trying again ...")
        while self._socket is None:
            try:
                socket = self._exit.enter_context(connect(self.address, compression=None))
                hello = self._answer(socket, {"t": "hello", "id": "hello", "version": VERSION})
                if hello["t"] != "welcome":
                    raise WrongMessageError("wrong message", reason="the server is of another kind")
                if self.token is not None:
                    self._answer(socket, {"t": "watch", "id": "again", **self._seat()})
                if self._was_connected:
                    self.on_trouble("Connected again.")
                self._socket, self._was_connected = socket, True
            except (OSError, WebSocketException) as fault:
                self.close()
                if time.monotonic() > end:
                    raise self._no_server(fault) from fault
                time.sleep(RETRY_SECONDS)
        return self._socket

    def _no_server(self, fault: Exception) -> PeerError:
        return PeerError(f"no server at {urlsplit(self.address).netloc}", reason=_why(fault))


def _read(text: str | bytes) -> Message:
    """Return a message of the server, with what every message has."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        message = None
    is_message = isinstance(message, dict) and isinstance(message.get("t"), str)
    if not is_message or (message["t"] == "game" and type(message.get("seq")) is not int):
        raise WrongMessageError("wrong message", reason="the server sent what cannot be read")
    return cast(Message, message)


def _why(fault: Exception) -> str:
    text = getattr(fault, "strerror", None) or str(fault) or type(fault).__name__
    return str(text).partition("\n")[0]
