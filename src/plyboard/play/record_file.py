"""A file of records that is saved after every move."""

from __future__ import annotations

import errno
import os
import signal
import sys
from pathlib import Path
from typing import NamedTuple

from plyboard.durable import TEMPORARY, check_plain, created, temporary_beside
from plyboard.errors import UnusableError
from plyboard.play.match import Match
from plyboard.play.record import RecordFormat, format_of, write_record

if sys.platform == "linux":
    import fcntl

Stamp = tuple[int, int, int, int]


class _Version(NamedTuple):
    """A version of the file that we wrote."""

    stamp: Stamp  # to detect changes by others
    finished: int  # bytes at its start that hold finished games


class RecordFile:
    """A file of finished games and one game in progress.

    Each write replaces the file atomically and returns once it is on disk. The previous version
    is kept under a hidden name and becomes the next one, so only the record of the current game
    is written for each move. Without hard links, or while another process reads the previous
    version, the whole file is written again.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._finished = bytearray()  # the records of all finished games
        self._record = b""  # of the game in progress, as it is on disk
        self._current: _Version | None = None
        self._before: tuple[Path, _Version] | None = None  # where the previous version is kept

    @property
    def form(self) -> RecordFormat:
        """The format of the records, from the name of the file."""
        return format_of(self.path.name)

    @property
    def in_progress(self) -> bool:
        """Whether the last record is of an unfinished game."""
        return bool(self._record)

    def write(self, match: Match) -> None:
        """Save the game in progress after the finished ones."""
        between = "\n" if self._finished and self.form == "text" else ""
        record = (between + write_record(match, self.form)).encode("utf-8")
        if record == self._record:
            return
        try:
            self._replace(record)
        except (OSError, ValueError) as fault:
            raise UnusableError.of("cannot write", str(self.path), fault) from None
        self._record = record

    def finish(self, match: Match) -> None:
        """Save a finished game; the next one follows it."""
        self.write(match)
        self._finished += self._record
        self._record = b""

    def close(self) -> None:
        """Remove the previous version."""
        if self._before is not None:
            _remove(self._before[0])
            self._before = None

    def _replace(self, record: bytes) -> None:
        path = self.path.resolve()  # replace the target of a link, not the link
        check_plain(path)
        new, right = self._next(path)
        aside: Path | None = None
        try:
            with created(path, temporary=new):
                with new.open("r+b") as file:
                    file.seek(right)
                    file.write(self._finished[right:] + record)
                    file.truncate()
                version = _Version(_stamp(new.stat()), len(self._finished))
                aside = self._set_aside(path, new)
        except BaseException:
            if aside is not None:
                _remove(aside)
            raise
        if aside is not None and self._current is not None:
            self._before = aside, self._current
        self._current = version

    def _next(self, path: Path) -> tuple[Path, int]:
        """Return the file for the next version, and how many of its bytes are already right."""
        if self._before is not None:
            (aside, version), self._before = self._before, None
            if _stamp_of(aside) == version.stamp and not _is_open(aside):
                return aside, version.finished
            _remove(aside)
        return temporary_beside(path), 0

    def _set_aside(self, path: Path, new: Path) -> Path | None:
        """Link the current file to a hidden name; None if that fails or others changed the file."""
        if self._current is None or _stamp_of(path) != self._current.stamp:
            return None
        name = new.name.removesuffix("~") if new.name.endswith("~") else f"{new.name}~"
        aside = new.with_name(name)
        try:
            os.link(path, aside)
        except OSError:
            return None
        TEMPORARY.add(aside)
        return aside


def _remove(path: Path) -> None:
    path.unlink(missing_ok=True)
    TEMPORARY.discard(path)


def _is_open(path: Path) -> bool:
    """Return whether a file is open anywhere: Linux grants a lease only if it is not."""
    if sys.platform != "linux":
        return False
    with path.open("r+b") as file:
        try:
            fcntl.fcntl(file, fcntl.F_SETSIG, signal.SIGURG)  # ignored by default
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_WRLCK)
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        except OSError as fault:
            return fault.errno == errno.EAGAIN
    return False


def _stamp(facts: os.stat_result) -> Stamp:
    return facts.st_dev, facts.st_ino, facts.st_size, facts.st_mtime_ns


def _stamp_of(path: Path) -> Stamp | None:
    """Return the stamp of a file, or None if it does not exist."""
    try:
        return _stamp(path.lstat())
    except OSError:
        return None
