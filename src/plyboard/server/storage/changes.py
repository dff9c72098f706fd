"""How the servers that share a PostgreSQL store know of each other."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from plyboard.processes.background import call_safely, start_thread
from plyboard.server.storage.database import TCP, USE_SECONDS
from plyboard.server.storage.deadlines import SILENT, Deadlines
from plyboard.server.storage.notices import Change, notices_of, read_notice
from plyboard.server.storage.writes import Write

if TYPE_CHECKING:
    import psycopg

LOG = logging.getLogger("plyboard.server")
CHANNEL = "plyboard_games"
TICK = 0.2  # seconds
RETRY_SECONDS = 0.5
HEARTBEAT_SECONDS = 1.0  # between two notifications to oneself
CLOSE_SECONDS = 1.0  # for the thread to end
MOST_MISSED = 2  # heartbeats; then the connection is dead

Heard = Callable[[list[Change] | None], None]
"""Called with the games that another server changed; with None if some may have been missed."""


def announce_changes(connection: Connection, server: int, writes: Sequence[Write]) -> None:
    """Tell all servers what a transaction changes, when it commits."""
    for text in notices_of(connection, server, writes):
        connection.execute(sa.select(sa.func.pg_notify(CHANNEL, text)))


class ChangeListener:
    """A connection that hears what other servers change.

    It may become silent without an end, so the listener notifies itself every second.
    """

    def __init__(self, engine: Engine, server: int, deadlines: Deadlines) -> None:
        self._engine, self._server, self._deadlines = engine, server, deadlines
        self._own_channel = f"plyboard_server_{server}"
        self.heard: Heard = lambda _: None
        self._is_closed = False
        self.is_lost = False
        self._last_heard = self._last_sent = 0.0
        self._connection = self._connect()
        self._thread = start_thread(self._run, "store listener")

    def close(self) -> None:
        """Hear no more."""
        self._is_closed = True
        self._thread.join(CLOSE_SECONDS)

    def _connect(self) -> psycopg.Connection[Any]:
        arguments, options = self._engine.dialect.create_connect_args(self._engine.url)
        dbapi: Any = self._engine.dialect.loaded_dbapi
        options = {**options, **TCP, "autocommit": True}
        connection: psycopg.Connection[Any] = dbapi.connect(*arguments, **options)
        try:
            with self._deadlines.within(connection, USE_SECONDS):
                connection.execute(f"listen {CHANNEL}; listen {self._own_channel}".encode())
        except BaseException:
            connection.close()
            raise
        self._last_heard = time.monotonic()
        return connection

    def _run(self) -> None:
        """Listen until it is closed; a lost connection is opened again."""
        while not self._is_closed:
            try:
                if self.is_lost:
                    self._connection = self._connect()
                    self.is_lost = False
                    LOG.warning("connected to the database again")
                    call_safely(self.heard, None)
                self._listen()
            except Exception as fault:  # whatever it is: without this thread games would stand
                if not self.is_lost:
                    LOG.warning(
                        "lost the connection to the database: %s", str(fault).split("\n")[0]
                    )
                self.is_lost = True
                with suppress(Exception):
                    self._connection.close()
                threading.Event().wait(RETRY_SECONDS)
        self._connection.close()

    def _send_heartbeat(self) -> None:
        """Notify oneself once a second; raise if nothing has arrived for too long."""
        now = time.monotonic()
        if now - self._last_heard > HEARTBEAT_SECONDS * (1 + MOST_MISSED):
            raise TimeoutError(SILENT)
        if now - self._last_sent < HEARTBEAT_SECONDS:
            return
        self._last_sent = now
        with self._deadlines.within(self._connection, HEARTBEAT_SECONDS * MOST_MISSED):
            self._connection.execute("select pg_notify(%s, '')", (self._own_channel,))

    def _listen(self) -> None:
        while not self._is_closed:
            self._send_heartbeat()
            for notice in self._connection.notifies(timeout=TICK):
                self._last_heard = time.monotonic()
                if notice.channel == self._own_channel:
                    continue
                said = read_notice(notice.payload)
                if said is None:  # anybody may notify
                    LOG.warning("ignored a notification that no server has sent")
                elif said.server != self._server:
                    call_safely(self.heard, list(said.changes))
