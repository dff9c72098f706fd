"""A client of the server for programs: asks, waits for news, and comes back by itself."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import ClientConnection, connect

from plyboard.errors import PeerError, UsageError, shown
from plyboard.server.game.tokens import is_game_id, new_token
from plyboard.server.protocol import REPLACED, VERSION

Message = dict[str, Any]
RETRY_SECONDS = 0.5
PATIENCE = 60.0  # seconds without a connection
GAME_PATH = "/game/"
FORM = "an address such as http://127.0.0.1:8000/game/abcdefghjkmnpqrs"


def game_address(url: str) -> tuple[str, str]:
    """Return the address of the socket and the id of the game in the address of a page."""
    parts = urlsplit(url if "://" in url else f"http://{url}")
    game = parts.path.removeprefix(GAME_PATH).strip("/")
    is_known = parts.scheme in ("http", "https") and parts.path.startswith(GAME_PATH)
    if not is_known or not parts.netloc or not is_game_id(game):
        raise UsageError("wrong address", got=shown(url), expected=FORM)
    scheme = "wss" if parts.scheme == "https" else "ws"
    return f"{scheme}://{parts.netloc}/play", game


class RefusedError(PeerError):
    """The server has refused a request; `code` says why, for programs."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__("the server refused", reason=message)
        self.code, self.message = code, message


class ServerClient:
    """One game on a server, as a player or as a spectator.

    A request that was not answered when the connection broke is sent again with the same id.
    """

    def __init__(self, url: str, patience: float = PATIENCE) -> None:
        self.address, self.game = game_address(url)
        self.token: str | None = None
        self.on_trouble: Callable[[str], None] = lambda _: None  # gets a sentence for people
        self._patience = patience
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
            message: Message = json.loads(self._connected().recv(seconds))
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
        request = {"id": f"r{self._number}", **request}
        while True:
            try:
                answer = self._answer(self._connected(), request)
            except (OSError, WebSocketException) as fault:
                self._lose(fault)
                continue
            if answer["t"] == "error":
                raise RefusedError(answer["code"], answer["message"])
            return answer

    def _lose(self, fault: Exception) -> None:
        """Give a broken connection up; raise `RefusedError` if others use the seat now."""
        self.close()
        closed = fault.rcvd if isinstance(fault, ConnectionClosed) else None
        if closed is not None and closed.code == REPLACED:
            raise RefusedError("replaced", closed.reason)

    def _answer(self, socket: ClientConnection, request: Message) -> Message:
        socket.send(json.dumps(request))
        while True:
            message: Message = json.loads(socket.recv())
            if message.get("re") == request["id"]:
                return message
            if message["t"] == "game":
                self._news = message

    def _connected(self) -> ClientConnection:
        """Return the connection. A lost one is tried again for a while; the first one is not."""
        end = time.monotonic() + (self._patience if self._was_connected else 0.0)
        if self._socket is None and self._was_connected:
            self.on_trouble("The connection to the server is lost. Trying again ...")
        while self._socket is None:
            try:
                socket = self._exit.enter_context(connect(self.address, compression=None))
                self._answer(socket, {"t": "hello", "id": "hello", "version": VERSION})
                if self.token is not None:
                    self._answer(socket, {"t": "watch", "id": "again", **self._seat()})
                if self._was_connected:
                    self.on_trouble("Connected again.")
                self._socket, self._was_connected = socket, True
            except (OSError, WebSocketException) as fault:
                self.close()
                if time.monotonic() > end:
                    where = urlsplit(self.address).netloc
                    raise PeerError(f"no server at {where}", reason=_why(fault)) from fault
                time.sleep(RETRY_SECONDS)
        return self._socket


def _why(fault: Exception) -> str:
    text = getattr(fault, "strerror", None) or str(fault) or type(fault).__name__
    return str(text).partition("\n")[0]
