"""What agents and games are made of, as digests by name: if one of them changes, play may change.

An agent of ours is made of the sources that decide how Plyboard plays. One of another package is
made of the files of that package. A program is made of the files that its command names, and of
all else in their folders that its sandbox lets it read. What Plyboard writes there does not count.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from plyboard.agents.catalogue import AGENTS, OPTIONAL_AGENTS, agent, known_agents
from plyboard.agents.person import PERSON
from plyboard.errors import UnusableError
from plyboard.games import game as find_game
from plyboard.games.tuning import tuning_file
from plyboard.specs import COMMAND, WITH_COMMAND, split_file_spec, split_spec

Contents = dict[str, str]  # digests by name

OURS = "Plyboard"
OWN_PACKAGE = "plyboard"
RULES = ("kernel", "games")
PLAY = (*RULES, "evaluate", "search", "agents", "data")  # folders that decide how our agents play
OPENSPIEL, OPENSPIEL_PACKAGE = "openspiel", "open_spiel"
MOST_BYTES = 256 << 20  # of files that are read; of further ones, size and time count
BLOCK = 1 << 20
SKIPPED_FOLDERS = ("__pycache__", "node_modules")
SKIPPED_ENDS = (".log", ".md", ".tmp", "~")
SQLITE, EVENT_MARK = b"SQLite format 3\0", (68, b"PlyB")  # of the file of an event, and where
WRITTEN = (b'[Plyboard "', b"<!doctype html>", b'{\n  "version": ')  # records, pages, reports
COMPANIONS = ("-wal", "-shm", "-journal")  # of the file of an event


def agent_contents(spec: str, others: Iterable[str] = ()) -> Contents:
    """Return what an agent is made of. The files and the folders of other programs are not its own.

    If several programs share a folder, its other files belong to each of them.
    """
    name, _ = split_spec(spec)
    if name in WITH_COMMAND:
        return _program_contents(spec, foreign_files(spec, others))
    if place := split_file_spec(name):
        return {**_ours(PLAY), **_file_contents([Path(place.file)], set())}
    if name == PERSON:
        return {}
    if name == OPENSPIEL:
        return {**_ours(PLAY), OPENSPIEL_PACKAGE: _version_of(OPENSPIEL_PACKAGE)}
    if name in AGENTS or name in OPTIONAL_AGENTS:
        return _ours(PLAY)
    module = known_agents()[name].make.__module__
    package, *folders = module.split(".")
    if package == OWN_PACKAGE:
        return _ours((*PLAY, "/".join(folders[:-1])))
    return {**_ours(PLAY), **_module_contents(module)}


def hidden_files(specs: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return what each of these programs must not see, by spec; those left out see everything."""
    found = {
        spec: tuple(sorted(map(str, foreign_files(spec, specs))))
        for spec in specs
        if split_spec(spec)[0] in WITH_COMMAND
    }
    return {spec: files for spec, files in found.items() if files}


def game_contents(spec: str) -> Contents:
    """Return what the rules of a game are made of."""
    game = find_game(spec)
    module = type(game).__module__
    if module.partition(".")[0] == OWN_PACKAGE:
        return _ours(RULES)
    measured = tuning_file(game)
    tuned = _file_contents([measured] if measured.exists() else [], set())
    return {**_ours(RULES), **_module_contents(module), **tuned}


def changes(before: Contents, after: Contents) -> list[str]:
    """Return in words what differs."""
    kinds = {"is new": after.keys() - before, "is gone": before.keys() - after}
    kinds["changed"] = {each for each in before.keys() & after if before[each] != after[each]}
    return sorted(f"{name} {kind}" for kind, names in kinds.items() for name in names)


@cache
def _ours(folders: tuple[str, ...]) -> Contents:
    """Return the version of Plyboard with a digest of its files in these folders."""
    package = Path(__file__).parents[1]
    found = hashlib.sha256(_version_of(OWN_PACKAGE).encode())
    for folder in folders:
        for file in sorted((package / folder).rglob("*")):
            if file.is_file() and file.suffix != ".pyc":
                found.update(f"{file.relative_to(package)} {_digest(file)}\n".encode())
    return {OURS: found.hexdigest()}


def _version_of(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


def _module_contents(name: str) -> Contents:
    """Return the files of the package that a module belongs to, or the file of the module."""
    modules = (sys.modules.get(each) for each in (name.partition(".")[0], name))
    file = next((found for each in modules if (found := getattr(each, "__file__", None))), None)
    if file is None:
        return {}
    path = Path(file)
    return _file_contents([path.parent if path.name == "__init__.py" else path], set())


def _program_contents(spec: str, foreign: set[Path]) -> Contents:
    """Return what a program is made of; one that runs on Plyboard is made of that, too."""
    from plyboard.agents.programs.program_agent import PYTHON

    protocol, given = split_spec(spec)
    found = _file_contents(_readable(spec), foreign)
    if protocol != PYTHON:
        return found
    inside = given[COMMAND]
    is_file = inside.rpartition(":")[0].endswith(".py")
    return {**found, **(_ours(PLAY) if is_file else agent_contents(inside))}


def foreign_files(spec: str, others: Iterable[str]) -> set[Path]:
    """Return the files of other programs, and the folders that are theirs alone.

    They are hidden from this program, and it is not made of them.
    """
    own = _named_files(spec)
    files = {file for other in others if other != spec for file in _named_files(other)} - {*own}
    shared = {folder for file in own for folder in file.parents}
    return files | {file.parent for file in files} - shared


def _words(spec: str) -> tuple[str, ...]:
    """Return the words of a command that may name files; of an agent in a file, the file."""
    from plyboard.agents.programs.program_agent import PYTHON, ProgramAgent

    made = agent(spec)
    assert isinstance(made, ProgramAgent)
    if made.protocol != PYTHON:
        return made.command
    file = made.command[0].rpartition(":")[0]
    return (file,) if file.endswith(".py") else ()


def _named_files(spec: str) -> list[Path]:
    """Return the files that the command of a program names, without its interpreter."""
    if split_spec(spec)[0] not in WITH_COMMAND:
        return []
    return [Path(word).resolve() for word in _words(spec) if word and os.path.isfile(word)]  # noqa: PTH113


def _readable(spec: str) -> list[Path]:
    """Return the files and folders that a program may read on account of its command."""
    from plyboard.agents.programs.program_agent import PYTHON
    from plyboard.agents.programs.sandbox import find_program, readable_files

    words, programs = _words(spec), list[Path]()
    if split_spec(spec)[0] != PYTHON:
        with suppress(UnusableError):  # it cannot be started: somebody else says so
            programs.append(Path(find_program(words[0])))
        is_installed = os.sep not in words[0] or Path(words[0]).parent.name == "bin"
        words = words[1:] if is_installed else words
    return [*(Path(name) for name in readable_files(words)), *programs, *_named_files(spec)]


def _file_contents(places: Iterable[Path], foreign: set[Path]) -> Contents:
    """Return the digests of files, and of all files in folders, by names below their places."""
    found: Contents = {}
    seen, room = set[Path](), MOST_BYTES
    for place in dict.fromkeys(each.resolve() for each in places):
        for file in _files_in(place, foreign) if place.is_dir() else (place,):
            real = file.resolve()
            if real in seen:
                continue
            seen.add(real)
            try:
                size = real.stat().st_size
                digest = _digest(real) if size <= room else f"{size} {real.stat().st_mtime_ns}"
            except OSError as fault:
                digest = str(fault.strerror)
            else:
                room -= min(size, room)
            found[str(file.relative_to(place.parent))] = digest
    return found


def _files_in(folder: Path, foreign: set[Path]) -> Iterator[Path]:
    """Yield the files in a folder that a program may need, in a fixed order."""
    for here, folders, names in os.walk(folder):
        below = sorted(Path(here, each) for each in folders)
        folders[:] = [each.name for each in below if each not in foreign and not _is_skipped(each)]
        for file in sorted(Path(here, each) for each in names):
            is_skipped = file.name.startswith(".") or file.name.endswith(SKIPPED_ENDS)
            if is_skipped or file in foreign or not file.is_file() or _is_written_by_us(file):
                continue
            yield file


def _is_skipped(folder: Path) -> bool:
    """Return whether a folder is hidden, a cache, or an environment of Python."""
    is_hidden = folder.name.startswith(".") or folder.name in SKIPPED_FOLDERS
    return is_hidden or (folder / "pyvenv.cfg").exists()


def _is_written_by_us(file: Path) -> bool:
    """Return whether a file is the file of an event, a record or a report."""
    for end in COMPANIONS:
        if file.name.endswith(end):
            return _is_written_by_us(file.with_name(file.name.removesuffix(end)))
    try:
        with file.open("rb") as opened:
            head = opened.read(BLOCK >> 10)
    except OSError:
        return False
    place, mark = EVENT_MARK
    return head.startswith(WRITTEN) or (head.startswith(SQLITE) and head[place:].startswith(mark))


def _digest(file: Path) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
