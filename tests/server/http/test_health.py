"""Promise D5: `/health`, the log and the players know when the store cannot be used."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import queue
import re
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from functools import partial
from pathlib import Path

import psycopg
import pytest
from server.harness import LIMIT, SERVE, Client, new_game, serving
from server.postgres import PostgresServer
from server.raw_http import exchange, lines
from server.simulation import MemoryStore, simulate
from server.stored_games import new_game as store_game
from server.stored_games import play

from plyboard.errors import UnusableError
from plyboard.server.http.health import HANGING_SECONDS, PATIENCE, SILENT, HealthCheck
from plyboard.server.storage import store as store_module
from plyboard.server.storage.health import StoreHealth
from plyboard.server.storage.reader import StorageError
from plyboard.server.storage.store import Done, GameStore
from plyboard.server.storage.writes import Write

GET = lines("GET /health HTTP/1.1\nHost: localhost")
IN_TIME = 2.0  # seconds, by the promise
IS_PLANTED = "PLYBOARD_PLANTED" in os.environ  # a fault; nothing has to be waited for long
MOST_SECONDS = 5.0 if IS_PLANTED else LIMIT
Failing = Callable[[], AbstractContextManager[object]]


def health(address: str) -> tuple[int, str]:
    """Return the status of `/health`, and the cause if it is bad."""
    answer = exchange(address, GET)
    body = json.loads(answer.body)
    return answer.status, body["error"]["detail"] if "error" in body else ""


def until_cause(address: str, cause: str) -> None:
    """Wait until `/health` is 503 with a cause, or 200 without one."""
    end, found = time.monotonic() + MOST_SECONDS, (0, "")
    while cause not in found[1] or found[0] != (503 if cause else 200):
        assert time.monotonic() < end, found
        time.sleep(0.02)
        found = health(address)


# ------------------------------------------------------------------------------------------ SQLite


@contextmanager
def refusing(process: int, file: Path, calls: str, fault: str) -> Iterator[None]:
    """Let the system refuse some calls of a process on the files of a store."""
    files = [part for end in ("", "-wal") for part in ("-P", f"{file}{end}")]
    shim = subprocess.Popen(
        ["strace", "-f", "-qq", "-p", str(process), *files, "-e", f"trace={calls}",
         "-e", f"inject={calls}:error={fault}", "-o", "/dev/null"],
    )  # fmt: skip
    try:
        yield
    finally:
        shim.send_signal(signal.SIGINT)  # the process goes on without it
        shim.wait(LIMIT)


@contextmanager
def locked(file: Path) -> Iterator[None]:
    """Hold the lock of a database, as another program does that writes to it."""
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        connection.execute("begin immediate")
        yield
        connection.execute("rollback")


def first_address(process: subprocess.Popen[str], log: Path) -> str:
    """Return the address that a server tells when it is ready."""
    assert process.stdout is not None
    found = re.search(r"http://\S+/", process.stdout.readline())
    assert found, log.read_text()
    return found[0]


@contextmanager
def server_process(file: Path) -> Iterator[tuple[int, str, Path]]:
    """Run a server; give its process, its address and its log."""
    log = file.with_suffix(".log")
    with (
        log.open("w") as errors,
        subprocess.Popen(
            [*SERVE, str(file)], stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process,
    ):
        try:
            yield process.pid, first_address(process, log), log
        finally:
            process.terminate()


def test_a_disk_that_fails_is_known_while_games_are_played(tmp_path: Path) -> None:
    file = tmp_path / "games.db"
    with (
        server_process(file) as (process, address, log),
        Client(address) as ann,
        Client(address) as bob,
    ):
        refused = partial(refusing, process, file)
        faults: list[tuple[str, Failing]] = [
            ("database or disk is full", partial(refused, "pwrite64", "ENOSPC")),
            ("disk I/O error", partial(refused, "pwrite64", "EDQUOT")),
            ("disk I/O error", partial(refused, "pwrite64", "EROFS")),
            ("disk I/O error", partial(refused, "pwrite64", "EIO")),
            ("disk I/O error", partial(refused, "fdatasync,fsync", "EIO")),
            ("database is locked", partial(locked, file)),
        ]
        game, seq, expected = new_game(ann, bob), 1, list[str]()
        for cause, failing in faults:
            mover, move = (ann, bob)[(seq - 1) % 2], str(seq)
            with failing():
                until_cause(address, cause)
                assert mover.move(game, seq, move)["code"] == "storage_unavailable", cause
            until_cause(address, "")
            assert mover.move(game, seq, move)["t"] == "ack"
            expected += [f"the store cannot be written: {cause}", "the store can be written again"]
            logged = [json.loads(line)["message"] for line in log.read_text().splitlines()]
            assert logged == expected
            seq += 1


# -------------------------------------------------------------------------------------- PostgreSQL


@contextmanager
def read_only(postgres: PostgresServer) -> Iterator[None]:
    """Let a database server accept no writes, from running sessions either."""
    try:
        postgres.execute("alter system set default_transaction_read_only = on")
        postgres.execute("select pg_reload_conf()")
        yield
    finally:
        options = "-c default_transaction_read_only=off"
        with psycopg.connect(f"{postgres.connection} options='{options}'", autocommit=True) as own:
            own.execute("alter system reset default_transaction_read_only")
            own.execute("select pg_reload_conf()")


@contextmanager
def locked_table(url: str, table: str) -> Iterator[None]:
    with psycopg.connect(url) as other:
        other.execute(f"lock table {table} in access exclusive mode".encode())
        yield
        other.rollback()


def test_a_database_that_fails_is_known_while_games_are_played(
    postgres: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    url = postgres.new_database()
    faults: list[tuple[str, Failing]] = [
        ("in a read-only transaction", partial(read_only, postgres)),
        ("lock timeout", partial(locked_table, url, "events")),
    ]
    with serving(url) as address, Client(address) as ann, Client(address) as bob:
        game, seq = new_game(ann, bob), 1
        for cause, failing in faults:
            mover, move = (ann, bob)[(seq - 1) % 2], str(seq)
            caplog.clear()
            with failing():
                until_cause(address, cause)
                assert mover.move(game, seq, move)["code"] == "storage_unavailable", cause
            until_cause(address, "")
            assert mover.move(game, seq, move)["t"] == "ack"
            failed, works = [record.message for record in caplog.records]
            assert failed.startswith("the store cannot be written: ")
            assert cause in failed
            assert works == "the store can be written again"
            seq += 1


def test_a_role_that_may_only_read_is_refused_at_the_start(postgres: PostgresServer) -> None:
    url = postgres.new_database()
    GameStore(url).close()
    schema = url.rpartition("%3D")[2]
    for statement in (
        "create role reader login",
        f"grant usage on schema {schema} to reader",
        f"grant select on all tables in schema {schema} to reader",
    ):
        postgres.execute(statement)
    with pytest.raises(UnusableError, match="permission denied for table games"):
        GameStore(url.replace("://plyboard@", "://reader@"))


# ---------------------------------------------------------------------------- heartbeats and looks


def test_a_heartbeat_leaves_nothing_behind(store_at: str) -> None:
    store = GameStore(store_at)
    state = play(store, store_game(store), "44")
    faults: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
    for _ in range(3):
        store.send_heartbeat(faults.put)
    play(store, state, "5")  # among them
    assert [faults.get(timeout=LIMIT) for _ in range(3)] == [None] * 3
    assert store.count() == 1
    assert list(store.verify(replay=True)) == []
    store.close()


class FullStore(GameStore):
    """A store whose disk may be full."""

    is_full = False

    def _commit(self, writes: list[Write]) -> BaseException | None:
        return OSError("No space left on device") if self.is_full else super()._commit(writes)


def test_a_failing_store_is_logged_once_and_found_to_work_though_nobody_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(store_module, "HEARTBEAT_SECONDS", 0.001)
    store = FullStore(str(tmp_path / "games.db"))
    state, end = store_game(store), time.monotonic() + LIMIT
    store.is_full = True
    for _ in range(5):
        with pytest.raises(StorageError, match="No space left"):
            play(store, state, "4")
    while not store.health.cause:
        assert time.monotonic() < end
    store.is_full = False
    while store.health.cause:
        assert time.monotonic() < end
    assert [record.message for record in caplog.records] == [
        "the store cannot be written: No space left on device",
        "the store can be written again",
    ]
    store.close()


class WatchedStore(MemoryStore):
    """A store that counts looks at it, and may hang."""

    def __init__(self) -> None:
        super().__init__()
        self.health, self.heartbeats, self.reads = StoreHealth("written"), 0, 0
        self.hanging: list[Done] | None = None

    def send_heartbeat(self, done: Done) -> None:
        self.heartbeats += 1
        if self.hanging is None:
            self.health.hear(None)
            done(None)
        else:
            self.hanging.append(done)

    def check(self) -> None:
        self.reads += 1
        if self.is_down:
            raise StorageError("unreadable")


def test_however_often_it_is_asked_health_writes_once_a_second() -> None:
    store = WatchedStore()

    async def ask() -> None:
        checker = HealthCheck(store)
        for _ in range(30):  # three seconds
            assert set(await asyncio.gather(*(checker.cause() for _ in range(50)))) == {""}
            await asyncio.sleep(0.1)

    simulate(ask())
    assert 3 <= store.heartbeats <= 4
    assert store.reads == store.heartbeats


def test_health_answers_in_time_although_the_store_hangs(caplog: pytest.LogCaptureFixture) -> None:
    store = WatchedStore()

    async def ask() -> None:
        checker, loop = HealthCheck(store), asyncio.get_running_loop()
        assert await checker.cause() == ""
        store.hanging = []
        began = loop.time()
        while await checker.cause() != SILENT:
            await asyncio.sleep(0.1)
        assert loop.time() - began <= IN_TIME
        for _ in range(100):
            began = loop.time()
            assert await checker.cause() == SILENT
            assert loop.time() - began <= PATIENCE
            await asyncio.sleep(0.1)
        assert loop.time() > HANGING_SECONDS
        assert [record.message for record in caplog.records] == [
            f"the store cannot be written: {SILENT}"
        ]
        done, store.hanging = store.hanging[0], None
        store.health.hear(None)
        done(None)
        await asyncio.sleep(0.1)
        assert await checker.cause() == ""

    simulate(ask())
    assert caplog.records[-1].levelno == logging.WARNING
    assert caplog.records[-1].message == "the store can be written again"


def test_a_store_that_cannot_be_read_is_not_healthy() -> None:
    store = WatchedStore()

    async def ask() -> None:
        checker = HealthCheck(store)
        store.is_down = True
        assert await checker.cause() == "unreadable"
        store.is_down = False
        await asyncio.sleep(1)
        assert await checker.cause() == ""

    simulate(ask())
