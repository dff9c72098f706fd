"""Copies a store: a backup of a running server, a restore, or a move to another database."""

from __future__ import annotations

import os
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine

from plyboard.durable import TEMPORARY, sync_folder, temporary_beside
from plyboard.errors import UnusableError, shown
from plyboard.server.storage.database import is_postgres, open_engine, store_url, writing
from plyboard.server.storage.reader import StorageError, StoreReader, unusable_store
from plyboard.server.storage.schema import EVENTS, GAMES, migrate

ROWS_AT_ONCE = 1000


def copy_store(source: str, target: str) -> int:
    """Copy all games to a new SQLite file or an empty PostgreSQL database; return their number.

    The copy is the state of one moment, although a server may use the source meanwhile. If the
    copy does not succeed, there is none.
    """
    url = store_url(target)
    reader = StoreReader(source)
    try:
        if is_postgres(url):
            return _fill(reader, open_engine(url))
        path = Path(str(url.database))
        if path.exists():
            raise UnusableError("cannot copy the store", reason=f"{shown(target)} exists already")
        temporary = temporary_beside(path.absolute())
        try:
            count = _fill(reader, open_engine(url.set(database=str(temporary))))
            with temporary.open("rb") as file:
                os.fsync(file.fileno())
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
            TEMPORARY.discard(temporary)
        sync_folder(path.absolute().parent)
        return count
    except StorageError as fault:
        raise unusable_store(reader.url, fault) from fault
    except sa.exc.SQLAlchemyError as fault:
        raise unusable_store(url, fault) from fault
    except OSError as fault:
        raise UnusableError.of("cannot copy the store", target, fault) from fault
    finally:
        reader.close()


def _fill(reader: StoreReader, engine: Engine) -> int:
    try:
        migrate(engine)
        with reader.reading() as connection, writing(engine).begin() as there:
            if there.execute(sa.select(GAMES.c.id).limit(1)).first() is not None:
                raise UnusableError("cannot copy the store", reason="there are games in the copy")
            count = _copy_table(connection, there, GAMES, owner=0)  # any server may claim them
            _copy_table(connection, there, EVENTS)
        return count
    finally:
        engine.dispose()


def _copy_table(connection: Connection, there: Connection, table: sa.Table, **values: int) -> int:
    count = 0
    rows = connection.execution_options(yield_per=ROWS_AT_ONCE).execute(sa.select(table))
    for some in rows.mappings().partitions():
        there.execute(sa.insert(table), [{**row, **values} for row in some])
        count += len(some)
    return count
