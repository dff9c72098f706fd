from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from plyboard.arena.event import EventSettings
from plyboard.arena.event_store import EventStore
from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.openings import DrawnOpening
from plyboard.errors import UnusableError

EVENT = EventSettings(("random", "engine:level=1"), "connect-four", 5)
TASKS = [GameTask(number, number // 2, "random", "alice", "connect-four") for number in range(4)]


def result(number: int, text: str = "1-0") -> GameResult:
    return GameResult(number, text, "line", None, 9, "", (1, 2), (0.1, 0.2))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "event.db"


def test_a_file_holds_what_was_stored_when_it_is_opened_again(path: Path) -> None:
    openings = [DrawnOpening(("4", "4")), DrawnOpening(("1",), is_dropped=True)]
    with EventStore.open(path, EVENT) as store:
        for number, opening in enumerate(openings):
            store.add_opening(number, opening)
        store.add_tasks(TASKS)
        store.add_results([result(2), result(0, "0-1")])

    with EventStore.open(path, EVENT) as store:
        assert store.settings == EVENT
        assert list(store.openings()) == openings
        assert list(store.tasks()) == TASKS
        assert list(store.results()) == [result(0, "0-1"), result(2)]


def test_results_are_on_disk_as_soon_as_they_are_added(path: Path) -> None:
    with EventStore.open(path, EVENT) as store, EventStore.read(path) as reader:
        store.add_tasks(TASKS)
        assert list(reader.results()) == []
        store.add_results([result(0)])

        assert list(reader.results()) == [result(0)]


def test_a_second_result_of_a_game_is_refused_with_all_that_come_with_it(path: Path) -> None:
    with EventStore.open(path, EVENT) as store:
        store.add_tasks(TASKS)
        store.add_results([result(1)])
        with pytest.raises(sqlite3.IntegrityError):
            store.add_results([result(0), result(1, "0-1")])

        assert list(store.results()) == [result(1)]


def test_a_result_without_its_game_is_refused(path: Path) -> None:
    with EventStore.open(path, EVENT) as store, pytest.raises(sqlite3.IntegrityError):
        store.add_results([result(7)])


def test_another_event_does_not_fit_into_the_file(path: Path) -> None:
    EventStore.open(path, EVENT).close()

    with pytest.raises(UnusableError, match=r"other event .*: it has seed '0'; take another file"):
        EventStore.open(path, replace(EVENT, seed=1))
    with EventStore.open(path, EVENT) as store:
        assert store.settings == EVENT


def test_two_processes_cannot_play_the_same_event(path: Path) -> None:
    other = EventStore.open(path, EVENT)
    with pytest.raises(UnusableError, match="another process plays this event"):
        EventStore.open(path, EVENT)
    other.close()

    EventStore.open(path, EVENT).close()


def test_a_file_that_is_no_event_stays_as_it_is(path: Path) -> None:
    path.write_text("my notes\n" * 200)
    with pytest.raises(UnusableError, match=r"cannot use .*: file is not a database"):
        EventStore.open(path, EVENT)
    assert path.read_text() == "my notes\n" * 200

    path.unlink()
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE mine (text)")
    database.close()
    with pytest.raises(UnusableError, match="it is not the file of an event"):
        EventStore.open(path, EVENT)


def test_a_newer_version_is_not_touched(path: Path) -> None:
    EventStore.open(path, EVENT).close()
    with sqlite3.connect(path) as database:
        database.execute("PRAGMA user_version = 2")
    database.close()

    with pytest.raises(UnusableError, match="it is of version 2; this Plyboard reads 1"):
        EventStore.open(path, EVENT)


@pytest.mark.parametrize(
    ("name", "message"),
    [("", "it is a folder"), ("nowhere/event.db", "no such folder")],
)
def test_a_file_must_be_in_a_folder(tmp_path: Path, name: str, message: str) -> None:
    with pytest.raises(UnusableError, match=f"cannot write .*: {message}"):
        EventStore.open(tmp_path / name, EVENT)


def test_only_a_file_that_exists_can_be_read(path: Path) -> None:
    with pytest.raises(UnusableError, match=r"cannot read .*: no such file"):
        EventStore.read(path)
    assert not path.exists()
