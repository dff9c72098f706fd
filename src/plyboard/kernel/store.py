"""The cache of machine code on disk."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
import warnings
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

import platformdirs

from plyboard.durable import HIDDEN, created
from plyboard.kernel.trust import check_folder, read_own

if os.name != "nt":
    import fcntl

MAGIC = b"plyboard code 1\n"
MOST_FILES = 2000
SECONDS_TO_WRITE = 600
ENTRY_SIZE = 2**20  # most are a quarter of that


class CacheWarning(UserWarning):
    """Compiled code cannot be cached: everything works, but starts more slowly."""


class Store:
    """Stores byte strings by hex keys; an error loses an entry, but never raises."""

    def __init__(self) -> None:
        self.complained = False

    @cached_property
    def folder(self) -> Path:
        """Where the entries are: `PLYBOARD_CACHE`, or the platform's folder for caches.

        Symbolic links are followed once, here.
        """
        usual = _resolved(Path(platformdirs.user_cache_dir("plyboard", appauthor=False)))
        chosen = os.environ.get("PLYBOARD_CACHE")
        if not chosen:
            return usual
        try:
            return _resolved(Path(chosen).expanduser())
        except RuntimeError:
            told = f"PLYBOARD_CACHE names the folder of nobody: {chosen}; {usual} is used"
            warnings.warn(told, CacheWarning, stacklevel=2)
            return usual

    def has(self, key: str) -> bool:
        """Tell whether there is a file for a key, without reading it."""
        return self._path(key).exists()

    def load(self, key: str) -> bytes | None:
        """Return the bytes saved for a key, or None if there are none or they are damaged.

        Files that another user can write are ignored, with one warning.
        """
        path = self._path(key)
        try:
            check_folder(path.parent)
        except PermissionError as fault:
            self._complain_of_folder(fault)
            return None
        except OSError:
            return None
        try:
            data = read_own(path)
        except PermissionError as fault:
            self._complain(f"compiled code in {path.parent} is not used: {_reason(fault)}")
            return None
        except OSError:
            return None
        head, payload = data[: len(MAGIC) + 32], data[len(MAGIC) + 32 :]
        if head != MAGIC + hashlib.sha256(payload).digest():
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # pruning removes the least recently used
        return payload

    def save(self, key: str, payload: bytes) -> None:
        """Save bytes for a key; warn once if that fails."""
        path = self._path(key)
        try:
            _make(path.parent)
            check_folder(path.parent)
            with created(path, is_private=True) as temporary:
                temporary.write_bytes(MAGIC + hashlib.sha256(payload).digest() + payload)
            self._prune(path.parent)
        except OSError as fault:
            self._complain_of_folder(fault)

    @contextlib.contextmanager
    def lock(self, key: str) -> Iterator[bool]:
        """Keep other processes of this user out of the same block with this key, if possible.

        Yields whether there is room for an entry.
        """
        has_room = False
        with contextlib.ExitStack() as stack:
            with contextlib.suppress(OSError):
                _make(self.folder)
                check_folder(self.folder)
                path = self.folder / f"{HIDDEN}{key[:16]}"  # pruned with other unfinished files
                file = stack.enter_context(path.open("wb", buffering=0))
                stack.callback(path.unlink, missing_ok=True)
                has_room = file.write(bytes(ENTRY_SIZE)) == ENTRY_SIZE
                file.truncate(0)
                if os.name != "nt":  # Windows has no such locks
                    fcntl.flock(file, fcntl.LOCK_EX)
            yield has_room

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.code"

    def _prune(self, folder: Path) -> None:
        for path in folder.glob(f"{HIDDEN}*"):  # left behind by a process that was killed
            if time.time() - _last_used(path) > SECONDS_TO_WRITE:
                path.unlink(missing_ok=True)
        files = list(folder.glob("*.code"))
        if len(files) > MOST_FILES:
            files.sort(key=_last_used)
            for path in files[: len(files) - MOST_FILES]:
                path.unlink(missing_ok=True)

    def _complain_of_folder(self, fault: OSError) -> None:
        self._complain(
            f"cannot keep compiled code in {self.folder}: {_reason(fault)}; "
            "each start compiles anew"
        )

    def _complain(self, text: str) -> None:
        if not self.complained:
            self.complained = True
            warnings.warn(text, CacheWarning, stacklevel=3)


def _resolved(path: Path) -> Path:
    return Path(os.path.realpath(path))


def _make(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for this user alone."""
    for each in (*reversed(folder.parents), folder):
        if not each.exists():
            each.mkdir(mode=0o700, exist_ok=True)


def _reason(fault: OSError) -> str:
    return fault.strerror or str(fault)


def _last_used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


STORE = Store()
