"""Connections to the database of a store: an SQLite file, or PostgreSQL by its URL."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import sys
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine

from plyboard.errors import UnusableError, shown

if TYPE_CHECKING:
    import psycopg

POSTGRES = ("postgres", "postgresql", "postgresql+psycopg")
START_PATIENCE = 30.0  # seconds for a PostgreSQL server that does not answer yet
RETRY_SECONDS = 0.2
WRITING = {"is_writing": True}
"""The execution option of connections that write."""

POSTGRES_SETTINGS = (
    "lock_timeout = '2s'",  # another server that hangs in a commit must not stop this one
    "idle_in_transaction_session_timeout = '10s'",  # nor this one all others
)
FLEETING = ("starting up", "shutting down", "too many", "reserved", "recovery")
"""Parts of the answers of a PostgreSQL server that will soon accept connections."""


def store_url(store: str) -> URL:
    """Return the URL of a store that is given as a file or as the URL of a PostgreSQL database."""
    if "://" not in store:
        return URL.create("sqlite", database=store)
    try:
        url = sa.make_url(store)
    except (sa.exc.ArgumentError, ValueError) as fault:
        raise _wrong_store(store) from fault
    if url.drivername == "sqlite":
        return url
    if url.drivername not in POSTGRES:
        raise _wrong_store(f"{url.drivername}://...")
    return url.set(drivername="postgresql+psycopg")


def _wrong_store(got: str) -> UnusableError:
    expected = "a file, or a URL such as postgresql://user@host/database"
    return UnusableError("cannot use the store", got=shown(got), expected=expected)


def is_postgres(url: URL) -> bool:
    """Return whether the store is in PostgreSQL, where several servers may share it."""
    return url.get_backend_name() == "postgresql"


def read_only(url: URL) -> URL:
    """Return the URL for a program that only reads a store, perhaps beside a server.

    Raise `UnusableError` if there is no such file, which SQLite would create.
    """
    if is_postgres(url) or not url.database:
        return url
    path = Path(url.database)
    if not path.is_file() or path.stat().st_size == 0:
        raise UnusableError("cannot use the store", reason=f"no store in {shown(url.database)}")
    # A connection that may write would remove the log when it is closed.
    return url.set(database=f"file:{quote(str(path))}", query={"mode": "ro", "uri": "true"})


def open_engine(url: URL) -> Engine:
    """Return the connections to a database; a commit on them returns when it is on disk."""
    if not is_postgres(url):
        engine = sa.create_engine(url)
        is_read_only = url.query.get("mode") == "ro"
        sa.event.listen(engine, "connect", _read_sqlite if is_read_only else _configure_sqlite)
        sa.event.listen(engine, "begin", _begin_sqlite)
        return engine
    try:
        engine = sa.create_engine(
            url, pool_pre_ping=True, pool_size=8, pool_timeout=5.0,
            isolation_level="REPEATABLE READ", connect_args={"connect_timeout": 5},
        )  # fmt: skip
    except ModuleNotFoundError as fault:
        raise UnusableError(
            "not installed",
            got=f"no package {fault.name}",
            expected="pip install 'plyboard[postgres]'",
        ) from fault
    sa.event.listen(engine, "connect", _configure_postgres)
    return engine


def writing(engine: Engine) -> Engine:
    """Return the same connections for transactions that write."""
    if engine.dialect.name == "postgresql":
        # An update waits for other servers, and then sees what they have committed.
        return engine.execution_options(isolation_level="READ COMMITTED", **WRITING)
    return engine.execution_options(**WRITING)


def _configure_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # we begin transactions
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=2000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _read_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None


def _begin_sqlite(connection: Connection) -> None:
    is_writing = connection.get_execution_options().get("is_writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")


def _configure_postgres(
    connection: psycopg.Connection[tuple[object, ...]], _record: object
) -> None:
    """Refuse a server whose commits are not on disk, or that cannot be written."""
    facts = connection.execute(
        "select current_setting('synchronous_commit'), current_setting('fsync'),"
        " pg_is_in_recovery(), current_setting('default_transaction_read_only')"
    ).fetchone()
    assert facts is not None
    commit, fsync, is_replica, read_only = facts
    if commit == "off" or fsync == "off":
        setting = "synchronous_commit" if commit == "off" else "fsync"
        raise UnusableError(
            "cannot use the store",
            got=f"{setting} = off in PostgreSQL",
            expected=f"{setting} = on: a move counts when it is on disk",
        )
    if is_replica or read_only == "on":
        got = "a replica" if is_replica else "default_transaction_read_only = on"
        raise UnusableError(
            "cannot use the store", got=f"{got} in PostgreSQL", expected="a server that writes"
        )
    for setting in (*POSTGRES_SETTINGS, f"synchronous_commit = {commit}"):
        connection.execute(f"set {setting}".encode())
    connection.commit()


def wait_until_ready(engine: Engine, patience: float) -> None:
    """Wait for a PostgreSQL server that is down or still starting; raise if it stays so."""
    end, is_told = time.monotonic() + patience, False
    while True:
        try:
            engine.connect().close()
            return
        except sa.exc.OperationalError as fault:
            text = str(fault.orig)
            is_refused = "FATAL:" in text and not any(part in text for part in FLEETING)
            if engine.dialect.name != "postgresql" or is_refused or time.monotonic() > end:
                raise
        if not is_told:
            where = engine.url.render_as_string()
            print(f"Waiting for the database {shown(where)} ...", file=sys.stderr, flush=True)
            is_told = True
        time.sleep(RETRY_SECONDS)


class StoreInUseError(UnusableError):
    """Another server uses the store."""

    def __init__(self, reason: str, address: str) -> None:
        super().__init__("cannot use the store", reason=reason)
        self.address = address  # of that server; empty if it is not known


class FileLock:
    """Locks an SQLite store against a second server.

    The first line of the lock file has the number of the process and its address. A second line,
    `open`, is there from the moment when the write-ahead log exists until the store is closed. So
    a log that was deleted is missed.
    """

    def __init__(self, store: str) -> None:
        self._store, self._wal = store, Path(f"{store}-wal")
        self._path = Path(f"{store}.lock")
        self._holder = str(os.getpid())
        self._watched: dict[Path, tuple[int, int] | None] = {}  # the files that SQLite has open
        try:
            self._file: IO[str] = self._path.open("a+")
        except OSError as fault:
            raise UnusableError.of("cannot use the store", store, fault) from fault
        try:
            self._lock()
            self._check()
        except BaseException:
            self._file.close()
            raise

    def _lock(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as fault:
            holder, _, address = self._text().partition("\n")[0].partition(" ")
            at = f", {address}" if address else ""
            reason = (
                f"another server uses {shown(self._store)} (process {holder or 'unknown'}{at}); "
                "end that one, or choose another file with --store"
            )
            raise StoreInUseError(reason, address) from fault

    def _text(self) -> str:
        self._file.seek(0)
        return self._file.read(200).strip()

    def _check(self) -> None:
        """Refuse a store of which a file is missing; SQLite would begin a new one."""
        main, was_open = Path(self._store), self._text().endswith("\nopen")
        if was_open and not main.exists():
            raise self._incomplete(main, "which holds the games")
        if was_open and not self._wal.exists():
            raise self._incomplete(self._wal, "which may hold the last moves")
        if main.exists() and main.stat().st_size == 0:
            reason = f"{shown(self._store)} is empty; for a new store: rm {main}"
            raise UnusableError("cannot use the store", reason=reason)
        self._write(self._holder)

    def _incomplete(self, path: Path, holds: str) -> UnusableError:
        reason = (
            f"{shown(path.name)} is missing, {holds}; put it back, or go on without it after: "
            f"rm {self._path}"
        )
        return UnusableError("cannot use the store", reason=reason)

    def watch(self) -> None:
        """Remember which files SQLite has open.

        A connection must stay open from now on: SQLite removes the log when the last one is closed.
        """
        self._watched = {path: _inode(path) for path in (Path(self._store), self._wal)}

    def lost_file(self) -> str:
        """Return the name of a file of the open store that was deleted or replaced, if any."""
        moved = (path.name for path, inode in self._watched.items() if _inode(path) != inode)
        return next(moved, "")

    def mark_open(self, address: str = "") -> None:
        """Note that the log exists from now on, and where the server listens."""
        self._write(f"{self._holder} {address}".rstrip() + "\nopen")

    def close(self) -> None:
        """Unlock the store, which is closed; then SQLite has removed the log."""
        if not self._file.closed and not self._wal.exists():
            self._write("")
        self._file.close()

    def _write(self, text: str) -> None:
        self._file.truncate(0)
        self._file.write(text)
        self._file.flush()


def _inode(path: Path) -> tuple[int, int] | None:
    """Return what identifies the file that a path leads to; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def lock_store(url: URL) -> FileLock | None:
    """Lock an SQLite store; None for databases that several servers may share."""
    if is_postgres(url) or not url.database or url.database == ":memory:":
        return None
    return FileLock(url.database)
