"""Promise D12: a database that does not answer any more is noticed, and everything goes on."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from server.harness import LIMIT, SERVE, Client, new_game, serving
from server.http.test_health import first_address, until_cause
from server.postgres import PostgresServer
from server.stored_games import new_game as store_game
from server.stored_games import play
from server.tcp_proxy import TcpProxy

from plyboard.server.storage.changes import ChangeListener
from plyboard.server.storage.database import open_engine, store_url
from plyboard.server.storage.deadlines import Deadlines
from plyboard.server.storage.notices import Change
from plyboard.server.storage.reader import StorageError
from plyboard.server.storage.store import GameStore
from plyboard.server.storage.writes import Write

PATIENCE = 12.0 if "PLYBOARD_PLANTED" in os.environ else LIMIT  # a fault; seconds


@pytest.fixture
def proxy(postgres: PostgresServer) -> Iterator[TcpProxy]:
    with TcpProxy(str(postgres.folder / ".s.PGSQL.5432")) as found:
        yield found


@pytest.fixture
def url(postgres: PostgresServer, proxy: TcpProxy) -> str:
    """Return the URL of an empty database behind the proxy."""
    options = postgres.new_database().partition("&")[2]
    return f"postgresql://plyboard@127.0.0.1:{proxy.port}/postgres?{options}"


def test_connections_that_are_silent_for_ever_are_replaced(proxy: TcpProxy, url: str) -> None:
    store, heard = GameStore(url), queue.SimpleQueue[list[Change] | None]()
    store.listen(heard.put)
    state = store_game(store)
    assert not store.is_deaf

    proxy.half_open()
    stored = store.load(state.id)
    assert stored is not None
    assert stored.state == state
    assert play(store, state, "4").sequence == 1
    while heard.get(timeout=PATIENCE) is not None:
        pass  # the listener has noticed as well: some news may be missing
    assert not store.is_deaf
    store.close()


def test_everything_ends_while_nothing_arrives_and_goes_on_afterwards(
    proxy: TcpProxy, url: str
) -> None:
    store, heard = GameStore(url), queue.SimpleQueue[list[Change] | None]()
    store.listen(heard.put)
    state = store_game(store)

    proxy.blackhole()
    with pytest.raises(StorageError):
        play(store, state, "4")
    with pytest.raises(StorageError):
        store.load(state.id)
    with pytest.raises(StorageError):
        store.claim()
    with pytest.raises(StorageError):
        store.check()
    proxy.heal()

    while heard.get(timeout=PATIENCE) is not None:
        pass
    stored = store.load(state.id)  # nobody knew whether the move was stored
    assert stored is not None
    assert play(store, stored.state, "4").match.position.moves[:1] == ("4",)
    store.close()


class SlowStore(GameStore):
    """A store whose commits wait until they may go on."""

    may_go = threading.Event()

    def _commit(self, writes: list[Write]) -> BaseException | None:
        assert self.may_go.wait(LIMIT)
        return super()._commit(writes)


def test_a_write_that_is_late_is_answered_and_reported_when_it_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyboard.server.storage.store.ANSWER_SECONDS", 0.0)
    store, heard = SlowStore(str(tmp_path / "games.db")), queue.SimpleQueue[list[Change] | None]()
    store.listen(heard.put)

    with pytest.raises(StorageError, match="nobody knows yet whether this is stored"):
        store_game(store)
    store.may_go.set()
    (change,) = heard.get(timeout=PATIENCE) or []
    stored = store.load(change.game)
    assert stored is not None
    assert (stored.state.sequence, change.sequence) == (0, 0)
    store.close()


def test_health_and_players_know_it_and_play_goes_on(proxy: TcpProxy, url: str) -> None:
    with serving(url) as address, Client(address) as ann, Client(address) as bob:
        game = new_game(ann, bob)
        proxy.blackhole()
        answer = ann.move(game, 1, "4", "once")
        assert answer.get("code") == "storage_unavailable"
        until_cause(address, "connection timeout expired")
        proxy.heal()
        until_cause(address, "")
        assert ann.move(game, 1, "4", "once") == {"t": "ack", "re": "once", "seq": 2}
        bob.until(lambda news: news.get("seq") == 2)


def test_sigterm_ends_the_server_while_nothing_arrives(
    proxy: TcpProxy, url: str, tmp_path: Path
) -> None:
    with (
        (tmp_path / "log").open("w") as log,
        subprocess.Popen([*SERVE, url], stdout=subprocess.PIPE, stderr=log, text=True) as process,
    ):
        address = first_address(process, tmp_path / "log")
        with Client(address) as ann, Client(address) as bob:
            game = new_game(ann, bob)
            proxy.blackhole()
            ann.move(game, 1, "4")
            process.send_signal(signal.SIGTERM)
            assert process.wait(LIMIT) == 0
        proxy.heal()


class _SilentConnection:
    """A connection that is open and answers nothing."""

    is_closed = False

    def execute(self, _query: bytes) -> None:
        raise TimeoutError

    def close(self) -> None:
        self.is_closed = True


def test_a_listener_closes_a_connection_on_which_it_cannot_listen(
    monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    deadlines, silent = Deadlines(), _SilentConnection()
    engine = open_engine(store_url(url))
    monkeypatch.setattr(psycopg, "connect", lambda *_arguments, **_options: silent)
    with pytest.raises(TimeoutError):
        ChangeListener(engine, 1, deadlines)
    deadlines.close()
    engine.dispose()

    assert silent.is_closed
