"""What can be wrong with a PostgreSQL server, and what the store does then."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from server.postgres import LIMIT, PostgresServer, postgres_server
from server.stored_games import new_game, play

from plyboard.errors import UnusableError
from plyboard.server.game import decisions
from plyboard.server.storage import leases
from plyboard.server.storage.database import store_url
from plyboard.server.storage.notices import Change
from plyboard.server.storage.reader import StorageError, StoreReader
from plyboard.server.storage.store import GameStore
from plyboard.server.storage.writes import Append, ClientRequest, StaleError, Write

UNUSABLE = 4


@pytest.fixture
def url(postgres: PostgresServer) -> str:
    return postgres.new_database()


def test_every_form_of_the_url_is_understood() -> None:
    for scheme in ("postgres", "postgresql", "postgresql+psycopg"):
        url = store_url(f"{scheme}://ann:secret@host:5433/games")
        assert url.drivername == "postgresql+psycopg"
        assert (url.host, url.port, url.database) == ("host", 5433, "games")
    assert store_url("some folder/games.db").database == "some folder/games.db"


@pytest.mark.parametrize("store", ["mysql://ann:secret@host/games", "http://", "postgresql://:x:y"])
def test_other_databases_are_refused(store: str) -> None:
    with pytest.raises(UnusableError, match=r"expected a file, or a URL such as postgresql://"):
        GameStore(store)


SECRETS = [
    "postgresql://ann@host:secret/games",
    "postgresql://ann:secret@host:port/games",
    " postgresql://ann:secret@127.0.0.1:9/games",
    "postgresql:/ann:secret@host/games",
    "postgresql://127.0.0.1:9/games?user=ann&password=secret",
    "postgresql://ann:secret@127.0.0.1:9/games?secret=secret",
    "postgresql://127.0.0.1:9/games?sslmode=secret",
    "host=127.0.0.1 port=9 password=secret user=ann",
    "user = ann password = secret",
    "service=secret",
    "sqlite:///games.db?password=secret",
    "mysql://ann:secret@host/secret",
]


@pytest.mark.parametrize("store", SECRETS)
def test_no_part_of_a_text_that_may_hold_a_password_is_printed(
    store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nor is a file made that has it in its name."""
    monkeypatch.chdir(tmp_path)
    for use in (partial(GameStore, patience=0.0), StoreReader):
        with pytest.raises(UnusableError) as fault:
            use(store)
        assert "secret" not in f"{fault.value}{capfd.readouterr()}"
        assert "\n" not in str(fault.value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("tables", [["games", "events"], ["events"], ["plyboard_schema"]])
def test_tables_of_another_program_are_left_alone(
    postgres: PostgresServer, url: str, tables: list[str]
) -> None:
    schema = url.rpartition("%3D")[2]
    for table in tables:
        postgres.execute(f"create table {schema}.{table} (mine text)")
    with pytest.raises(UnusableError) as fault:
        GameStore(url)
    assert "\n" not in str(fault.value)
    with psycopg.connect(url) as own:
        found = own.execute("select tablename from pg_tables where schemaname = %s", (schema,))
        assert sorted(row[0] for row in found) == sorted(tables)


def test_tables_with_other_names_may_stand_beside_ours(postgres: PostgresServer, url: str) -> None:
    postgres.execute(f"create table {url.rpartition('%3D')[2]}.notes (mine text)")
    GameStore(url).close()


NAMED = '["abcdefgh23456789",5]'


@pytest.mark.parametrize(
    "text",
    ["", "hello", "77 abcdefgh23456789:5", "[77]", '[77,[["a",5]]]', f'["x",[{NAMED}]]', "9" * 5000,
     '[77,[["abcdefgh23456789",-5]]]', '[77,[["abcdefgh23456789",5,["!"]]]]', "[" * 5000],
)  # fmt: skip
def test_a_notification_that_no_server_has_sent_is_ignored(
    postgres: PostgresServer, url: str, text: str
) -> None:
    store, heard = GameStore(url), queue.SimpleQueue[list[Change] | None]()
    store.listen(heard.put)
    for each in (text, f"[77,[{NAMED}]]"):
        postgres.execute(f"select pg_notify('plyboard_games', '{each}')")

    assert heard.get(timeout=LIMIT) == [Change("abcdefgh23456789", 5)]
    assert not store.is_deaf
    store.close()


def test_a_missing_driver_is_named_with_the_command_that_installs_it(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(UnusableError) as fault:
        GameStore(url)
    assert str(fault.value) == (
        "not installed: got no package psycopg; expected pip install 'plyboard[postgres]'"
    )


@pytest.mark.parametrize(
    ("setting", "says"),
    [
        ("synchronous_commit=off", "got synchronous_commit = off in PostgreSQL; expected"),
        ("default_transaction_read_only=on", "got default_transaction_read_only = on in"),
    ],
)
def test_a_server_that_would_not_keep_moves_is_refused(url: str, setting: str, says: str) -> None:
    with pytest.raises(UnusableError, match=says):
        GameStore(f"{url}%20-c{setting.replace('=', '%3D')}")


def test_a_server_that_does_not_sync_is_refused(postgres: PostgresServer, url: str) -> None:
    postgres.stop()
    postgres.start(fsync="off")
    try:
        with pytest.raises(UnusableError, match="got fsync = off in PostgreSQL; expected fsync"):
            GameStore(url)
    finally:
        postgres.stop()
        postgres.start()


def test_a_replica_is_refused(postgres: PostgresServer) -> None:
    with (
        postgres_server(replica_of=postgres) as replica,
        pytest.raises(UnusableError, match="got a replica in PostgreSQL; expected a server that"),
    ):
        GameStore(replica.url)


def test_a_database_that_does_not_exist_is_named_at_once(postgres: PostgresServer) -> None:
    store = f"postgresql://plyboard:secret@/nothing?host={postgres.folder}"
    done = subprocess.run(
        [sys.executable, "-m", "plyboard", "serve", "--port", "0", "--store", store],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == UNUSABLE
    assert done.stderr.startswith("error: cannot use the store")
    assert 'database "nothing" does not exist' in done.stderr
    assert done.stderr.count("\n") == 1
    assert "secret" not in done.stderr


def test_a_server_that_is_down_is_waited_for(
    postgres: PostgresServer, url: str, capfd: pytest.CaptureFixture[str]
) -> None:
    postgres.stop()
    try:
        began = time.monotonic()
        with pytest.raises(UnusableError, match="cannot use the store"):
            GameStore(url, patience=0.5)
        assert time.monotonic() >= began + 0.5
        assert capfd.readouterr().err.startswith("Waiting for the database 'postgresql://")
        starting = threading.Timer(0.3, postgres.start)
        starting.start()
        store = GameStore(url)
        starting.join()
    finally:
        if postgres.process is None:
            postgres.start()
    assert store.unfinished() == []
    store.close()


class LosesConnections(GameStore):
    """A store whose connection is lost around its next commit."""

    losing = ""  # "after" or "before" the commit has taken place

    def _commit(self, writes: list[Write]) -> BaseException | None:
        losing, self.losing = self.losing, ""
        fault = None if losing == "before" else super()._commit(writes)
        if not losing:
            return fault
        lost = psycopg.OperationalError("the connection is lost")
        return sa.exc.OperationalError("commit", {}, lost, connection_invalidated=True)


@pytest.mark.parametrize("losing", ["after", "before"])
def test_the_outcome_of_a_lost_commit_is_looked_up(url: str, losing: str) -> None:
    """A write is stored once and acknowledged, whether the lost commit took place or not."""
    store = LosesConnections(url)
    store.losing = losing
    state = new_game(store)
    first = decisions.move(state, 0, "4", 0.0)
    store.losing = losing
    store.write(Append(state, first, ClientRequest("0:m", "move 4")))
    store.losing = losing
    with pytest.raises(StaleError):  # the same move by another request is not this one
        store.write(Append(state, first, ClientRequest("0:n", "move 4")))
    stored = store.load(state.id)
    store.close()
    assert stored is not None
    assert stored.state == first.state
    assert stored.requests == {"0:m": ("move 4", 1)}


def test_a_server_that_hangs_in_a_commit_stops_only_the_games_it_writes(
    postgres: PostgresServer, url: str
) -> None:
    store = GameStore(url)
    blocked, free = new_game(store), new_game(store)
    with psycopg.connect(url) as hanging:
        hanging.execute("update games set sequence = sequence where id = %s", (blocked.id,))
        faults: dict[str, BaseException | None] = {}
        ended = threading.Semaphore(0)
        for state in (blocked, free):
            decision = decisions.move(state, 0, "4", 0.0)

            def done(fault: BaseException | None, game: str = state.id) -> None:
                faults[game] = fault
                ended.release()

            store.submit(Append(state, decision), done)
        for _ in range(2):
            assert ended.acquire(timeout=60)
        hanging.rollback()
    assert isinstance(faults[blocked.id], StorageError)
    assert faults[free.id] is None
    assert play(store, blocked, "4").sequence == 1
    store.close()


def test_the_games_of_a_server_that_has_gone_are_claimed_by_one_other(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leases, "LEASE", 600_000)  # the owner is not gone before it is closed
    owner, *others = (GameStore(url) for _ in range(3))
    state = new_game(owner)
    decision = decisions.move(state, 0, "4", 0.0)

    def append(store: GameStore) -> None:
        """Store a move as the clock or an agent of the game would."""
        store.write(Append(state, decision, owner=store.server))

    assert [store.claim() for store in others] == [[], []]
    with pytest.raises(StaleError):
        append(others[0])
    owner.close()
    claimed, end = list[str](), time.monotonic() + LIMIT

    def claim(store: GameStore) -> None:
        while not claimed and time.monotonic() < end:  # until PostgreSQL has seen that it is gone
            claimed.extend(store.claim())

    threads = [threading.Thread(target=claim, args=(store,)) for store in others]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LIMIT)
    assert claimed == [state.id]
    stored = others[0].load(state.id)
    assert stored is not None
    heir, loser = others if others[0].server == stored.owner else reversed(others)
    with pytest.raises(StaleError):
        append(loser)
    append(heir)
    for store in others:
        store.close()
