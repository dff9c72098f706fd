"""Starts and stops the server process."""

from __future__ import annotations

import gc
import signal
import socket
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn
from starlette.applications import Starlette
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from plyboard.errors import UnusableError
from plyboard.server.app import create_app
from plyboard.server.connection import ABORT
from plyboard.server.limits import DEFAULT_LIMITS
from plyboard.server.store import GameStore

GARBAGE_THRESHOLDS = 20_000, 50, 1_000


class AbortableProtocol(WebSocketsSansIOProtocol):
    """Lets the application drop a connection whose client does not read.

    An ordinary close would wait until all data has been sent, which may be never.
    """

    async def run_asgi(self) -> None:
        """Serve the socket."""
        self.scope["state"][ABORT] = self.transport.abort
        await super().run_asgi()


class _Server(uvicorn.Server):
    """Says where it listens once it accepts connections."""

    def __init__(self, config: uvicorn.Config, address: str, open_page: bool) -> None:
        super().__init__(config)
        self._address, self._open_page = address, open_page

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let Ctrl-C and SIGTERM end the server as usual, with exit code 0."""
        numbers = (signal.SIGINT, signal.SIGTERM)
        before = [signal.signal(number, self.handle_exit) for number in numbers]
        try:
            yield
        finally:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            print(f"Plyboard is ready: {self._address}  (Ctrl-C ends it)", flush=True)
            if self._open_page:
                webbrowser.open(self._address)


def run_server(host: str, port: int, store: str, *, open_page: bool = False) -> None:
    """Serve the games of an SQLite file until Ctrl-C or SIGTERM."""
    tune_garbage_collector()
    bound = listener(host, port)
    games = GameStore(f"sqlite:///{store}")
    try:
        name, number = bound.getsockname()[:2]
        shown = f"[{name}]" if ":" in name else name
        config = server_config(create_app(games))
        _Server(config, f"http://{shown}:{number}/", open_page).run([bound])
    finally:
        bound.close()
        games.close()


def tune_garbage_collector() -> None:
    """Look for garbage rarely, and never among what was imported: a full look takes 160 ms."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE_THRESHOLDS)


def server_config(app: Starlette) -> uvicorn.Config:
    """Return the settings of the web server."""
    limits = DEFAULT_LIMITS
    return uvicorn.Config(
        app,
        ws=AbortableProtocol,
        log_level="warning",
        access_log=False,
        server_header=False,
        ws_max_size=limits.message_bytes,
        ws_per_message_deflate=False,
        ws_ping_interval=limits.ping_seconds,
        ws_ping_timeout=limits.ping_seconds,
        timeout_graceful_shutdown=int(limits.stop_seconds) - 1,
    )


def listener(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise `UnusableError` if the port cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small messages at once (TCP_NODELAY) only if the protocol is named here.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as fault:
        made.close()
        reason = f"{fault.strerror}; choose another one with --port, or 0 for any"
        raise UnusableError(f"cannot listen on port {port}", reason=reason) from fault
    made.listen(128)
    return made
