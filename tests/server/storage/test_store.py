"""The store: what was written is there, once, in order, and damage is noticed."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from server.postgres import fast_folder
from server.storage import damage_store
from server.stored_games import new_game, play

from plyboard.errors import UnusableError
from plyboard.server.game import decisions
from plyboard.server.game.events import DamagedGameError, GamePlan, SeatPlan, opened
from plyboard.server.game.tokens import new_game_id
from plyboard.server.storage.database import writing
from plyboard.server.storage.reader import StorageError, StoreReader
from plyboard.server.storage.store import GameStore
from plyboard.server.storage.writes import Append, ClientRequest, Create, StaleError

TRIALS = 60


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.db"


@pytest.fixture
def store(store_at: str) -> Iterator[GameStore]:
    """A store in each database."""
    opened_store = GameStore(store_at)
    yield opened_store
    opened_store.close()


@pytest.fixture
def file_store(path: Path) -> Iterator[GameStore]:
    opened_store = GameStore(str(path))
    yield opened_store
    opened_store.close()


def test_a_game_reads_back_as_it_was_written(store: GameStore) -> None:
    state = play(store, new_game(store), "4455")
    stored = store.load(state.id)

    assert stored is not None
    assert stored.state == state
    assert stored.requests["1:3"] == ("move 5", 4)
    assert store.load(new_game_id()) is None


def test_a_known_state_is_brought_up_to_date(store: GameStore) -> None:
    states = [new_game(store)]
    for move in "4455":
        states.append(play(store, states[-1], move))
    words: tuple[tuple[decisions.Command, int], ...] = (
        ("takeback", 0), ("takeback", 1), ("draw", 0), ("resign", 1)
    )  # fmt: skip
    for word, player in words:
        before = states[-1]
        decision = decisions.command(before, player, word, 0.0)
        store.write(Append(before, decision))
        states.append(decision.state)
    whole = store.load(states[0].id)
    assert whole is not None

    for state in states:
        found = store.load_after(state)
        assert found is not None
        assert found.state == whole.state == states[-1]
        assert found.requests == {
            request: asked for request, asked in whole.requests.items() if asked[1] > state.sequence
        }
    again = store.load_after(replace(states[2], chain=b"x" * 32))  # of no stored game
    assert again is not None
    assert (again.state, again.requests) == (whole.state, whole.requests)


def test_a_game_survives_closing(store_at: str) -> None:
    store = GameStore(store_at)
    state = play(store, new_game(store), "123")
    store.close()

    again = GameStore(store_at)
    stored = again.load(state.id)
    again.close()
    assert stored is not None
    assert stored.state == state


def test_an_append_to_an_old_state_is_refused(store: GameStore) -> None:
    before = new_game(store)
    play(store, before, "4")

    with pytest.raises(StaleError):
        play(store, before, "5")
    stored = store.load(before.id)
    assert stored is not None
    assert stored.state.match.position.moves == ("4",)


def test_a_request_counts_once(store: GameStore) -> None:
    state = new_game(store)
    first = decisions.move(state, 0, "4", 0.0)
    request = ClientRequest("0:m", "move 4")
    store.write(Append(state, first, request))
    second = decisions.move(first.state, 1, "4", 0.0)

    with pytest.raises(StaleError):
        store.write(Append(first.state, second, request))


def test_one_bad_write_does_not_harm_the_others_of_its_batch(store: GameStore) -> None:
    games = [new_game(store) for _ in range(20)]
    stale = games[7]
    play(store, stale, "1")
    faults: dict[str, BaseException | None] = {}
    ended = threading.Semaphore(0)
    for state in games:
        decision = decisions.move(state, 0, "4", 0.0)

        def done(fault: BaseException | None, game: str = state.id) -> None:
            faults[game] = fault
            ended.release()

        store.submit(Append(state, decision), done)
    for _ in games:
        assert ended.acquire(timeout=60)

    assert {game for game, fault in faults.items() if fault} == {stale.id}
    assert isinstance(faults[stale.id], StaleError)


def test_racing_writers_add_each_event_once(store: GameStore) -> None:
    """Eight threads try to make the same moves; every move is stored exactly once."""
    state = new_game(store)

    def race() -> None:
        while True:
            stored = store.load(state.id)
            assert stored is not None
            here = stored.state
            if here.sequence == 20:
                return
            decision = decisions.move(here, here.match.mover, "1234567"[here.sequence % 7], 0.0)
            try:
                store.write(Append(here, decision))
            except StaleError:
                continue

    threads = [threading.Thread(target=race) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    stored = store.load(state.id)
    assert stored is not None
    assert stored.state.sequence == len(stored.state.match.turns) == 20


def test_finished_games_are_listed_the_newest_first(store: GameStore) -> None:
    lost, won = new_game(store), new_game(store)
    play(store, lost, "4455667")
    play(store, won, "1122334")
    play(store, new_game(store), "4")
    other = new_game(store, "conniption")

    listed = store.finished()
    assert {each.id for each in listed} == {lost.id, won.id}
    assert [each.created for each in listed] == sorted(
        (each.created for each in listed), reverse=True
    )
    assert store.finished(game="conniption") == []
    assert len(store.finished(player="Ann")) == 2
    assert store.finished(player="Eve") == []
    assert other.id in store.unfinished()
    assert won.id not in store.unfinished()


@pytest.mark.parametrize(
    "another_name",
    ["the path", "a folder", "a link", "a hard link", "no lock file", "renamed", "moved away"],
)
def test_a_second_server_is_refused_by_whatever_name(
    file_store: GameStore, path: Path, tmp_path: Path, another_name: str
) -> None:
    """Promise D3. A test of the path alone cannot tell a lock of the path from one of the file."""
    state = new_game(file_store)
    other = tmp_path / "other.db"
    if another_name == "a folder":
        (tmp_path / "folder").symlink_to(tmp_path)
        other = tmp_path / "folder" / "games.db"
    elif another_name == "a link":
        other.symlink_to(path)
    elif another_name == "a hard link":
        other.hardlink_to(path)
    elif another_name == "renamed":
        path.rename(other)
    else:
        other = path
        if another_name == "no lock file":
            Path(f"{path}.lock").unlink()
        elif another_name == "moved away":
            path.rename(tmp_path / "away.db")
    says = rf"another server uses .* \(process {os.getpid()}.* choose another file with --store"
    with pytest.raises(UnusableError, match=says):
        GameStore(str(other))

    if another_name in ("renamed", "moved away"):
        with pytest.raises(StorageError, match="was deleted or replaced"):
            play(file_store, state, "4")
    else:
        assert play(file_store, state, "4").sequence == 1


@pytest.mark.parametrize(
    "name", ["file:{}", "sqlite:///file:{}?uri=true", "sqlite:///{}?nolock=1", "sqlite:///file:{}"]
)
def test_a_name_that_sqlite_would_read_in_its_own_way_is_refused(path: Path, name: str) -> None:
    with pytest.raises(UnusableError, match=r"cannot use the store: got .*; expected a file, or"):
        GameStore(name.format(path))
    assert list(path.parent.iterdir()) == []


def test_moves_that_are_missing_after_a_kill_are_noticed_by_whatever_name(
    file_store: GameStore, path: Path, tmp_path: Path
) -> None:
    """The last moves are in a log beside the other name of the file."""
    play(file_store, new_game(file_store), "44")
    folder = tmp_path / "killed"
    folder.mkdir()
    for end in ("", "-wal", ".lock"):
        shutil.copyfile(f"{path}{end}", folder / f"games.db{end}")
    killed, other = folder / "games.db", tmp_path / "other.db"
    other.hardlink_to(killed)
    for name in (killed, other):
        with pytest.raises(UnusableError, match="has another name, a hard link; remove that one"):
            GameStore(str(name))
        assert "has another name" in faults_of(name)

    other.unlink()
    assert faults_of(killed) == ""
    Path(f"{killed}-wal").rename(tmp_path / "log")
    assert "games.db-wal' is missing, which holds the last moves" in faults_of(killed)


def faults_of(path: Path) -> str:
    reader = StoreReader(str(path))
    found = " ".join(fault for _, fault in reader.verify())
    reader.close()
    return found


def test_a_file_that_is_no_store_is_refused_and_kept(path: Path) -> None:
    path.write_bytes(b"my letters, not a database" * 100)
    with pytest.raises(UnusableError, match="cannot use the store"):
        GameStore(str(path))
    assert path.read_bytes().startswith(b"my letters")


def test_a_store_of_another_version_is_refused(file_store: GameStore, path: Path) -> None:
    file_store.close()
    with changing(path) as connection:
        connection.execute("update plyboard_schema set version = 99")
    with pytest.raises(UnusableError, match="version 99"):
        GameStore(str(path))


def test_writes_are_synced_before_they_are_acknowledged(file_store: GameStore) -> None:
    with file_store.engine.connect() as connection:
        assert connection.exec_driver_sql("pragma journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("pragma synchronous").scalar() == 2  # FULL


def test_no_write_is_acknowledged_while_another_program_locks_the_store(
    file_store: GameStore, path: Path
) -> None:
    state = new_game(file_store)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("begin exclusive")
        with pytest.raises(StorageError):
            play(file_store, state, "4")
        other.execute("rollback")

    assert play(file_store, state, "4").sequence == 1  # and play goes on


def test_a_flipped_byte_is_noticed_or_harmless(file_store: GameStore, path: Path) -> None:
    states = [play(file_store, new_game(file_store), "44556") for _ in range(3)]
    file_store.close()
    chance = random.Random(4)
    places = [("games", "plan", "id"), ("games", "chain", "id"), ("events", "data", "game")]
    for _ in range(30):
        table, column, key = chance.choice(places)
        with changing(path) as connection:
            rows = connection.execute(f"select {key}, {column} from {table}").fetchall()
            game, data = chance.choice(rows)
            bit = chance.randrange(8 * len(data))
            bad = bytes(byte ^ (place == bit // 8) << bit % 8 for place, byte in enumerate(data))
            update = f"update {table} set {column} = ? where {key} = ? and {column} = ?"
            connection.execute(update, (bad, game, data))
        again = GameStore(str(path))
        damaged = dict(again.verify())
        again.close()
        assert set(damaged) == {game}
        assert game in {state.id for state in states}
        with changing(path) as connection:
            connection.execute(update, (data, game, bad))


@contextmanager
def changing(path: Path) -> Iterator[sqlite3.Connection]:
    """Open a store's file behind its back."""
    with closing(sqlite3.connect(path)) as connection, connection:
        yield connection


def test_a_missing_event_is_noticed(file_store: GameStore, path: Path) -> None:
    state = play(file_store, new_game(file_store), "44")
    with changing(path) as connection:
        connection.execute("delete from events where sequence = 2")
    with pytest.raises(DamagedGameError, match="hashes"):
        file_store.load(state.id)


def test_no_game_is_read_wrongly_from_a_damaged_store() -> None:
    with tempfile.TemporaryDirectory(dir=fast_folder()) as folder:
        report = damage_store.run(TRIALS, 1, Path(folder))

    assert report.faults == []
    assert min(report.outcomes[name] for name in ("harmless", "noticed", "refused")) > 0


@pytest.mark.parametrize("end", ["", "-wal"])
@pytest.mark.parametrize("is_replaced", [False, True])
def test_nothing_is_acknowledged_while_a_file_of_the_store_is_gone(
    file_store: GameStore, path: Path, tmp_path: Path, end: str, is_replaced: bool
) -> None:
    state = play(file_store, new_game(file_store), "44")
    lost, kept = Path(f"{path}{end}"), tmp_path / "kept"
    lost.rename(kept)
    if is_replaced:
        shutil.copyfile(kept, lost)
    says = rf"'{lost.name}' was deleted or replaced"
    for call in (lambda: play(file_store, state, "4"), file_store.check):
        with pytest.raises(StorageError, match=says):
            call()

    kept.replace(lost)
    file_store.check()
    assert play(file_store, state, "5").sequence == 3  # and play goes on
    stored = file_store.load(state.id)
    assert stored is not None
    assert stored.state.match.position.moves == ("4", "4", "5")


def test_a_store_that_goes_in_the_middle_of_a_commit_acknowledges_nothing(
    file_store: GameStore, path: Path
) -> None:
    state = new_game(file_store)
    sa.event.listen(file_store.engine, "commit", lambda _: path.unlink())
    with pytest.raises(StorageError, match="was deleted"):
        play(file_store, state, "4")


@pytest.mark.parametrize(
    ("missing", "says"), [("", "which holds the games"), ("-wal", "which holds the last moves")]
)
def test_a_store_that_lacks_a_file_after_a_crash_is_refused(
    file_store: GameStore, path: Path, tmp_path: Path, missing: str, says: str
) -> None:
    state = play(file_store, new_game(file_store), "44")
    crashed = tmp_path / "crashed.db"
    for end in ("", "-wal", ".lock"):
        shutil.copyfile(f"{path}{end}", f"{crashed}{end}")
    kept = Path(f"{crashed}{missing}").rename(tmp_path / "kept")
    with pytest.raises(UnusableError, match=rf"crashed.db{missing}' is missing, {says}; put it"):
        GameStore(str(crashed))

    kept.rename(f"{crashed}{missing}")
    store = GameStore(str(crashed))
    stored = store.load(state.id)
    store.close()
    assert stored is not None
    assert stored.state == state


def test_a_store_that_another_program_has_tidied_up_after_a_kill_is_complete(
    file_store: GameStore, path: Path, tmp_path: Path
) -> None:
    """The last connection of any program moves the log into the file and removes it."""
    state = play(file_store, new_game(file_store), "44")
    killed = tmp_path / "killed.db"
    for end in ("", "-wal", ".lock"):
        shutil.copyfile(f"{path}{end}", f"{killed}{end}")
    with changing(killed) as connection:
        assert connection.execute("select count(*) from events").fetchone() == (2,)
    assert not Path(f"{killed}-wal").exists()

    again = GameStore(str(killed))
    stored = again.load(state.id)
    again.close()
    assert stored is not None
    assert stored.state == state


def test_an_empty_file_becomes_a_store_unless_games_were_in_it(path: Path, tmp_path: Path) -> None:
    path.touch()
    store = GameStore(str(path))
    state = play(store, new_game(store), "44")
    killed = tmp_path / "killed.db"
    for end in ("-wal", ".lock"):
        shutil.copyfile(f"{path}{end}", f"{killed}{end}")
    assert store.load(state.id) is not None
    store.close()

    killed.touch()
    for lost in (".lock", "-wal"):
        with pytest.raises(UnusableError, match=f"is empty, which holds the games.* rm .*{lost}"):
            GameStore(str(killed))
        Path(f"{killed}{lost}").unlink()
    GameStore(str(killed)).close()


def test_only_the_user_of_the_server_may_read_the_games(file_store: GameStore, path: Path) -> None:
    new_game(file_store)
    for each in path.parent.glob("games.db*"):
        assert each.stat().st_mode & 0o777 == 0o600, each


def test_the_database_of_another_program_is_kept_as_it_is(path: Path) -> None:
    with changing(path) as connection:
        connection.execute("create table letters (text)")
    before = path.read_bytes()
    with pytest.raises(UnusableError, match="got tables of another program"):
        GameStore(str(path))
    assert path.read_bytes()[100:] == before[100:]


def test_the_lobby_drops_games_whose_host_has_been_gone_for_a_minute(store: GameStore) -> None:
    seats = SeatPlan("person", "Ann", token_hash=b"a"), SeatPlan("open")
    plan = GamePlan("squatter", "", seats, is_public=True)
    states = [opened(new_game_id(), plan) for _ in range(2)]
    for state in states:
        store.write(Create(state))
    with writing(store.engine).begin() as connection:
        connection.exec_driver_sql("update games set host_seen = host_seen - 50000")
    listed = {game: gone for game, _, gone in store.open_games(60.0)}
    assert set(listed) == {each.id for each in states}
    assert min(listed.values()) >= 50

    with writing(store.engine).begin() as connection:
        connection.exec_driver_sql("update games set host_seen = host_seen - 10000")
    store.see_hosts([states[0].id])
    assert [game for game, _, _ in store.open_games(60.0)] == [states[0].id]
