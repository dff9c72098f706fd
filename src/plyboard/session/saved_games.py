"""Files of saved games."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Protocol

from plyboard.errors import Place, PlyboardError, UnusableError, shown
from plyboard.play.match import Match
from plyboard.play.record import format_of, read_records, write_records
from plyboard.play.record_file import RecordFile

STANDARD = "-"  # standard input in other commands


class Write(Protocol):
    """Writes a file atomically; replaces an existing one only if forced."""

    def __call__(self, name: str, text: str, *, force: bool) -> None:
        """Write a text to a file of this name."""


@dataclass
class SavedGames:
    """Saves and loads games. Replaces only files that it has saved or loaded itself."""

    write: Write
    _ours: set[Path] = field(default_factory=set)

    def check(self, name: str) -> None:
        """Raise if no game could be saved under this name."""
        path = path_of(name)
        if not path.parent.is_dir():
            raise UnusableError("cannot write", where=Place(file=name), reason="no such folder")
        if os.path.lexists(path) and path.resolve() not in self._ours:
            raise UnusableError(f"{shown(name)} exists and stays as it is; take another name")

    def save(self, name: str, matches: Sequence[Match], *, force: bool = False) -> None:
        """Write games to a file, as JSON or text by its name; `force` replaces any file."""
        path = path_of(name)
        if force:
            self._ours.add(path.resolve())
        self.check(name)
        text = "".join(write_records(matches, format_of(name)))
        self.write(str(path), text, force=path.resolve() in self._ours)
        self._ours.add(path.resolve())

    def begin(self, name: str) -> RecordFile:
        """Return the file for the games of a series; nothing is written yet."""
        self.check(name)
        return RecordFile(path_of(name))

    def load(self, name: str) -> tuple[Match, bool]:
        """Return the first game of a file, and whether there are more.

        An abandoned game can be continued.
        """
        path = path_of(name)
        found = list(islice(read_records(str(path)), 2))
        if len(found) == 1:  # replacing a file of several games would lose some
            self._ours.add(path.resolve())
        match = found[0]
        if match.end is not None and match.end.reason == "abandoned":
            match = replace(match, end=None)
        return match, len(found) > 1


class SeriesFile:
    """The file of a series; stores each move before it is shown. Without a name, does nothing.

    `also` is called with each match that is stored, for example to write a log.
    """

    def __init__(
        self,
        saved_games: SavedGames | None = None,
        name: str = "",
        also: Callable[[Match], None] = lambda _: None,
    ) -> None:
        self._saved_games, self._name, self._also = saved_games, name, also
        self._file: RecordFile | None = None
        self._trouble = ""  # why the last move could not be stored

    def keep(self, match: Match) -> str:
        """Store a game in progress; return what to tell the person if that failed, only once."""
        before, self._trouble = self._trouble, ""
        try:
            self.write(match)
        except PlyboardError as fault:
            self._trouble = fault.first_line
        is_news = self._trouble not in ("", before)
        return f"{self._trouble}; the next move tries again" if is_news else ""

    def leave(self, match: Match) -> str:
        """Store the final state of a game; return why that failed, if it did."""
        try:
            self.finish(match)
        except PlyboardError as fault:
            return fault.first_line
        return ""

    def write(self, match: Match) -> None:
        """Store a game in progress, from its first move on."""
        if file := self._file_for(match):
            file.write(match)
        self._also(match)

    def finish(self, match: Match) -> None:
        """Store the final state of a game."""
        if file := self._file_for(match):
            file.finish(match)

    def close(self) -> None:
        """Close the file and remove temporary files."""
        if self._file is not None:
            self._file.close()

    def _file_for(self, match: Match) -> RecordFile | None:
        has_begun = bool(match.turns) or match.end is not None
        if self._file is None and self._saved_games is not None and self._name and has_begun:
            self._file = self._saved_games.begin(self._name)
        if self._file is None or not (has_begun or self._file.in_progress):
            return None
        return self._file


def path_of(name: str) -> Path:
    """Return the path of a file; `-` is refused, as standard input is the keyboard here."""
    if name in ("", STANDARD):
        raise UnusableError(
            "cannot use", where=Place(file=name), reason="expected the name of a file"
        )
    try:
        return Path(name).expanduser()
    except RuntimeError:  # unknown user, or no home folder
        return Path(name)
