"""Deadlines for everything that is asked of a database: who is silent too long is cut off.

The settings of TCP notice a machine that has gone, but not one that accepts everything and answers
nothing, and no setting of PostgreSQL holds while nothing arrives. So a thread shuts down the
connections of those who wait too long; they get the error of a lost connection.
"""

from __future__ import annotations

import os
import socket
import threading
import time
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from plyboard.processes.background import start_thread

if TYPE_CHECKING:
    import psycopg

    Connection = psycopg.Connection[Any]

TICK = 0.1  # seconds
SILENT = "the database does not answer"


class Deadlines:
    """Cuts off connections that do not answer in time."""

    def __init__(self) -> None:
        self._ends: dict[int, tuple[float, Connection]] = {}  # by the identity of a connection
        self._cut: weakref.WeakSet[Connection] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._is_closed = threading.Event()
        start_thread(self._watch, "store deadlines")

    def begin(self, connection: Connection, seconds: float) -> None:
        """Cut the connection off in so many seconds, instead of at the time that was set before."""
        with self._lock:
            self._ends[id(connection)] = time.monotonic() + seconds, connection

    def end(self, connection: Connection) -> None:
        """Let the connection wait as long as it likes."""
        with self._lock:
            self._ends.pop(id(connection), None)

    @contextmanager
    def within(self, connection: Connection, seconds: float) -> Iterator[None]:
        """Cut the connection off if the block takes longer than so many seconds."""
        self.begin(connection, seconds)
        try:
            yield
        finally:
            self.end(connection)

    def has_cut(self, connection: object) -> bool:
        """Return whether a connection was cut off."""
        return connection in self._cut

    def close(self) -> None:
        """Cut nothing off any more."""
        self._is_closed.set()

    def _watch(self) -> None:
        while not self._is_closed.wait(TICK):
            now = time.monotonic()
            with self._lock:
                late = [each for end, each in self._ends.values() if end <= now]
                for connection in late:
                    del self._ends[id(connection)]
                    self._cut.add(connection)
                    _shut_down(connection)


def _shut_down(connection: Connection) -> None:
    """End a connection under the feet of whoever waits for it."""
    with (
        suppress(OSError, ValueError, connection.OperationalError),  # it has ended by itself
        socket.socket(fileno=os.dup(connection.fileno())) as end,
    ):
        end.shutdown(socket.SHUT_RDWR)
