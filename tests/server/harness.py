"""A server in a thread of the test, and a client that checks what it gets."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import uvicorn
from server.watchdog import SERVER_THREAD, no_stalls
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from plyboard.server.http.app import create_app
from plyboard.server.http.running import listener, server_config
from plyboard.server.limits import LOCAL_LIMITS, ServerLimits
from plyboard.server.storage.store import GameStore

LIMIT = 60.0  # seconds; only a hang takes longer
Message = dict[str, Any]
NO_LIMITS = replace(
    LOCAL_LIMITS, messages=100_000, sockets_per_address=1000, content_errors=10_000,
    games_per_address=100_000, new_games_per_minute=1_000_000, failed_tokens_per_minute=1_000_000,
    analyses_per_address=1_000_000,
)  # fmt: skip
"""For tests that share a server and do not look at its limits."""
PLYBOARD = str(Path(sys.executable).parent / "plyboard")
SERVE = [PLYBOARD, "serve", "--port", "0", "--no-warm", "--store"]
ME, OPEN = {"kind": "me"}, {"kind": "open"}


class Client:
    """A client of the protocol. Every answer is checked to belong to its request."""

    def __init__(self, address: str, hello: bool = True, origin: str | None = None) -> None:
        url = address.replace("http://", "ws://") + "play"
        headers = {"Origin": origin} if origin else None
        self._exit = ExitStack()
        self.socket: ClientConnection = self._exit.enter_context(
            connect(url, compression=None, additional_headers=headers, open_timeout=LIMIT)
        )
        self.news: list[Message] = []  # messages that answer nothing
        self.count = 0
        if hello:
            assert self.ask("hello", version=1)["t"] == "welcome"

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
        self._exit.close()

    def send(self, text: str | bytes) -> None:
        self.socket.send(text)

    def receive(self) -> Message:
        found: Message = json.loads(self.socket.recv(timeout=LIMIT))
        return found

    def ask(self, kind: str, id: str = "", **fields: object) -> Message:  # noqa: A002
        """Send a request and return its answer; other messages become news."""
        self.count += 1
        request = id or f"r{self.count}"
        self.send(json.dumps({"t": kind, "id": request, **fields}))
        while (message := self.receive()).get("re") != request:
            self.news.append(message)
        return message

    def until(self, is_wanted: Callable[[Message], bool]) -> Message:
        """Return the first news that is wanted; earlier ones are dropped."""
        while True:
            message = self.news.pop(0) if self.news else self.receive()
            if is_wanted(message):
                return message

    def create(self, game: str = "connect-four", *seats: Message, **more: object) -> Message:
        found = self.ask("create", "", game=game, seats=list(seats) or [ME, OPEN], **more)
        assert found["t"] == "created", found
        return found

    def watch(self, game: str, token: str | None = None) -> Message:
        return self.ask("watch", game=game, **({"token": token} if token else {}))

    def move(self, game: str, seq: int, move: str, id: str = "") -> Message:  # noqa: A002
        return self.ask("move", id, game=game, seq=seq, move=move)

    def closed(self) -> tuple[int, str]:
        """Wait until the server closes the socket; return its code and reason."""
        try:
            while True:
                self.socket.recv(timeout=LIMIT)
        except ConnectionClosed as fault:
            return (fault.rcvd.code, fault.rcvd.reason) if fault.rcvd else (1006, "")


def new_game(first: Client, second: Client, game: str = "connect-four", **more: object) -> str:
    """Seat two clients at a new game, and return its id."""
    made = first.create(game, ME, OPEN, **more)
    first.watch(made["game"], made["token"])
    second.ask("sit", game=made["game"], name="Bob")
    first.until(lambda news: news["t"] == "game" and not news.get("waiting"))
    return str(made["game"])


@contextmanager
def serving(
    store_at: Path | str, limits: ServerLimits = LOCAL_LIMITS, port: int = 0
) -> Iterator[str]:
    """Serve a store in a thread; give the address."""
    store, socket = GameStore(str(store_at)), listener("127.0.0.1", port)
    server = uvicorn.Server(server_config(create_app(store, limits)))
    thread = threading.Thread(target=server.run, args=([socket],), name=SERVER_THREAD, daemon=True)
    thread.start()
    end = time.monotonic() + LIMIT
    while not server.started:
        assert time.monotonic() < end, "the server does not start"
        time.sleep(0.01)
    try:
        with no_stalls():
            yield f"http://127.0.0.1:{socket.getsockname()[1]}/"
    finally:
        server.should_exit = True
        thread.join(LIMIT)
        socket.close()
        store.close()


class RunningServer:
    """A server in a process of its own."""

    def __init__(self, store: str) -> None:
        self.process = subprocess.Popen([*SERVE, store], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        found = re.search(r"http://\S+/", self.process.stdout.readline())
        assert found, "the server does not start"
        self.address = found[0]

    def stop(self, number: int = signal.SIGTERM) -> None:
        self.process.send_signal(number)
        self.process.wait(LIMIT)
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def running(store_at: Path | str) -> Iterator[RunningServer]:
    """Run a server until the end of the block."""
    server = RunningServer(str(store_at))
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()
