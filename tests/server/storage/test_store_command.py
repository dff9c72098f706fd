"""`plyboard store`: games are checked and copied while a server uses them."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from server.postgres import PostgresServer
from server.stored_games import new_game, play
from sqlalchemy.engine import Connection

from plyboard.cli.main import _run as run
from plyboard.server.game.events import GameState
from plyboard.server.storage import copying
from plyboard.server.storage.copying import copy_store
from plyboard.server.storage.reader import StoreReader
from plyboard.server.storage.schema import EVENTS, GAMES
from plyboard.server.storage.store import GameStore

MOVES = "1234567" * 4  # nobody has four in a row before the end


@pytest.fixture
def store(store_at: str) -> Iterator[GameStore]:
    opened_store = GameStore(store_at)
    yield opened_store
    opened_store.close()


def states_of(store: str) -> dict[str, GameState]:
    reader = StoreReader(store)
    assert list(reader.verify(replay=True)) == []
    with reader.reading() as connection:
        ids = connection.exec_driver_sql("select id from games").scalars().all()
    found = {game_id: reader.load(game_id) for game_id in ids}
    reader.close()
    return {game_id: stored.state for game_id, stored in found.items() if stored}


def test_a_store_without_damage_is_said_to_be_so(
    store: GameStore, store_at: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for _ in range(3):
        play(store, new_game(store), "445")
    for options in ([], ["--replay"]):
        assert run(["store", "verify", store_at, *options]) == 0
        assert capsys.readouterr().out == "3 games, no damage\n"


def test_damaged_games_are_named(
    store: GameStore, store_at: str, capsys: pytest.CaptureFixture[str]
) -> None:
    games = [play(store, new_game(store), "4455667").id for _ in range(5)]
    with store.engine.begin() as connection:
        for statement, game in (
            ("update events set asked = '', data = data || data where game = '{}'", games[0]),
            ("update games set result = '0-1' where id = '{}'", games[1]),
            ("update games set first = 'Eve' where id = '{}'", games[2]),
            ("delete from events where sequence = 7 and game = '{}'", games[3]),
        ):
            connection.exec_driver_sql(statement.format(game))

    assert run(["store", "verify", store_at]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert {line.split()[1].rstrip(":") for line in lines} == set(games[:4])
    assert [each.id for each in store.finished()] == [games[4], games[3], games[0]]


def test_a_game_without_its_first_entry_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "games.db"
    store = GameStore(str(file))
    lost, _ = (play(store, new_game(store), "4") for _ in range(2))
    store.close()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("delete from games where id = ?", (lost.id,))

    assert run(["store", "verify", str(file)]) == 1
    assert capsys.readouterr().out == f"game {lost.id}: its first entry is missing\n"


def test_a_copy_made_under_load_is_the_store_of_one_moment(
    store: GameStore, store_at: str, tmp_path: Path
) -> None:
    """Four threads play on while the store is copied three times."""
    finished = [play(store, new_game(store), "4455667") for _ in range(20)]
    ended = threading.Event()

    def play_on() -> None:
        while not ended.is_set():
            play(store, new_game(store), MOVES[:20])

    players = [threading.Thread(target=play_on) for _ in range(4)]
    for player in players:
        player.start()
    copies = [str(tmp_path / f"copy{each}.db") for each in range(3)]
    counts = [copy_store(store_at, copy) for copy in copies]
    ended.set()
    for player in players:
        player.join(60)

    last = states_of(store_at)
    for copy, count in zip(copies, counts, strict=True):
        found = states_of(copy)
        assert len(found) == count
        assert {state.id: state for state in finished}.items() <= found.items()
        for game_id, state in found.items():
            assert last[game_id].match.at(len(state.match.turns)).turns == state.match.turns
    assert counts == sorted(counts)


def test_moves_made_between_the_tables_are_not_in_the_copy(
    store: GameStore, store_at: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows_of, begun = copying._rows_of, play(store, new_game(store), "445")
    tables = list[sa.Table]()

    def slow_rows(connection: Connection) -> Iterator[tuple[sa.Table, list[copying.Row]]]:
        for table, rows in rows_of(connection):
            tables.append(table)
            yield table, rows
            if tables == [GAMES]:  # before the events are read
                play(store, begun, "4")
                play(store, new_game(store), "44")

    monkeypatch.setattr(copying, "_rows_of", slow_rows)
    copy = str(tmp_path / "copy.db")
    assert copy_store(store_at, copy) == 1

    assert tables == [GAMES, EVENTS] * 2  # the second time it is compared
    assert len(states_of(store_at)) == 2
    assert states_of(copy) == {begun.id: begun}


def test_games_move_to_postgresql_and_back(postgres: PostgresServer, tmp_path: Path) -> None:
    first, url, last = str(tmp_path / "a.db"), postgres.new_database(), str(tmp_path / "b.db")
    store = GameStore(first)
    for moves in ("", "4", "4455667"):
        play(store, new_game(store), moves)
    store.close()
    assert copy_store(first, url) == copy_store(url, last) == 3

    assert states_of(first) == states_of(url) == states_of(last)
    again = GameStore(last)
    assert len(again.claim()) == 2  # the unfinished ones have no server yet
    again.close()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["verify", "none.db"], "cannot use the store: no store in 'none.db'"),
        (["verify", "letters.txt"], "cannot use the store: 'letters.txt': "),
        (["copy", "none.db", "copy.db"], "cannot use the store: no store in 'none.db'"),
        (["copy", "games.db", "letters.txt"], "cannot copy the store: 'letters.txt' exists"),
        (["copy", "games.db", "no/folder.db"], "cannot copy the store 'no/folder.db': No such f"),
    ],
)
def test_what_cannot_be_done_is_said(
    arguments: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    GameStore("games.db").close()
    Path("letters.txt").write_text("my letters, not a database " * 100)

    assert run(["store", *arguments]) == 4
    assert capsys.readouterr().err.startswith(f"error: {says}")
    assert not Path("none.db").exists()
    assert not Path("copy.db").exists()
    assert not list(tmp_path.glob(".plyboard*"))


def test_games_are_not_copied_among_others(store: GameStore, store_at: str, tmp_path: Path) -> None:
    new_game(store)
    other = str(tmp_path / "other.db")
    GameStore(other).close()
    assert run(["store", "copy", other, store_at]) == 4
