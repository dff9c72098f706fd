"""What can be wrong with a PostgreSQL server, and what the store does then."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import psycopg
import pytest
import sqlalchemy as sa
from server.postgres import LIMIT, PostgresServer, postgres_server
from server.stored_games import new_game, play

from plyboard.errors import UnusableError
from plyboard.server.game import decisions
from plyboard.server.storage.database import store_url
from plyboard.server.storage.reader import StorageError
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
        assert capfd.readouterr().err.startswith("Waiting for the database 'postgresql+psycopg:")
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


def test_the_games_of_a_server_that_has_gone_are_claimed_by_one_other(url: str) -> None:
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
