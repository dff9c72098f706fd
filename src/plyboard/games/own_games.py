"""Games in files of their authors, also in the processes that this one starts.

    PLYBOARD_OWN_GAMES="chomp=3f0c...e1 /home/ann/chomp.py:Chomp"

Only what a person types names a file: a record, a position or a message never runs one.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import zlib
from collections.abc import Container
from dataclasses import dataclass, replace
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any, cast

from plyboard.errors import ConformanceError, Place, SpecError, UnusableError, UsageError, shown
from plyboard.games.mistakes import mistake_text, own_modules
from plyboard.games.scope import scope_fault
from plyboard.specs import NAME, check_fields

if TYPE_CHECKING:
    from plyboard.games.game import Game

VARIABLE = "PLYBOARD_OWN_GAMES"  # a line for each game: its name, =, digest, blank, FILE.py:CLASS
DIGITS = 12  # of a digest, where people see it
NEEDED = (
    "name", "title", "players", "parameters", "rules", "parse_move", "format_move",
    "illegal_reason", "parse_position", "format_position", "unreachable_reason", "outcome",
    "picture",
)  # fmt: skip


@dataclass(frozen=True)
class GameFile:
    """Where the rules of a game are: a file with a class, and the digest of the file."""

    path: Path
    class_name: str
    digest: str

    @property
    def note(self) -> str:
        """The name of the file, the class and the digest, as records hold it."""
        return f"{self.path.name}:{self.class_name} {self.digest[:DIGITS]}"


_modules: dict[Path, tuple[ModuleType, GameFile]] = {}
_loaded: dict[str, tuple[type[Game], GameFile]] = {}  # by name of the game


class _PlainLoader(SourceFileLoader):
    """Loads a file from source, and writes nothing beside it: the folder belongs to the user."""

    def __init__(self, name: str, path: str, source: bytes) -> None:
        super().__init__(name, path)
        self._source = source

    def get_code(self, fullname: str) -> CodeType:
        """Return the compiled source."""
        return self.source_to_code(self._source, self.path)


def import_file(name: str, digest: str = "") -> tuple[ModuleType, GameFile]:
    """Import a file of Python; return its module and where it is, with an empty class.

    Raises `UnusableError` if it cannot be read or run, or if it has not this digest.
    """
    path, source = _read(name)
    place = GameFile(path, "", hashlib.sha256(source).hexdigest())
    if digest not in ("", place.digest):
        reason = "it has changed since this was begun"
        raise UnusableError("cannot use", where=Place(file=name), reason=reason)
    if path in _modules and _modules[path][1] == place:
        return _modules[path]
    inside = f"plyboard_file_{path.stem}_{zlib.crc32(os.fsencode(path)):08x}"
    loader = _PlainLoader(inside, str(path), source)
    spec = importlib.util.spec_from_file_location(inside, path, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    own_modules.add(inside)
    sys.modules[inside] = module
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as fault:
        raise UnusableError(
            "cannot run", where=Place(file=name), reason=mistake_text(fault)
        ) from None
    _modules[path] = module, place
    return module, place


def _read(name: str) -> tuple[Path, bytes]:
    """Return the full path of a file and its bytes."""
    try:
        path = Path(name).expanduser().resolve()
        return path, path.read_bytes()
    except FileNotFoundError:
        raise UnusableError("cannot read", where=Place(file=name), reason="no such file") from None
    except (OSError, ValueError, RuntimeError) as fault:
        raise UnusableError.of("cannot read", name, fault) from None


def class_in(module: ModuleType, name: str, place: str) -> Any:
    """Return a class of a module; raise `UsageError` if there is none of this name."""
    found = getattr(module, name, None)
    if not isinstance(found, type):
        raise UsageError("no such class", got=shown(name), expected=f"one in {shown(place)}")
    return found


def game_class(module: ModuleType, name: str, place: str) -> type[Game]:
    """Return a class of a module that is a game; raise an error in one line if it is none."""
    kind = class_in(module, name, place)
    check_fields(kind)
    try:
        made = kind()
    except Exception as fault:
        raise UsageError(
            f"cannot make {shown(name)} with its usual values", reason=mistake_text(fault)
        ) from None
    for needed in NEEDED:
        try:
            has_it = hasattr(made, needed)
        except Exception as fault:  # of a property, such as the rules
            raise UnusableError(
                f"cannot get the {needed} of {shown(name)}", reason=mistake_text(fault)
            ) from None
        if not has_it:
            raise ConformanceError(f"{shown(name)} is no game", reason=f"it has no {needed}")
    reason = scope_fault(made)
    if reason is not None:
        raise ConformanceError(f"cannot play {shown(name)}", reason=reason)
    if not isinstance(kind.name, str) or not NAME.fullmatch(kind.name):
        expected = "small letters, digits and hyphens"
        raise SpecError("wrong name of a game", got=shown(str(kind.name)), expected=expected)
    return cast("type[Game]", kind)


def class_from_file(file: str, name: str, digest: str = "") -> tuple[type[Game], GameFile]:
    """Return the game of a class in a file, and where it is; raise an error in one line if none."""
    module, place = import_file(file, digest)
    return game_class(module, name, file), replace(place, class_name=name)


def add_file(file: str, name: str, taken: Container[str] = ()) -> type[Game]:
    """Make the game of a class in a file known to this process and those that it starts."""
    kind, place = class_from_file(file, name)
    if kind.name in taken:
        expected = "a name that no game of Plyboard has"
        raise SpecError("wrong name of a game", got=shown(kind.name), expected=expected)
    known = dict(_lines())
    other = known.get(kind.name, place)
    if (other.path, other.class_name) != (place.path, place.class_name):
        reason = f"{shown(other.path.name)} has one of the same name, {kind.name}"
        raise SpecError("two games of one name", where=Place(file=file), reason=reason)
    if kind.name not in _loaded or _loaded[kind.name][1] != place:
        _loaded[kind.name] = kind, place
    os.environ[VARIABLE] = "\n".join(
        f"{name}={each.digest} {each.path}:{each.class_name}"
        for name, each in (known | {kind.name: place}).items()
    )
    return _loaded[kind.name][0]


def own_games() -> dict[str, type[Game]]:
    """Return the games in files that are known to this process, by name."""
    for name, place in _lines():
        if name not in _loaded:
            _loaded[name] = class_from_file(str(place.path), place.class_name, place.digest)
    return {name: kind for name, (kind, _) in _loaded.items()}


def own_files() -> list[str]:
    """Return the files of all games in files that this process passes on."""
    places = [place.path for _, place in _lines()]
    tuned = [path.with_name(f"{path.stem}-tuned.json") for path in places]
    return [str(path) for path in [*places, *tuned] if path.exists()]


def file_of(game: Game) -> GameFile | None:
    """Return the file that holds the rules of a game; None if the game is not from a file."""
    kind, place = _loaded.get(game.name, (None, None))
    return place if kind is type(game) else None


def _lines() -> list[tuple[str, GameFile]]:
    """Return the name and the place of each game in the variable."""
    found = []
    for line in os.environ.get(VARIABLE, "").splitlines():
        name, _, told = line.partition("=")
        digest, _, text = told.partition(" ")
        file, _, class_name = text.rpartition(":")
        found.append((name, GameFile(Path(file), class_name, digest)))
    return found
