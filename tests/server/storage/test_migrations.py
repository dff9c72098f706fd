"""Stores of older versions are brought up to date, whole or not at all."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from server.postgres import PostgresServer
from server.storage import kill_migration
from server.storage.kill_migration import version_of

from plyboard.errors import UnusableError
from plyboard.server.storage.database import open_engine, store_url
from plyboard.server.storage.reader import StoreReader
from plyboard.server.storage.schema import (
    EVENTS,
    GAMES,
    MIGRATION_LOCK,
    SCHEMA_VERSION,
    migrate,
)
from plyboard.server.storage.store import GameStore

DATA = Path(__file__).parent / "data"
OLD_VERSIONS = range(1, SCHEMA_VERSION)
UNFINISHED = ["agent", "hidden", "seated", "takeback", "timed", "waiting"]
WAITING = "waiting".ljust(16, "a")


@pytest.fixture(params=OLD_VERSIONS)
def old_store(request: pytest.FixtureRequest, store_at: str) -> str:
    """Return a store with the games that an older version has written."""
    load_fixture(store_at, request.param)
    return store_at


def load_fixture(store: str, version: int) -> None:
    if "://" not in store:
        with closing(sqlite3.connect(store)) as connection, connection:
            connection.executescript((DATA / f"store-{version}.sqlite.sql").read_text())
        return
    with psycopg.connect(store) as there:
        text = (DATA / f"store-{version}.postgresql.sql").read_text()
        there.execute(text.replace("public.", "").encode())


def execute(store: str, statement: str) -> None:
    engine = open_engine(store_url(store))
    with engine.begin() as connection:
        connection.exec_driver_sql(statement)
    engine.dispose()


def test_there_are_games_of_every_old_version() -> None:
    assert sorted(path.name for path in DATA.glob("store-*.sql")) == sorted(
        f"store-{version}.{kind}.sql"
        for version in OLD_VERSIONS
        for kind in ("postgresql", "sqlite")
    )


def test_an_old_store_is_opened_with_all_its_games(old_store: str) -> None:
    store = GameStore(old_store)
    try:
        assert list(store.verify(replay=True)) == []
        assert sorted(game.rstrip("a") for game in store.unfinished()) == UNFINISHED
        assert store.open_games(60.0) == []  # nobody knows when its host was there
        store.see_hosts([WAITING])
        assert [game for game, _, gone in store.open_games(60.0)] == [WAITING]
        assert len(store.finished()) == 3
        taken_back = store.load("takeback".ljust(16, "a"))
        assert taken_back is not None
        assert taken_back.state.match.position.moves == ("4", "4", "5")
        assert taken_back.requests["0:m0"] == ("move 4", 1)
        timed = store.load("timed".ljust(16, "a"))
        assert timed is not None
        assert timed.state.table.clock is not None
        assert timed.state.table.clock.left == (56.0, 56.0)
    finally:
        store.close()


def test_an_updated_store_has_the_same_tables_as_a_new_one(
    old_store: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    new = str(tmp_path / "new.db")
    if "://" in old_store:
        server: PostgresServer = request.getfixturevalue("postgres")
        new = server.new_database()
    found = []
    for store in (old_store, new):
        engine = open_engine(store_url(store))
        migrate(engine)
        inspector = sa.inspect(engine)
        found.append(
            [
                (
                    {
                        column["name"]: (str(column["type"]), column["nullable"], column["default"])
                        for column in inspector.get_columns(table.name)
                    },
                    sorted(str(index["name"]) for index in inspector.get_indexes(table.name)),
                    inspector.get_pk_constraint(table.name)["constrained_columns"],
                )
                for table in (GAMES, EVENTS)
            ]
        )
        engine.dispose()
    assert found[0] == found[1]


def test_a_store_of_a_newer_version_is_refused_and_kept(store_at: str) -> None:
    GameStore(store_at).close()
    execute(store_at, "update plyboard_schema set version = 99")

    for kind in (GameStore, StoreReader):
        with pytest.raises(UnusableError, match=r"version 99; expected .*; update Plyboard"):
            kind(store_at)
    assert version_of(store_at) == 99


def test_a_reader_leaves_an_old_store_as_it_is(old_store: str) -> None:
    with pytest.raises(UnusableError, match="`plyboard serve` updates it"):
        StoreReader(old_store)
    assert version_of(old_store) in OLD_VERSIONS


def test_a_killed_migration_leaves_the_old_store(old_store: str) -> None:
    """A process that migrates is killed after its first statement, after its second, and so on."""
    before = version_of(old_store)
    done = subprocess.run(
        [sys.executable, kill_migration.__file__, old_store],
        capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    *killed, last = done.stdout.splitlines()

    assert set(killed) == {f"{-signal.SIGKILL} {before}"}
    assert last == f"0 {SCHEMA_VERSION}"
    assert len(killed) > (len(UNFINISHED) if before == 1 else 1)  # between the games, too
    store = GameStore(old_store)
    faults = list(store.verify(replay=True))
    store.close()
    assert faults == []


def test_servers_that_start_together_update_a_shared_store_once(postgres: PostgresServer) -> None:
    store = postgres.new_database()
    load_fixture(store, 1)
    found: list[int | None] = []

    def start() -> None:
        server = GameStore(store)
        found.append(version_of(store))
        server.close()

    threads = [threading.Thread(target=start) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert found == [SCHEMA_VERSION] * 4


def test_a_server_waits_for_the_migration_of_another_one(postgres: PostgresServer) -> None:
    store, found = postgres.new_database(), list[int | None]()
    with psycopg.connect(store) as migrating:
        migrating.execute("select pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))

        def start() -> None:
            server = GameStore(store)
            found.append(version_of(store))
            server.close()

        starting = threading.Thread(target=start)
        starting.start()
        starting.join(2.5)  # longer than other locks are waited for
        assert starting.is_alive()
        migrating.rollback()
        starting.join(60)
    assert found == [SCHEMA_VERSION]
