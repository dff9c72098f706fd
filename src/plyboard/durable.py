"""Durable files and databases: created completely or not at all, synced, and locked.

A file is made under a hidden name, synced, and then renamed. So whatever ends the program, the path
leads to the old file or to the complete new one. A database without tables is one whose creation
was interrupted by something else: it counts as new.
"""

from __future__ import annotations

import errno
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Generic, TypeVar

if os.name != "nt":  # Windows has no such locks
    import fcntl

Text = TypeVar("Text", str, bytes)
HIDDEN = ".plyboard-"  # how the names of temporary files begin
SYNC_EVERY = 1.0  # seconds; a system crash loses at most this much
CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EACCES)  # for folders on some file systems
BESIDE_DATABASE = ("-journal", "-wal", "-shm")
CELLS = slice(103, 105)  # in the first page of an SQLite file: how many entries its schema has

TEMPORARY: set[Path] = set()
"""Temporary files to remove if the process is terminated."""


def replace_file(path: Path, data: bytes) -> None:
    """Write a file atomically and sync it to disk. Links are followed."""
    path = path.resolve()
    check_plain(path)
    with created(path) as temporary:
        temporary.write_bytes(data)


@contextmanager
def created(
    path: Path, *, is_private: bool = False, temporary: Path | None = None
) -> Iterator[Path]:
    """Give a hidden file to fill, which is synced and renamed to the path at the end.

    If the block fails, or what follows it, nothing is left of it. The file is new, or `temporary`,
    a file of `temporary_beside`.
    """
    temporary = temporary or temporary_beside(path, is_private=is_private)
    try:
        yield temporary
        with temporary.open("r+b") as file:
            sync(file)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    finally:
        TEMPORARY.discard(temporary)
    sync_folder(path.parent)


@contextmanager
def created_database(path: Path, *, is_private: bool = False) -> Iterator[Path]:
    """Give a hidden file for an SQLite database, like `created`.

    It must be written without a journal. What belongs to an older database of this name is removed.
    """
    with created(path, is_private=is_private) as temporary:
        yield temporary
        import sqlite3

        with closing(sqlite3.connect(temporary)) as database:
            (found,) = database.execute("PRAGMA integrity_check(1)").fetchone()
        if found != "ok":
            raise OSError(errno.EIO, f"it is damaged after it was written: {found}")
        for end in BESIDE_DATABASE:
            Path(f"{path}{end}").unlink(missing_ok=True)


def is_empty_database(path: Path) -> bool:
    """Return whether there is no database yet, or one whose creation was interrupted.

    Raise `sqlite3.DatabaseError` if it is something else.
    """
    import sqlite3

    if not path.exists():
        return True
    with path.open("rb") as file:
        head = file.read(CELLS.stop)
    may_be_undone = Path(f"{path}-journal").exists()
    if not head or (any(head[CELLS]) and not may_be_undone):
        return not head
    with closing(sqlite3.connect(path)) as database:  # the tables may be in its log
        (count,) = database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    return bool(count == 0)


def locked(path: Path) -> IO[bytes] | None:
    """Open a file, or create it, and lock it until it is closed or the process ends.

    The lock belongs to the file, whatever name it is opened by. It does not conflict with the locks
    of SQLite. Raise `BlockingIOError` if another process has it, and `OSError` if the file has
    several names: SQLite would keep a log for each. Return None if the system has no such locks.
    """
    if os.name == "nt":
        return None
    while True:
        file = path.open("ab")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            mine = os.fstat(file.fileno())
            if inode(path) == (mine.st_dev, mine.st_ino):
                check_links(path)
                return file
        except BaseException:
            file.close()
            raise
        file.close()  # another file has taken its place


def check_links(path: Path) -> None:
    """Raise `OSError` if a file has several names."""
    if path.stat().st_nlink > 1:
        raise OSError(errno.EMLINK, "it has another name, a hard link; remove that one")


def holder_of(path: Path) -> str:
    """Return the number of the process that has locked a file, if the system tells it."""
    found = inode(path)
    with suppress(OSError, IndexError, ValueError):
        for line in Path("/proc/locks").read_text().splitlines():
            words = line.split()  # 1: FLOCK ADVISORY WRITE 4711 08:01:1234 0 EOF
            if words[1] == "FLOCK" and found and int(words[5].split(":")[2]) == found[1]:
                return words[4]
    return "unknown"


def inode(path: Path) -> tuple[int, int] | None:
    """Return what identifies the file that a path leads to; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def whole_lines(data: bytes) -> bytes:
    """Return what can be relied on of lines that were appended.

    A kill may cut off the last line, and a power failure may leave zeros instead of the last ones.
    """
    zeros = data.find(b"\0")
    return data[: data.rfind(b"\n", 0, zeros if zeros >= 0 else len(data)) + 1]


def check_plain(path: Path) -> None:
    """Raise `OSError` if the path is a folder or a device."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is not a plain file")


def temporary_beside(path: Path, *, is_private: bool = False) -> Path:
    """Return a new, empty, hidden file in the same folder; a private one is for this user alone."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=HIDDEN)
    os.close(handle)
    temporary = Path(name)
    TEMPORARY.add(temporary)
    if is_private:
        return temporary
    mask = os.umask(0)
    os.umask(mask)
    temporary.chmod(0o666 & ~mask)
    return temporary


def remove_temporary_files() -> None:
    """Remove temporary files before the process exits at once."""
    for path in tuple(TEMPORARY):
        with suppress(OSError):
            path.unlink()


def sync(file: IO[str] | IO[bytes]) -> None:
    """Flush a file and sync it to disk."""
    file.flush()
    os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Sync the entries of a folder to disk, if the system supports it."""
    if os.name == "nt":  # Windows cannot open a folder
        return
    try:
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as fault:
        if fault.errno not in CANNOT_SYNC:
            raise


class Appender(Generic[Text]):
    """Appends to a file; syncs it once a second, and on close.

    A killed process loses nothing; a system crash loses at most the last second.
    """

    def __init__(self, file: IO[Text], now: Callable[[], float] = time.monotonic) -> None:
        self._file: IO[Text] = file
        self._now = now
        self._synced = -SYNC_EVERY
        sync_folder(Path(file.name).absolute().parent)  # the file may be new

    def append(self, text: Text) -> None:
        """Append a text."""
        self._file.write(text)
        self._file.flush()
        if self._now() >= self._synced + SYNC_EVERY:
            self.sync()

    def sync(self) -> None:
        """Sync the file to disk."""
        sync(self._file)
        self._synced = self._now()

    def close(self) -> None:
        """Sync the file and close it."""
        try:
            self.sync()
        finally:
            self._file.close()


class OtherTaskError(Exception):
    """A partial file of another task; the text is what it begins with."""


def partial_lines(path: Path, header: str) -> list[str]:
    """Return the lines of a partial file after its header; none if it was hardly begun."""
    data = path.read_bytes()
    lines = whole_lines(data).decode("utf-8", "surrogateescape").splitlines()
    begun = data.partition(b"\0")[0]
    if not lines and f"{header}\n".encode().startswith(begun):
        return []
    if not lines or lines[0] != header:
        raise OtherTaskError((lines or [begun.decode("utf-8", "replace")])[0])
    return lines[1:]


class PartialFile:
    """The lines of a long task that are done: a file beside its output until that is complete.

    The header, its first line, tells the task with everything that its lines depend on. The same
    task goes on with them, whatever has ended it: a last line that was cut off is dropped.
    """

    def __init__(self, path: Path, header: str) -> None:
        """Open it; raise `OtherTaskError`, or `BlockingIOError` if another process has it."""
        self.path = path
        check_plain(path)
        self._lock = locked(path)
        try:
            self.lines = partial_lines(path, header)
            whole = whole_lines(path.read_bytes())
            file = path.open("r+b")
            file.truncate(len(whole))
            file.seek(len(whole))
            self._file = Appender[bytes](file)
            if not whole:
                self._file.append(f"{header}\n".encode())
        except BaseException:
            if self._lock is not None:
                self._lock.close()
            raise

    def append(self, line: str) -> None:
        """Add a line."""
        self._file.append(f"{line}\n".encode("utf-8", "surrogateescape"))
        self.lines.append(line)

    def close(self) -> None:
        """Close it; the task will go on later."""
        try:
            self._file.close()
        finally:
            if self._lock is not None:
                self._lock.close()

    def remove(self) -> None:
        """Close and remove it: the output is complete."""
        self.close()
        self.path.unlink(missing_ok=True)
