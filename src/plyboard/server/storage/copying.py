"""Copies a store: a backup of a running server, a restore, or a move to another database."""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import URL, Connection

from plyboard.durable import BESIDE_DATABASE, created_database
from plyboard.errors import UnusableError, shown
from plyboard.server.storage.database import (
    is_postgres,
    open_engine,
    store_url,
    told_store,
    writing,
)
from plyboard.server.storage.reader import StorageError, StoreReader, unusable_store
from plyboard.server.storage.schema import EVENTS, GAMES, migrate

ROWS_AT_ONCE = 1000

Row = dict[str, Any]  # by the names of the columns


def copy_store(source: str, target: str) -> int:
    """Copy all games to a new SQLite file or an empty PostgreSQL database; return their number.

    The copy is the state of one moment, although a server may use the source meanwhile. It is read
    back and compared before it gets its name. If the copy does not succeed, there is none.
    """
    url = store_url(target)
    reader = StoreReader(source)
    try:
        missing = reader.missing()
        if missing:
            raise UnusableError("cannot copy the store", reason=missing)
        if is_postgres(url):
            return _fill(reader, url, url)
        path = Path(str(url.database)).absolute()
        for each in (path, *(Path(f"{path}{end}") for end in BESIDE_DATABASE)):
            if os.path.lexists(each):
                there = shown(str(Path(target).with_name(each.name)))
                raise UnusableError("cannot copy the store", reason=f"{there} exists already")
        try:
            with created_database(path, is_private=True) as temporary:
                return _fill(reader, url, url.set(database=str(temporary)))
        except BaseException:
            path.unlink(missing_ok=True)  # the folder could not be synced
            raise
    except StorageError as fault:
        raise unusable_store(reader.url, fault) from fault
    except OSError as fault:
        raise UnusableError(
            "cannot copy the store", where=told_store(url), reason=fault.strerror or str(fault)
        ) from fault
    finally:
        reader.close()


def _fill(reader: StoreReader, url: URL, place: URL) -> int:
    """Copy all rows to a place, where they stay until the copy gets its URL; return the games."""
    engine = open_engine(place, is_new=True)
    count = total = 0
    try:
        migrate(engine)
        with writing(engine).begin() as there:
            if there.execute(sa.select(GAMES.c.id).limit(1)).first() is not None:
                raise UnusableError("cannot copy the store", reason="there are games in the copy")
            for table, rows in _rows(reader):
                there.execute(sa.insert(table), rows)
                count += len(rows) if table is GAMES else 0
                total += _sum_of(rows)
        with engine.connect() as there:
            found = sum(_sum_of(rows) for _, rows in _rows_of(there))
    except sa.exc.SQLAlchemyError as fault:
        raise unusable_store(url, fault) from fault
    finally:
        engine.dispose()
    if found != total:
        raise OSError(errno.EIO, "what was written reads back otherwise")
    return count


def _rows(reader: StoreReader) -> Iterator[tuple[sa.Table, list[Row]]]:
    """Yield the rows of all tables as they are at one moment, many at once."""
    with reader.reading() as connection:
        yield from _rows_of(connection)


def _rows_of(connection: Connection) -> Iterator[tuple[sa.Table, list[Row]]]:
    for table in (GAMES, EVENTS):
        owner = {"owner": 0} if table is GAMES else {}  # any server may claim the games
        many = connection.execution_options(yield_per=ROWS_AT_ONCE)
        with many.execute(sa.select(table)) as rows:
            for some in rows.mappings().partitions():
                yield table, [{**row, **owner} for row in some]


def _sum_of(rows: list[Row]) -> int:
    """Return a number that is the same for the same rows in any order."""
    texts = (repr(tuple(row.values())).encode() for row in rows)
    return sum(int.from_bytes(hashlib.sha256(text).digest()) for text in texts)
