"""The tables of the store, and how its database is opened."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import threading
from pathlib import Path
from typing import IO

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection, Engine

from plyboard.errors import UnusableError, shown

WRITER = "store writer"  # the name of the only thread that writes
SCHEMA_VERSION = 1
METADATA = sa.MetaData()

VERSION = sa.Table("plyboard_schema", METADATA, sa.Column("version", sa.Integer, nullable=False))
GAMES = sa.Table(
    "games",
    METADATA,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("plan", sa.LargeBinary, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),  # milliseconds since 1970, UTC
    sa.Column("game", sa.String(200), nullable=False),
    sa.Column("sequence", sa.Integer, nullable=False),
    sa.Column("chain", sa.LargeBinary(32), nullable=False),
    sa.Column("first", sa.String(200), nullable=False),
    sa.Column("second", sa.String(200), nullable=False),
    sa.Column("result", sa.String(7), nullable=False),  # "" while it goes on
    sa.Column("reason", sa.String(40), nullable=False),
    sa.Index("games_by_date", "created"),
    sa.Index("games_by_result", "result", "created"),
)
EVENTS = sa.Table(
    "events",
    METADATA,
    sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("sequence", sa.Integer, primary_key=True),
    sa.Column("data", sa.LargeBinary, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("request", sa.String(80), nullable=True),  # the player, and the client's id for it
    sa.Column("asked", sa.String(40), nullable=True),  # what the client asked for
    sa.UniqueConstraint("game", "request", name="one_event_per_request"),
    sqlite_with_rowid=False,
)


def open_engine(url: URL) -> Engine:
    """Return the connections to a database; SQLite syncs every commit to disk."""
    if url.get_backend_name() != "sqlite":
        return sa.create_engine(url, pool_pre_ping=True)
    engine = sa.create_engine(url)
    sa.event.listen(engine, "connect", _configure_sqlite)
    sa.event.listen(engine, "begin", _begin_immediate)
    return engine


def _configure_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # we begin transactions
    cursor = connection.cursor()
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=2000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_immediate(connection: Connection) -> None:
    writer = threading.current_thread().name == WRITER
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writer else "BEGIN")


def migrate(engine: Engine) -> None:
    """Create the tables, or check that the store has the version of this program."""
    with engine.begin() as connection:
        if not sa.inspect(connection).has_table(VERSION.name):
            METADATA.create_all(connection)
            connection.execute(sa.insert(VERSION).values(version=SCHEMA_VERSION))
            return
        version = connection.execute(sa.select(VERSION.c.version)).scalar_one()
    if version != SCHEMA_VERSION:
        raise UnusableError(
            "cannot use the store",
            got=f"version {version}",
            expected=f"version {SCHEMA_VERSION}; update Plyboard",
        )


def lock_file(url: URL) -> IO[str] | None:
    """Lock an SQLite store against a second server; None for other databases."""
    if url.get_backend_name() != "sqlite" or not url.database or url.database == ":memory:":
        return None
    path = Path(f"{url.database}.lock")
    try:
        file = path.open("a+")
    except OSError as fault:
        raise UnusableError(
            "cannot use the store", got=shown(url.database), reason=str(fault.strerror)
        ) from fault
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as fault:
        file.seek(0)
        holder = file.read(20).strip() or "unknown"
        file.close()
        reason = (
            f"another server uses {shown(url.database)} (process {holder}); "
            "end that one, or choose another file with --store"
        )
        raise UnusableError("cannot use the store", reason=reason) from fault
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()
    return file
