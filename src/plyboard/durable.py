"""Writing files that survive a crash: synced, and replaced whole or not at all."""

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
SYNC_EVERY = 1.0  # seconds of appending that a crash of the machine may cost
CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EACCES)  # folders, on some file systems

TEMPORARY: set[Path] = set()
"""Files beside others that have to go if the process is told to end."""


def replace_file(path: Path, data: bytes) -> None:
    """Write a file atomically; when this returns it is on disk. A link is followed."""
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
    """Refuse to replace a folder or a device."""
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "it is not a plain file")


def temporary_beside(path: Path) -> Path:
    """Return a new, empty, hidden file in the folder of another one."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".plyboard-")
    os.close(handle)
    temporary = Path(name)
    TEMPORARY.add(temporary)
    mask = os.umask(0)
    os.umask(mask)
    temporary.chmod(0o666 & ~mask)
    return temporary


def remove_temporary_files() -> None:
    """Remove what would be left behind by a process that ends at once."""
    for path in tuple(TEMPORARY):
        with suppress(OSError):
            path.unlink()


def sync(file: IO[str] | IO[bytes]) -> None:
    """Return when all that was written to a file is on disk."""
    file.flush()
    os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Return when the names in a folder are on disk, as far as the system can do that."""
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
    """Appends to a file that is synced once a second, and when it is closed.

    A process that is killed loses nothing, and a machine that crashes the last second.
    """

    def __init__(self, file: IO[Text], now: Callable[[], float] = time.monotonic) -> None:
        self._file: IO[Text] = file
        self._now = now
        self._synced = -SYNC_EVERY
        sync_folder(Path(file.name).absolute().parent)  # the file may be new

    def append(self, text: Text) -> None:
        """Write a text at the end."""
        self._file.write(text)
        self._file.flush()
        if self._now() >= self._synced + SYNC_EVERY:
            self.sync()

    def sync(self) -> None:
        """Return when all that was appended is on disk."""
        sync(self._file)
        self._synced = self._now()

    def close(self) -> None:
        """Sync the file and close it."""
        try:
            self.sync()
        finally:
            self._file.close()
