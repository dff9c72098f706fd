from __future__ import annotations

import errno
import hashlib
import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from plyboard.agents import Budget
from plyboard.arena.event import EventSettings
from plyboard.arena.event_store import TABLES, VERSION, EventStore, remove_event
from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.openings import DrawnOpening
from plyboard.arena.statistics.sprt import SprtTest
from plyboard.errors import UnusableError

FILLING = ["INSERT INTO event VALUES (hex(randomblob(50000)))"] * 3  # more than the cache holds
EVENT = EventSettings(("random", "engine:level=1"), "connect-four", 5)
TASKS = [GameTask(number, number // 2, "random", "alice", "connect-four") for number in range(4)]


def result(number: int, text: str = "1-0") -> GameResult:
    return GameResult(number, text, "line", None, 9, "", (1, 2), (0.1, 0.2))


def game(number: int, text: str = "1-0") -> tuple[str, GameTask, GameResult]:
    """Return a key, a game and its result."""
    return f"key {number}", TASKS[number], result(number, text)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "event.db"


def test_a_file_holds_what_was_stored_when_it_is_opened_again(path: Path) -> None:
    openings = [DrawnOpening(("4", "4")), DrawnOpening(("1",), is_dropped=True)]
    with EventStore.open(path, EVENT) as store:
        for number, opening in enumerate(openings):
            store.add_opening("rules", number, opening)
        for digest in ("older", "newer"):
            store.add_contents("bot", {"bot.py": digest})
        store.add_results([game(2), game(0, "0-1")])

    with EventStore.open(path, EVENT) as store:
        assert store.settings == EVENT
        assert list(store.openings("rules")) == openings
        assert list(store.openings("other rules")) == []
        assert store.contents("bot") == {"bot.py": "newer"}
        assert store.contents("other bot") is None
        assert list(store.played()) == [game(2), game(0, "0-1")]


def test_results_are_on_disk_as_soon_as_they_are_added(path: Path) -> None:
    with EventStore.open(path, EVENT) as store, EventStore.read(path) as reader:
        assert list(reader.played()) == []
        store.add_results([game(0)])

        assert list(reader.played()) == [game(0)]


def test_a_second_result_of_a_game_is_refused_with_all_that_come_with_it(path: Path) -> None:
    with EventStore.open(path, EVENT) as store:
        store.add_results([game(1)])
        with pytest.raises(sqlite3.IntegrityError):
            store.add_results([game(0), game(1, "0-1")])

        assert list(store.played()) == [game(1)]


def test_the_results_of_one_agent_can_be_removed(path: Path) -> None:
    others = replace(TASKS[1], first="mcts")
    with EventStore.open(path, EVENT) as store:
        store.add_results([game(0), ("other", others, result(1))])
        store.remove_results("random")

        assert list(store.played()) == [("other", others, result(1))]


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


def half_made(path: Path, *statements: str) -> None:
    """Leave what a process leaves that is killed in the middle of a transaction."""
    code = (
        "import os, sqlite3, sys\n"
        "database = sqlite3.connect(sys.argv[1], isolation_level=None)\n"
        "for statement in sys.argv[2:]:\n"
        "    database.execute(statement)\n"
        "os._exit(0)\n"
    )
    subprocess.run([sys.executable, "-c", code, path, *statements], check=True)


HALF_MADE: list[tuple[str, ...]] = [
    (),  # an empty file
    ("PRAGMA application_id = 1349286210",),
    ("PRAGMA application_id = 1349286210", "PRAGMA journal_mode = WAL"),
    ("PRAGMA cache_size = 1", "PRAGMA cache_spill = 1", "BEGIN", *TABLES, *FILLING),
]


@pytest.mark.parametrize("statements", HALF_MADE)
def test_a_file_whose_creation_was_interrupted_is_new(
    path: Path, statements: tuple[str, ...]
) -> None:
    half_made(path, *statements)
    with EventStore.open(path, EVENT) as store:
        store.add_results([game(0)])
    with EventStore.open(path, EVENT) as store:
        assert list(store.played()) == [game(0)]

    path.unlink()
    half_made(path, *statements)
    remove_event(path)
    assert not path.exists() or path.stat().st_size == 0
    EventStore.open(path, EVENT).close()
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_the_file_of_an_event_is_there_when_it_is_complete(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr("os.replace", fail)
        with pytest.raises(UnusableError, match=r"cannot write .*: Input/output error"):
            EventStore.open(path, EVENT)
    assert path.stat().st_size == 0
    assert list(path.parent.iterdir()) == [path]
    EventStore.open(path, EVENT).close()


@pytest.mark.parametrize("version", [VERSION - 1, VERSION + 1])
def test_a_file_of_another_version_is_not_touched(path: Path, version: int) -> None:
    EventStore.open(path, EVENT).close()
    execute(path, f"PRAGMA user_version = {version}")
    before = path.read_bytes()

    with pytest.raises(UnusableError) as fault:
        EventStore.open(path, EVENT)
    told = f"it is of version {version}; this Plyboard reads version {VERSION}; take another file"
    assert told in str(fault.value)
    assert path.read_bytes() == before
    remove_event(path)
    assert not path.exists()


@pytest.mark.parametrize(
    "statement",
    [
        """UPDATE event SET settings = json_insert(settings, '$.unheard_of', 1)""",
        """UPDATE event SET settings = json_remove(settings, '$.pairs')""",
        """UPDATE event SET settings = '[]'""",
        """UPDATE event SET settings = '{"agents":'""",
        """UPDATE results SET facts = json_insert(facts, '$.unheard_of', 1)""",
        """UPDATE results SET facts = 'null'""",
        """UPDATE results SET task = '{}'""",
    ],
)
def test_what_cannot_be_read_in_a_file_is_told_in_one_line(path: Path, statement: str) -> None:
    with EventStore.open(path, EVENT) as store:
        store.add_results([game(0)])
    execute(path, statement)

    told = "this version of Plyboard cannot read it"
    with pytest.raises(UnusableError, match=told) as fault, EventStore.open(path, EVENT) as store:
        list(store.played())
    assert "\n" not in str(fault.value)


FORMATS = {2: "7dcb24f5", 3: "7b2a2616"}  # what a file holds, by its version


def test_the_format_does_not_change_without_a_new_version() -> None:
    """Add a row to FORMATS with the new version and the new digest, and leave the old ones."""
    settings = replace(EVENT, budget=Budget(nodes=1), sprt=SprtTest(0, 5))
    held = [TABLES, settings.facts(), TASKS[0].facts(), result(0).facts()]
    shape = re.sub(r'(?<=": )("[^"]*"|[^{},]+)', "", json.dumps(held))

    assert FORMATS[VERSION] == hashlib.sha256(shape.encode()).hexdigest()[:8]


def execute(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(statement)


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
