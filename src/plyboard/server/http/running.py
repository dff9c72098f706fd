"""Starts and stops the server process."""

from __future__ import annotations

import gc
import logging
import os
import re
import resource
import shutil
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from types import FrameType

import uvicorn
from starlette.applications import Starlette

from plyboard.errors import PlyboardError, UnusableError
from plyboard.kernel import jit_is_on
from plyboard.server.http.app import create_app
from plyboard.server.http.logs import configure_logs
from plyboard.server.http.protocols import ServerConfig
from plyboard.server.http.settings import ServerSettings
from plyboard.server.limits import ServerLimits
from plyboard.server.storage.file_lock import StoreInUseError
from plyboard.server.storage.store import GameStore

LOG = logging.getLogger("plyboard.server")
FLOORS = {"uvicorn": (0, 52, 1), "starlette": (1, 3, 1), "websockets": (15, 0, 1), "h11": (0, 16)}
"""The first versions without known faults: unbounded buffers, request smuggling, lost closes."""
SPARE_HANDLES = 120  # for the store, worker processes and files
LEAST_SOCKETS = 8
GARBAGE_THRESHOLDS = 20_000, 50, 1_000
SWITCH_SECONDS = 0.0005  # that a thread waits for another one: the writer waits often
USUAL_PORT = 8000
QUEUED_CONNECTIONS = 2048  # that are not accepted yet


class _Server(uvicorn.Server):
    """Says where it listens once it accepts connections."""

    def __init__(
        self, app: Starlette, address: str, *, open_page: bool = False, warm: bool = True
    ) -> None:
        super().__init__(server_config(app))
        self.reload: Callable[[], None] | None = None  # reads the settings again
        self._app, self._address, self._open_page, self._warm = app, address, open_page, warm

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Let Ctrl-C and SIGTERM end the server as usual, with exit code 0."""
        numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
        before = [signal.signal(number, self._handle_signal) for number in numbers]
        try:
            yield
        finally:
            for number, handler in zip(numbers, before, strict=True):
                signal.signal(number, handler)

    def _handle_signal(self, number: int, frame: FrameType | None) -> None:
        """Read the settings again on SIGHUP; end on the other signals."""
        if number == signal.SIGHUP and self.reload is not None:
            self.reload()
        else:
            self.handle_exit(number, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.should_exit:
            return
        say(f"Plyboard is ready: {self._address}  (Ctrl-C ends it)")
        if self._warm:
            self._app.state.warm()
            if jit_is_on():
                say("Searches are compiled in the background; nobody has to wait for that.")
        if self._open_page:
            show_page(self._address)


def say(text: str) -> None:
    """Print a line. A server whose output nobody reads any more goes on."""
    try:
        print(text, flush=True)
    except (OSError, ValueError):
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115


def show_page(address: str) -> None:
    """Open a page in the browser; without a display, say what to do instead."""
    if has_display() and webbrowser.open(address):
        return
    command = "plyboard" if shutil.which("plyboard") else sys.argv[0]
    say(
        "There is no display to open the page on. Open it in a browser on this machine,\n"
        f"or play in a terminal:  {command} play"
    )


def has_display() -> bool:
    """Return whether a browser with a window can be started from here."""
    names = "DISPLAY", "WAYLAND_DISPLAY", "BROWSER"
    return sys.platform in ("darwin", "win32") or any(map(os.environ.get, names))


def run_server(
    settings: ServerSettings,
    *,
    open_page: bool = False,
    warm: bool = True,
    read_again: Callable[[], ServerSettings] | None = None,
) -> None:
    """Serve the games of an SQLite file or a PostgreSQL URL until Ctrl-C or SIGTERM.

    Without a port it listens on 8000, or on any other if that one is taken. On SIGHUP a server
    with a configuration file uses the limits and origins that `read_again` returns.
    """
    check_versions()
    configure_logs()
    tune_interpreter()
    host, port, secret = settings.host, settings.port, settings.secret()
    limits = within_file_handles(settings.server_limits)
    bound = listener(host, port) if port is not None else usual_listener(host)
    try:
        games = GameStore(settings.store)
    except StoreInUseError as fault:
        bound.close()
        if not (open_page and fault.address):
            raise
        print(f"Plyboard is running already: {fault.address}")
        show_page(fault.address)
        return
    except BaseException:
        bound.close()
        raise
    try:
        name, number = bound.getsockname()[:2]
        shown = f"[{name}]" if ":" in name else name
        address = f"http://{shown}:{number}/"
        games.announce(address)
        app = create_app(games, limits, settings.access, secret=secret)
        server = _Server(app, address, open_page=open_page, warm=warm)
        if settings.config and read_again is not None:
            server.reload = partial(reload_settings, app, read_again)
        server.run([bound])
    finally:
        bound.close()
        games.close()


def server_config(app: Starlette) -> ServerConfig:
    """Return the settings of the web server for an application."""
    return ServerConfig(app, app.state.server.limits, app.state.server.access)


def reload_settings(app: Starlette, read_again: Callable[[], ServerSettings]) -> None:
    """Use the limits and origins of changed settings; keep the old ones if they are wrong."""
    try:
        settings = read_again()
    except PlyboardError as fault:
        LOG.error("the settings are wrong and were not changed: %s", fault.first_line)
        return
    app.state.server.apply(within_file_handles(settings.server_limits), settings.access)
    LOG.warning("the limits and origins were read again")


def check_versions() -> None:
    """Raise `UnusableError` if a package has a known fault that matters for a server."""
    for name, least in FLOORS.items():
        found = tuple(int(part) for part in re.findall("[0-9]+", version(name))[:3])
        if found < least:
            wanted = ".".join(map(str, least))
            raise UnusableError(
                f"{name} is too old", got=version(name), expected=f"{wanted}; pip install -U {name}"
            )


def within_file_handles(limits: ServerLimits) -> ServerLimits:
    """Return the limits with as many sockets as this process may open; say if there are fewer."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.connections + SPARE_HANDLES
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
    room = most - SPARE_HANDLES
    if room < LEAST_SOCKETS:
        raise UnusableError(
            "too few file handles",
            got=f"{most}",
            expected=f"{SPARE_HANDLES + LEAST_SOCKETS} or more",
        )
    if room < limits.connections:
        LOG.warning("%d file handles allow only %d connections", most, room)
    return replace(limits, connections=min(limits.connections, room),
                   sockets=min(limits.sockets, room))  # fmt: skip


def tune_interpreter() -> None:
    """Make pauses rare: a full look for garbage takes 160 ms, and the writer waits for the loop."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE_THRESHOLDS)
    sys.setswitchinterval(SWITCH_SECONDS)


def usual_listener(host: str) -> socket.socket:
    """Return a socket that listens on the usual port, or on another if that one is taken."""
    try:
        return listener(host, USUAL_PORT)
    except UnusableError:
        return listener(host, 0)


class _Listener(socket.socket):
    """A listening socket with a long queue.

    asyncio accepts as many connections at once as it is told to queue. Few at once keep a flood
    from delaying players, and a long queue keeps it from turning newcomers away.
    """

    def listen(self, _: int = QUEUED_CONNECTIONS, /) -> None:
        super().listen(QUEUED_CONNECTIONS)


def listener(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise `UnusableError` if the port cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # asyncio sends small messages at once (TCP_NODELAY) only if the protocol is named here.
    made = _Listener(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((host, port))
    except OSError as fault:
        made.close()
        reason = f"{fault.strerror}; choose another one with --port, or 0 for any"
        raise UnusableError(f"cannot listen on port {port}", reason=reason) from fault
    made.listen()
    return made
