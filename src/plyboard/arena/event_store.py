"""An event in one SQLite file: its settings, openings, games and results.

Everything is committed and synced to disk as it comes. A process that is killed at any time loses
only the games that were being played; each result is stored at most once, under its number.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from plyboard.arena.event import EventSettings
from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.openings import DrawnOpening
from plyboard.errors import Place, UnusableError, shown

APPLICATION = 0x506C7942  # "PlyB", in the header of the file
VERSION = 1
TABLES = (
    "CREATE TABLE event (settings TEXT NOT NULL)",
    "CREATE TABLE openings (number INTEGER PRIMARY KEY, moves TEXT NOT NULL, dropped INT NOT NULL)",
    "CREATE TABLE tasks (number INTEGER PRIMARY KEY, facts TEXT NOT NULL)",
    "CREATE TABLE results (number INTEGER PRIMARY KEY REFERENCES tasks, facts TEXT NOT NULL)",
)


class EventStore:
    """The file of an event. Only one process at a time may have it open for writing."""

    def __init__(self, path: Path, database: sqlite3.Connection, lock: IO[bytes] | None) -> None:
        self.path, self._database, self._lock = path, database, lock
        self._waiting: list[tuple[str, tuple[object, ...]]] = []  # statements with their values

    @classmethod
    def open(cls, path: Path, settings: EventSettings) -> EventStore:
        """Create the file of an event, or open it again; raise if it holds another event."""
        store = cls._connected(path, is_new=not path.exists() or path.stat().st_size == 0)
        try:
            known = store.settings
            if known is None:
                store._create(settings)
            elif known != settings:
                raise UnusableError(
                    "other event",
                    where=Place(file=str(path)),
                    reason=f"it has {_difference(known, settings)}; take another file",
                )
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
        if store.settings is None:
            store.close()
            raise _not_an_event(path)
        return store

    @classmethod
    def _connected(cls, path: Path, *, is_new: bool) -> EventStore:
        if path.is_dir() or not path.parent.is_dir():
            reason = "it is a folder" if path.is_dir() else "no such folder"
            raise UnusableError("cannot write", where=Place(file=str(path)), reason=reason)
        lock = _locked(path)
        try:
            database = _connect(path)
            with _told(path):
                if is_new:
                    database.execute(f"PRAGMA application_id = {APPLICATION}")
                database.execute("PRAGMA journal_mode = WAL")
                database.execute("PRAGMA synchronous = FULL")
                database.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            if lock is not None:
                lock.close()
            raise
        return cls(path, database, lock)

    @property
    def settings(self) -> EventSettings | None:
        """The settings of the event; None in a new file."""
        with _told(self.path):
            (application,) = self._database.execute("PRAGMA application_id").fetchone()
            (version,) = self._database.execute("PRAGMA user_version").fetchone()
            if application != APPLICATION:
                raise _not_an_event(self.path)
            if version == 0:
                return None
            if version != VERSION:
                raise UnusableError(
                    "cannot use", where=Place(file=str(self.path)),
                    reason=f"it is of version {version}; this Plyboard reads {VERSION}",
                )  # fmt: skip
            (text,) = self._database.execute("SELECT settings FROM event").fetchone()
        return EventSettings.of(json.loads(text))

    def openings(self) -> Iterator[DrawnOpening]:
        """Yield the openings drawn so far, in the order of the draw."""
        for moves, dropped in self._rows("SELECT moves, dropped FROM openings ORDER BY number"):
            yield DrawnOpening(tuple(json.loads(moves)), bool(dropped))

    def tasks(self) -> Iterator[GameTask]:
        """Yield the games of the event so far, by number."""
        for (facts,) in self._rows("SELECT facts FROM tasks ORDER BY number"):
            yield GameTask.of(json.loads(facts))

    def results(self) -> Iterator[GameResult]:
        """Yield the results so far, by number."""
        for (facts,) in self._rows("SELECT facts FROM results ORDER BY number"):
            yield GameResult.of(json.loads(facts))

    def add_opening(self, number: int, opening: DrawnOpening) -> None:
        """Store an opening under its place in the draw, together with the next results.

        Openings and games follow from the settings, so nothing is lost if they come late.
        """
        row = number, json.dumps(opening.moves), opening.is_dropped
        self._waiting.append(("INSERT INTO openings VALUES (?, ?, ?)", row))

    def add_tasks(self, tasks: Iterable[GameTask]) -> None:
        """Store new games, together with the next results."""
        for each in tasks:
            row = each.number, json.dumps(each.facts())
            self._waiting.append(("INSERT INTO tasks VALUES (?, ?)", row))

    def add_results(self, results: Iterable[GameResult]) -> None:
        """Store results, all or none, and sync them to disk; a second result is refused."""
        rows = [(each.number, json.dumps(each.facts())) for each in results]
        with self._transaction():
            self._add_waiting()
            self._database.executemany("INSERT INTO results VALUES (?, ?)", rows)
        self._waiting.clear()

    def flush(self) -> None:
        """Store everything that waits for results."""
        self.add_results(())

    def _add_waiting(self) -> None:
        for statement, row in self._waiting:
            self._database.execute(statement, row)

    def close(self) -> None:
        """Close the file."""
        with suppress(sqlite3.Error):
            self._database.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def __enter__(self) -> EventStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _create(self, settings: EventSettings) -> None:
        with self._transaction():
            for table in TABLES:
                self._database.execute(table)
            text = json.dumps(settings.facts())
            self._database.execute("INSERT INTO event VALUES (?)", (text,))
            self._database.execute(f"PRAGMA user_version = {VERSION}")

    def _rows(self, query: str) -> Iterator[tuple[str, ...]]:
        with _told(self.path):
            yield from self._database.execute(query)

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
    """Lock the file against a second process; None where the system has no such locks.

    The lock ends with the process. It does not conflict with the locks of SQLite itself.
    """
    try:
        import fcntl
    except ImportError:
        return None
    try:
        file = path.open("ab")
    except (OSError, ValueError) as fault:
        raise UnusableError.of("cannot write", str(path), fault) from None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise UnusableError(
            "cannot use", where=Place(file=str(path)), reason="another process plays this event"
        ) from None
    return file


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into ours."""
    try:
        yield
    except sqlite3.DatabaseError as fault:
        if isinstance(fault, sqlite3.IntegrityError):  # a result stored twice is our own mistake
            raise
        raise UnusableError("cannot use", where=Place(file=str(path)), reason=str(fault)) from fault


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
        EventStore.read(path).close()
        for name in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
            name.unlink(missing_ok=True)
    finally:
        if lock is not None:
            lock.close()
