"""An event in one SQLite file: its settings, openings, games and results.

Everything is committed and synced to disk as it comes. A process that is killed at any time loses
only the games that were being played. Each result is stored at most once, under a key for the game
and for what has played it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, TypeVar

from plyboard.agents.contents import Contents
from plyboard.arena.event import EventSettings
from plyboard.arena.game_task import Facts, GameResult, GameTask
from plyboard.arena.openings import DrawnOpening
from plyboard.durable import BESIDE_DATABASE, created_database, is_empty_database, locked
from plyboard.errors import Place, UnusableError, shown

Value = TypeVar("Value")
APPLICATION = 0x506C7942  # "PlyB", in the header of the file
VERSION = 3
TABLES = (
    "CREATE TABLE event (settings TEXT NOT NULL)",
    "CREATE TABLE openings (number INTEGER, moves TEXT NOT NULL, dropped INT NOT NULL,"
    " rules TEXT NOT NULL, PRIMARY KEY (rules, number))",
    "CREATE TABLE contents (name TEXT NOT NULL, facts TEXT NOT NULL)",
    "CREATE TABLE results (key TEXT PRIMARY KEY, task TEXT NOT NULL, facts TEXT NOT NULL)",
)


class EventStore:
    """The file of an event. Only one process at a time may have it open for writing."""

    def __init__(self, path: Path, database: sqlite3.Connection, lock: IO[bytes] | None) -> None:
        self.path, self._database, self._lock = path, database, lock
        self._waiting: list[tuple[str, tuple[object, ...]]] = []  # statements with their values

    @classmethod
    def open(cls, path: Path, settings: EventSettings) -> EventStore:
        """Create the file of an event, or open it again; raise if it holds another event."""
        if path.is_dir() or not path.parent.is_dir():
            reason = "it is a folder" if path.is_dir() else "no such folder"
            raise UnusableError("cannot write", where=Place(file=str(path)), reason=reason)
        lock = _locked(path)
        try:
            with _told(path):
                if is_empty_database(path):
                    lock = _create(path, settings, lock)
            store = cls(path, _connect(path), lock)
        except BaseException:
            _release(lock)
            raise
        try:
            store._check(settings)
        except BaseException:
            store.close()
            raise
        return store

    @classmethod
    def read(cls, path: Path) -> EventStore:
        """Open the file of an event that exists, also while its games are being played."""
        if not path.is_file():
            raise UnusableError("cannot read", where=Place(file=str(path)), reason="no such file")
        store = cls(path, _connect(path), None)
        try:
            assert store.settings, "it raises for other files"
        except BaseException:
            store.close()
            raise
        return store

    def _check(self, settings: EventSettings) -> None:
        """Prepare for writing; raise if the file holds another event."""
        known = self.settings
        if known != settings:
            raise UnusableError(
                "other event",
                where=Place(file=str(self.path)),
                reason=f"it has {_difference(known, settings)}; take another file",
            )
        with _told(self.path):
            for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
                self._database.execute(f"PRAGMA {pragma}")

    @property
    def version(self) -> int:
        """The version of the format. Raise if it is the file of something else."""
        with _told(self.path):
            (application,) = self._database.execute("PRAGMA application_id").fetchone()
            (version,) = self._database.execute("PRAGMA user_version").fetchone()
        if application != APPLICATION:
            raise _not_an_event(self.path)
        return int(version)

    @property
    def settings(self) -> EventSettings:
        """The settings of the event."""
        version = self.version
        with _told(self.path):
            if version != VERSION:
                raise UnusableError(
                    "cannot use", where=Place(file=str(self.path)),
                    reason=f"it is of version {version}; this Plyboard reads version {VERSION}; "
                    "take another file, or --again to play all games anew",
                )  # fmt: skip
            (text,) = self._database.execute("SELECT settings FROM event").fetchone()
        return self._parsed(EventSettings.of, text)

    def openings(self, rules: str) -> Iterator[DrawnOpening]:
        """Yield the openings drawn so far by these rules, in the order of the draw."""
        query = "SELECT moves, dropped FROM openings WHERE rules = ? ORDER BY number"
        for moves, dropped in self._rows(query, rules):
            yield DrawnOpening(tuple(json.loads(moves)), bool(dropped))

    def contents(self, name: str) -> Contents | None:
        """Return what an agent, or the game, was made of when it was last played."""
        query = "SELECT facts FROM contents WHERE name = ? ORDER BY rowid DESC LIMIT 1"
        for (facts,) in self._rows(query, name):
            return dict(json.loads(facts))
        return None

    def played(self) -> Iterator[tuple[str, GameTask, GameResult]]:
        """Yield the games that have results, with their keys, in the order of storage."""
        for key, task, facts in self._rows("SELECT key, task, facts FROM results ORDER BY rowid"):
            yield key, self._parsed(GameTask.of, task), self._parsed(GameResult.of, facts)

    def add_opening(self, rules: str, number: int, opening: DrawnOpening) -> None:
        """Store an opening under its place in the draw, together with the next results.

        Openings follow from the settings and the rules, so nothing is lost if they come late.
        """
        row = rules, number, json.dumps(opening.moves), opening.is_dropped
        self._wait("INSERT INTO openings (rules, number, moves, dropped) VALUES (?, ?, ?, ?)", row)

    def add_contents(self, name: str, contents: Contents) -> None:
        """Store what an agent, or the game, is made of now, together with the next results."""
        self._wait("INSERT INTO contents VALUES (?, ?)", (name, json.dumps(contents)))

    def add_results(self, results: Iterable[tuple[str, GameTask, GameResult]]) -> None:
        """Store results under their keys, all or none, and sync them; a second one is refused."""
        rows = [
            (key, json.dumps(task.facts()), json.dumps(result.facts()))
            for key, task, result in results
        ]
        with self._transaction():
            for statement, row in self._waiting:
                self._database.execute(statement, row)
            self._database.executemany("INSERT INTO results VALUES (?, ?, ?)", rows)
        self._waiting.clear()

    def remove_results(self, agent: str) -> None:
        """Remove all results of an agent."""
        keys = [(key,) for key, task, _ in self.played() if agent in task.agents]
        with self._transaction():
            self._database.executemany("DELETE FROM results WHERE key = ?", keys)

    def flush(self) -> None:
        """Store everything that waits for results."""
        self.add_results(())

    def _wait(self, statement: str, row: tuple[object, ...]) -> None:
        self._waiting.append((statement, row))

    def close(self) -> None:
        """Close the file."""
        with suppress(sqlite3.Error):
            self._database.close()
        _release(self._lock)

    def __enter__(self) -> EventStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _rows(self, query: str, *values: object) -> Iterator[tuple[str, ...]]:
        with _told(self.path):
            yield from self._database.execute(query, values)

    def _parsed(self, read: Callable[[Facts], Value], text: str) -> Value:
        """Return a value from its text in the file."""
        try:
            return read(json.loads(text))
        except (AttributeError, LookupError, TypeError, ValueError) as fault:
            reason = f"this version of Plyboard cannot read it ({type(fault).__name__})"
            raise UnusableError(
                "cannot use", where=Place(file=str(self.path)), reason=reason
            ) from fault

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """Commit what happens inside, or nothing of it."""
        with _told(self.path):
            self._database.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._database.execute("ROLLBACK")
                raise
            self._database.execute("COMMIT")


def _connect(path: Path) -> sqlite3.Connection:
    with _told(path):
        return sqlite3.connect(path, isolation_level=None)  # transactions are ours


def _locked(path: Path) -> IO[bytes] | None:
    """Lock the file, which is created if there is none, until the process ends."""
    try:
        return locked(path)
    except BlockingIOError:
        raise UnusableError(
            "cannot use", where=Place(file=str(path)), reason="another process plays this event"
        ) from None
    except (OSError, ValueError) as fault:
        raise UnusableError.of("cannot write", str(path), fault) from None


def _release(lock: IO[bytes] | None) -> None:
    if lock is not None:
        lock.close()


def _create(path: Path, settings: EventSettings, lock: IO[bytes] | None) -> IO[bytes] | None:
    """Create the file of an event in place of an empty one; return the lock of the new file.

    It is locked before it gets its name, and the empty one until then.
    """
    new: IO[bytes] | None = None
    try:
        with created_database(path) as temporary:
            with closing(sqlite3.connect(temporary, isolation_level=None)) as database:
                _fill(database, settings)
            new = locked(temporary)
    except BaseException:
        _release(new)
        raise
    _release(lock)
    return new


def _fill(database: sqlite3.Connection, settings: EventSettings) -> None:
    database.execute("PRAGMA journal_mode = OFF")
    database.execute("BEGIN")
    for table in TABLES:
        database.execute(table)
    database.execute("INSERT INTO event VALUES (?)", (json.dumps(settings.facts()),))
    database.execute(f"PRAGMA application_id = {APPLICATION}")
    database.execute(f"PRAGMA user_version = {VERSION}")
    database.execute("COMMIT")


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into ours."""
    try:
        yield
    except sqlite3.DatabaseError as fault:
        if isinstance(fault, sqlite3.IntegrityError):  # a result stored twice is our own mistake
            raise
        raise UnusableError("cannot use", where=Place(file=str(path)), reason=str(fault)) from fault
    except OSError as fault:
        raise UnusableError.of("cannot write", str(path), fault) from fault


def _not_an_event(path: Path) -> UnusableError:
    return UnusableError(
        "cannot use", where=Place(file=str(path)), reason="it is not the file of an event"
    )


def _difference(known: EventSettings, wanted: EventSettings) -> str:
    """Return the first setting that differs, with its value in the file."""
    ours, theirs = known.facts(), wanted.facts()
    name = next(each for each in ours if ours[each] != theirs[each])
    return f"{name} {shown(json.dumps(ours[name]))}"


def remove_event(path: Path) -> None:
    """Remove the file of an event, if there is one; raise if it is another file or in use."""
    if not path.exists() or path.stat().st_size == 0:
        return
    lock = _locked(path)
    try:
        with _told(path):
            is_empty = is_empty_database(path)
        if not is_empty:
            with EventStore(path, _connect(path), None) as store:
                assert store.version, "it raises for other files"
        for end in ("", *BESIDE_DATABASE):
            Path(f"{path}{end}").unlink(missing_ok=True)
    finally:
        _release(lock)
