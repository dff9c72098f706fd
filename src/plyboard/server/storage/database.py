"""Connections to the database of a store: an SQLite file, or PostgreSQL by its URL."""

from __future__ import annotations

import re
import sqlite3
import sys
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, quote

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine

from plyboard.errors import UnusableError, shown
from plyboard.server.storage.deadlines import SILENT, Deadlines

if TYPE_CHECKING:
    import psycopg

    Postgres = psycopg.Connection[tuple[Any, ...]]

POSTGRES = ("postgres", "postgresql", "postgresql+psycopg")
CONNECTION = re.compile(
    r"://|^\s*(file|postgres(ql)?(\+\w+)?):|\b(host|hostaddr|user|password|dbname|service)\s*="
)
"""What is in a text that tells how to connect to a database, and not in the name of a file."""
SCHEME = re.compile(r"[a-z][a-z0-9+]{1,30}")
START_PATIENCE = 30.0  # seconds for a PostgreSQL server that does not answer yet
RETRY_SECONDS = 0.2
WRITING = {"is_writing": True}
"""The execution option of connections that write."""

POSTGRES_SETTINGS = (
    "lock_timeout = '1s'",  # another server that hangs in a commit must not stop this one
    "idle_in_transaction_session_timeout = '10s'",  # nor this one all others
)
CONNECT_SECONDS = 2
PING_SECONDS = 1.0  # for a connection that was not used for a while
USE_SECONDS = 2.0  # for a transaction
TCP = {  # notices by itself that the other machine has gone, also while nothing is asked
    "connect_timeout": CONNECT_SECONDS, "keepalives": 1, "keepalives_idle": 3,
    "keepalives_interval": 1, "keepalives_count": 3, "tcp_user_timeout": 3000,
}  # fmt: skip
FLEETING = ("starting up", "shutting down", "too many", "reserved", "recovery")
"""Parts of the answers of a PostgreSQL server that will soon accept connections."""


def store_url(store: str) -> URL:
    """Return the URL of a store that is given as a file or as the URL of a PostgreSQL database."""
    if not CONNECTION.search(store):
        return URL.create("sqlite", database=store)
    try:
        url = sa.make_url(store)
    except (sa.exc.ArgumentError, ValueError):
        raise _wrong_store("a text that is neither") from None  # it may hold a password
    if url.drivername == "sqlite" and not url.query and ":" not in (url.database or ""):
        return url
    if url.drivername not in POSTGRES:
        scheme = url.drivername if SCHEME.fullmatch(url.drivername) else "..."
        raise _wrong_store(shown(f"{scheme}://..."))
    return url.set(drivername="postgresql+psycopg")


def _wrong_store(got: str) -> UnusableError:
    expected = "a file, or a URL such as postgresql://user@host/database"
    return UnusableError("cannot use the store", got=got, expected=expected)


def told_store(url: URL) -> str:
    """Return the name of a store for messages: of a URL only what cannot be a secret."""
    if not is_postgres(url):
        return shown(str(url.database))
    hosts = url.query.get("host", "")
    host = url.host or (hosts if isinstance(hosts, str) else ",".join(hosts))
    port = f":{url.port}" if url.port else ""
    return shown(f"postgresql://{host}{port}/{url.database or ''}")


def is_postgres(url: URL) -> bool:
    """Return whether the store is in PostgreSQL, where several servers may share it."""
    return url.get_backend_name() == "postgresql"


def read_only(url: URL) -> URL:
    """Return the URL for a program that only reads a store, perhaps beside a server.

    Raise `UnusableError` if there is no such file, which SQLite would create.
    """
    if is_postgres(url) or not url.database:
        return url
    path = Path(url.database).resolve()
    if not path.is_file() or path.stat().st_size == 0:
        raise UnusableError("cannot use the store", reason=f"no store in {shown(url.database)}")
    name, _, query = read_only_uri(path).partition("?")
    return url.set(database=name, query={**dict(parse_qsl(query)), "uri": "true"})


def read_only_uri(path: Path) -> str:
    """Return the URI by which SQLite reads a file and leaves everything as it is.

    A connection that may write would remove the log when it is closed. Without a log nobody has
    the file open, and SQLite must not make one: it would stay, and a folder may be read-only.
    """
    is_closed = not any(Path(f"{path}{end}").exists() for end in ("-wal", "-journal"))
    return f"file:{quote(str(path))}?mode=ro" + ("&immutable=1" if is_closed else "")


def log_path(path: Path) -> Path:
    """Return the write-ahead log of an SQLite file, which is there as long as a server uses it."""
    return Path(f"{path}-wal")


def open_engine(url: URL, *, is_new: bool = False, deadlines: Deadlines | None = None) -> Engine:
    """Return the connections to a database; a commit on them returns when it is on disk.

    A new file that nobody knows yet is written without a log. With deadlines every use of a
    connection to a database server ends in time.
    """
    if not is_postgres(url):
        engine = sa.create_engine(url)
        is_read_only = url.query.get("mode") == "ro"
        configure = _read_sqlite if is_read_only else _fill_sqlite if is_new else _configure_sqlite
        sa.event.listen(engine, "connect", configure)
        sa.event.listen(engine, "begin", _begin_sqlite)
        return engine
    try:
        engine = sa.create_engine(
            url, pool_pre_ping=deadlines is None, pool_size=8, pool_timeout=CONNECT_SECONDS,
            isolation_level="REPEATABLE READ", connect_args=TCP,
        )  # fmt: skip
    except ModuleNotFoundError as fault:
        raise UnusableError.missing(fault.name, "postgres") from fault
    sa.event.listen(engine, "connect", _configure_postgres)
    if deadlines is not None:
        _limit(engine, deadlines)
    return engine


def _limit(engine: Engine, deadlines: Deadlines) -> None:
    """Let every use of a connection end in time."""

    def begin(connection: Postgres, *_: object) -> None:
        deadlines.begin(connection, USE_SECONDS)

    def check(connection: Postgres, *_: object) -> None:
        """Find out whether a connection still works; if not, another one is taken."""
        try:
            with deadlines.within(connection, PING_SECONDS):
                engine.dialect.do_ping(connection)  # type: ignore[arg-type]
        except engine.dialect.loaded_dbapi.Error as fault:
            raise sa.exc.DisconnectionError(str(fault)) from fault
        begin(connection)

    def end(connection: Postgres | None, *_: object) -> None:
        if connection is not None:
            deadlines.end(connection)

    def name_the_cause(context: sa.engine.ExceptionContext) -> None:
        used = context.connection
        if used is not None and deadlines.has_cut(used.connection.dbapi_connection):
            context.original_exception.args = (SILENT,)

    sa.event.listen(engine, "connect", begin, insert=True)
    sa.event.listen(engine, "checkout", check)
    for name in ("checkin", "close", "invalidate"):
        sa.event.listen(engine, name, end)
    sa.event.listen(engine, "handle_error", name_the_cause)


def writing(engine: Engine) -> Engine:
    """Return the same connections for transactions that write."""
    if engine.dialect.name == "postgresql":
        # An update waits for other servers, and then sees what they have committed.
        return engine.execution_options(isolation_level="READ COMMITTED", **WRITING)
    return engine.execution_options(**WRITING)


def _configure_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    _set(connection, "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=2000")


def _fill_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    _set(connection, "journal_mode=OFF", "synchronous=FULL", "foreign_keys=ON")


def _read_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    _set(connection)


def _set(connection: sqlite3.Connection, *pragmas: str) -> None:
    connection.isolation_level = None  # we begin transactions
    with closing(connection.cursor()) as cursor:
        try:
            for pragma in pragmas:
                cursor.execute(f"PRAGMA {pragma}")
        except UnicodeDecodeError as fault:  # in a message of SQLite that quotes the schema
            raise UnusableError("cannot use the store", reason="its schema is damaged") from fault


def _begin_sqlite(connection: Connection) -> None:
    is_writing = connection.get_execution_options().get("is_writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writing else "BEGIN")


def _configure_postgres(connection: Postgres, _record: object) -> None:
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
            where = told_store(engine.url)
            print(f"Waiting for the database {where} ...", file=sys.stderr, flush=True)
            is_told = True
        time.sleep(RETRY_SECONDS)
