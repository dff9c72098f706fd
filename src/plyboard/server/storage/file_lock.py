"""The lock of an SQLite store: one server at a time, and on a store that lacks no commit."""

from __future__ import annotations

import fcntl
import os
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import IO

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from plyboard.durable import check_links, created_database, holder_of, inode, locked
from plyboard.errors import UnusableError, shown
from plyboard.server.storage.database import is_postgres, log_path, open_engine, read_only_uri
from plyboard.server.storage.schema import migrate

OWN_FILE = 0o600
LAST_COMMIT = re.compile(rb"\n([0-9]{10}) \1\n")
NUMBERS = 1 << 31  # of commits; then they begin again


class StoreInUseError(UnusableError):
    """Another server uses the store."""

    def __init__(self, reason: str, address: str) -> None:
        super().__init__("cannot use the store", reason=reason)
        self.address = address  # of that server; empty if it is not known


class FileLock:
    """Locks an SQLite store against a second server, and notes how far the store has come.

    The store's own file is locked, so the lock holds for all its names, also after a rename. The
    lock file beside it is locked, too: it is there before the store and after it was moved away.
    Its first line has the number of the process and its address. The second line, until the store
    is closed, has the number of the last commit twice. It is written after the commit and not
    synced: it may be behind the store, but never ahead of it.
    """

    def __init__(self, store: str) -> None:
        self._store, self._main = store, Path(store).resolve()
        self._wal = log_path(self._main)
        self._holder = str(os.getpid())
        self._own: IO[bytes] | None = None
        self._watched: dict[Path, tuple[int, int] | None] = {}  # the files that SQLite has open
        self.commit = 0  # the number of the last one
        try:
            handle = os.open(_lock_file(self._main), os.O_RDWR | os.O_CREAT, OWN_FILE)
            self._file = os.fdopen(handle, "r+b", buffering=0)
        except OSError as fault:
            raise UnusableError.of("cannot use the store", store, fault) from fault
        try:
            self._lock()
        except BaseException as fault:
            self._release()
            cause = fault.orig if isinstance(fault, DBAPIError) else fault
            if isinstance(cause, OSError | sqlite3.Error):
                raise UnusableError.of("cannot use the store", store, cause) from fault
            raise

    def _lock(self) -> None:
        """Lock both files and make the store if there is none; refuse one that lacks commits."""
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as fault:
            holder, _, address = self._file.read(200).decode().partition("\n")[0].partition(" ")
            raise self._in_use(holder or "unknown", address) from fault
        noted = noted_commit(self._main)
        if not self._main.exists() or self._main.stat().st_size == 0:
            self._create(noted)
        try:
            self._own = locked(self._main)
        except BlockingIOError as fault:
            raise self._in_use(holder_of(self._main)) from fault
        if noted is None:
            self._note(self._holder)
        elif _is_behind(self._main, noted):
            raise UnusableError("cannot use the store", reason=_lost_commits(self._main))

    def _in_use(self, holder: str, address: str = "") -> StoreInUseError:
        at = f", {address}" if address else ""
        reason = (
            f"another server uses {shown(self._store)} (process {holder}{at}); "
            "end that one, or choose another file with --store"
        )
        return StoreInUseError(reason, address)

    def _create(self, noted: int | None) -> None:
        """Create an empty store; raise if there was one, of which something is left."""
        rest = self._wal if self._wal.exists() and self._wal.stat().st_size else None
        if noted is not None or rest:
            state = "is empty" if self._main.exists() else "is missing"
            without = _lock_file(self._main) if noted is not None else rest
            reason = (
                f"{shown(self._main.name)} {state}, which holds the games; put it back, or go on "
                f"without it after: rm {without}"
            )
            raise UnusableError("cannot use the store", reason=reason)
        with created_database(self._main, is_private=True) as temporary:
            engine = open_engine(URL.create("sqlite", database=str(temporary)), is_new=True)
            try:
                migrate(engine)
            finally:
                engine.dispose()

    def mark_open(self, commit: int) -> None:
        """Note the number of the last commit, and remember which files SQLite has open.

        A connection must stay open from now on: SQLite removes the log when the last one is closed.
        """
        self._watched = {path: inode(path) for path in (self._main, self._wal)}
        self.note(commit)

    def announce(self, address: str) -> None:
        """Note where the server listens."""
        self._holder = f"{os.getpid()} {address}"
        try:
            self.note(self.commit)
        except OSError as fault:
            raise UnusableError.of("cannot use the store", self._store, fault) from fault

    def note(self, commit: int) -> None:
        """Note the number of the last commit, which is on disk."""
        self.commit = commit
        self._note(f"{self._holder}\n{commit:010} {commit:010}\n")

    def lost_file(self) -> str:
        """Return the name of a file of the open store that was deleted or replaced, if any."""
        moved = (path.name for path, found in self._watched.items() if inode(path) != found)
        return next(moved, "")

    def close(self) -> None:
        """Unlock the store, which is closed. If SQLite has removed the log, nothing is missing."""
        if (
            not self._file.closed
            and not self._wal.exists()
            and inode(self._main) == self._watched.get(self._main)
        ):
            self._note("")
        self._release()

    def _release(self) -> None:
        self._file.close()
        if self._own is not None:
            self._own.close()

    def _note(self, text: str) -> None:
        os.pwrite(self._file.fileno(), text.encode(), 0)
        os.truncate(self._file.fileno(), len(text))


def lock_store(url: URL) -> FileLock | None:
    """Lock an SQLite store; None for databases that several servers may share."""
    if is_postgres(url) or not url.database or url.database == ":memory:":
        return None
    return FileLock(url.database)


def noted_commit(store: Path) -> int | None:
    """Return the last commit that a server has noted; None if it has closed the store."""
    try:
        with _lock_file(store).open("rb") as file:
            found = LAST_COMMIT.search(file.read(400))
    except FileNotFoundError:
        return None
    return int(found[1]) if found else None


def missing_commits(store: Path) -> str:
    """Return why commits are missing from a store, or may be; empty if all are there."""
    try:
        check_links(store)
        noted = noted_commit(store)  # before the commits: a server may be adding some
        return "" if noted is None or not _is_behind(store, noted) else _lost_commits(store)
    except OSError as fault:
        return f"{shown(store.name)}: {fault.strerror or fault}"


def _is_behind(store: Path, noted: int) -> bool:
    """Return whether commits are missing from a store."""
    with closing(sqlite3.connect(read_only_uri(store), uri=True)) as database:
        (number,) = database.execute("PRAGMA user_version").fetchone()
    return 0 < (noted - int(number)) % NUMBERS < NUMBERS // 2


def _lost_commits(store: Path) -> str:
    """Return what to say about a store from which commits are missing."""
    log = log_path(store)
    is_missing = f"{shown(log.name)} is missing, which holds the last moves; put it back"
    is_old = f"{shown(store.name)} lacks the last moves; put back what it had"
    lost = is_old if log.exists() else is_missing
    return f"{lost}, or go on without them after: rm {_lock_file(store)}"


def _lock_file(store: Path) -> Path:
    return Path(f"{store}.lock")
