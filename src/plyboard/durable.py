"""Durable file writes: synced to disk, and replaced atomically."""

from __future__ import annotations

import errno
import os
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Generic, TypeVar

Text = TypeVar("Text", str, bytes)
SYNC_EVERY = 1.0  # seconds; a system crash loses at most this much
CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EACCES)  # for folders on some file systems

TEMPORARY: set[Path] = set()
"""Temporary files to remove if the process is terminated."""


def replace_file(path: Path, data: bytes) -> None:
    """Write a file atomically and sync it to disk. Links are followed."""
    path = path.resolve()
    check_plain(path)
    temporary = temporary_beside(path)
    try:
        with temporary.open("wb") as file:
            file.write(data)
            sync(file)
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    finally:
        TEMPORARY.discard(temporary)
    sync_folder(path.parent)


def check_plain(path: Path) -> None:
    """Raise `OSError` if the path is a folder or a device."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is not a plain file")


def temporary_beside(path: Path) -> Path:
    """Return a new, empty, hidden file in the same folder."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".plyboard-")
    os.close(handle)
    temporary = Path(name)
    TEMPORARY.add(temporary)
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
