"""The parent's side of the sandbox: what a program may see, and the process that runs it."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import platformdirs

from plyboard.agents.programs import runner
from plyboard.agents.programs.limits import DEFAULT_LIMITS, DISK, MOST_FILES, ProgramLimits
from plyboard.agents.programs.seccomp import filter_code
from plyboard.errors import UnusableError, printable, shown
from plyboard.games.own_games import VARIABLE, own_files
from plyboard.processes.python import PACKAGE, RunningProgram, start_script

SYSTEM = (
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/nix/store",
    "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/alternatives",
    "/etc/localtime",
)  # fmt: skip
NAMESPACES, LANDLOCK, SECCOMP = "namespaces", "landlock", "seccomp"  # what a system may lack
UNSAFE = "PLYBOARD_UNSAFE_PROGRAMS"  # in the environment of those who accept what is not contained
HOW_TO_START = f"--unsafe-programs or {UNSAFE}=yes starts it all the same"
LIMITED = "limits on time, memory, processes and output"
LONGEST_FIRST_LINE = 200  # bytes
SEARCH_PATH = "/usr/local/bin:/usr/bin:/bin"


@dataclass(frozen=True)
class Sandbox:
    """What a program may see and use.

    With namespaces it sees the programs of the system, Python, the folders of the files that its
    command names, and `readable`, without what is `hidden`; it has no network, and can write to a
    small /tmp of its own only.
    """

    command: tuple[str, ...]
    limits: ProgramLimits = DEFAULT_LIMITS
    without: tuple[str, ...] = ()  # of NAMESPACES, LANDLOCK and SECCOMP
    is_unsafe: bool = False  # whether it may run with neither namespaces nor what replaces them
    readable: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)
    hidden: tuple[str, ...] = ()  # files and folders that it does not see

    def start(self, control: int, status: int) -> RunningProgram:
        """Start the process with these ends of its control and status pipes."""
        if sys.platform == "win32":
            raise UnusableError("cannot start a program", reason="outside programs need Linux")
        executable = find_program(self.command[0])
        own = [*self.readable, *_with_prefix(executable), *readable_files(self.command[1:])]
        games = own_files()
        readable = [*SYSTEM, *_python(), *_without(map(Path, own), self.hidden), *games]
        readable += [str(Path(name).resolve()) for name in readable]  # behind symbolic links
        settings = {
            "command": [executable, *self.command[1:]],
            "folder": os.getcwd(),  # noqa: PTH109
            "environment": {**_environment(), **self.environment, **_game_files()},
            "readable": list(dict.fromkeys(sorted(readable, key=len))),
            "namespaces": NAMESPACES not in self.without,
            "landlock": LANDLOCK not in self.without,
            "seccomp": "" if SECCOMP in self.without else filter_code().hex(),
            "shared_seccomp": "" if SECCOMP in self.without else filter_code(is_shared=True).hex(),
            "needed": [*self.readable, *games, *readable_files(self.command[1:])],
            "listed": [str(PACKAGE.parent)],  # Python looks there for Plyboard
            "unsafe": self.is_unsafe,
            "memory": self.limits.memory,
            "processes": self.limits.processes,
            "files": MOST_FILES,
            "disk": DISK,
            "control": control,
            "status": status,
        }
        return start_script(runner.__file__, json.dumps(settings), (control, status))


def protection_text(protections: Mapping[str, str]) -> str:
    """Return in one line which protections a program runs with, and what is not contained."""
    reason, has_filter = protections.get("no namespaces"), SECCOMP in protections
    calls = "a filter of system calls" if has_filter else "no filter of system calls"
    if reason is None:
        spaces = protections.get(NAMESPACES, "none")
        return f"sandbox: its own {spaces} namespaces, {calls}, {LIMITED}"
    why = printable(reason)
    if is_contained(protections):
        user = ", another user" if "nobody" in protections else ""
        return (
            f"sandbox without namespaces ({why}): Landlock for files, {calls}{user}, {LIMITED}; "
            "it can see which files there are, and fill the disk"
        )
    files = "the files that everybody may change" if "nobody" in protections else "your files"
    ends = [] if LANDLOCK in protections else [f"read and change {files}"]
    if not has_filter:
        ends.append("use the network")
    if not has_filter or LANDLOCK not in protections:
        ends.append("end your processes")
    return f"no sandbox ({why}): it can {' and '.join(ends)}; {calls}, {LIMITED}"


def is_contained(protections: Mapping[str, str]) -> bool:
    """Return whether a program is kept from the files, the processes and the network."""
    return NAMESPACES in protections or (LANDLOCK in protections and SECCOMP in protections)


def find_program(name: str) -> str:
    """Return the path of a program; `python3` is the Python that runs Plyboard."""
    own = str(Path(sys.executable).parent)
    path = os.pathsep.join((own, os.environ.get("PATH", os.defpath)))
    found = shutil.which(name, path=path)
    if found is None:
        reason = "not executable" if Path(name).exists() else "no such program"
        raise UnusableError(f"cannot start {shown(name)}", reason=reason)
    return os.path.abspath(found)  # noqa: PTH100


def start_hint(name: str) -> str:
    """Return what is wrong with the first line of a script; empty if nothing is seen."""
    try:
        with Path(find_program(name)).open("rb") as file:
            first = file.readline(LONGEST_FIRST_LINE)
    except (OSError, UnusableError):
        return ""
    if first.startswith(b"\x7fELF"):
        return ""
    if not first.startswith(b"#!"):
        return "; its first line names no interpreter, as #!/usr/bin/env python3 does"
    if first.endswith(b"\r\n"):
        return "; its lines end with CR LF, as on Windows"
    words = first[2:].decode("utf-8", "replace").split()
    if not words or not Path(words[0]).exists():
        return f"; its first line names {shown(' '.join(words[:1]))}, which does not exist"
    return ""


def _game_files() -> dict[str, str]:
    """Return the variable that names the games in files, which every program may read."""
    return {VARIABLE: os.environ[VARIABLE]} if os.environ.get(VARIABLE) else {}


def _environment() -> dict[str, str]:
    own = str(Path(sys.executable).parent)
    return {"PATH": f"{own}:{SEARCH_PATH}", "HOME": "/tmp", "LANG": "C.UTF-8"}


def _python() -> Iterator[str]:
    """Yield the folders of this Python, so that programs can use it."""
    yield sys.prefix
    yield str(PACKAGE)
    yield str(Path(sys.base_prefix).resolve())
    yield from _with_prefix(sys.executable)


def readable_files(words: Iterable[str]) -> Iterator[str]:
    """Yield the folder of each word that names a file; only the file if others are private."""
    for word in words:
        name = os.path.abspath(word)  # noqa: PTH100
        try:
            exists = bool(word) and Path(name).exists()
        except (OSError, ValueError):  # a word too long for a name
            continue
        if exists:
            yield name if Path(name).is_dir() or _is_private(Path(name).parent) else _parent(name)


def _without(places: Iterable[Path], hidden: Sequence[str]) -> Iterator[str]:
    """Yield places; of a folder with something hidden, all else in it but compiled code."""
    for place in places:
        real = place.resolve()
        inside = [each for each in hidden if Path(each).is_relative_to(real)]
        if any(real.is_relative_to(each) for each in hidden):
            continue
        if inside and place.is_dir():
            below = (each for each in sorted(place.iterdir()) if each.name != "__pycache__")
            yield from _without(below, inside)
        else:
            yield str(place)


def _with_prefix(executable: str) -> Iterator[str]:
    """Yield the folder of a program; of one in a folder `bin` the folder above.

    So for each symbolic link that leads to it.
    """
    path = Path(executable)
    for _ in range(10):
        folder = path.parent
        if folder.name == "bin" and not _is_private(folder.parent):
            yield str(folder.parent)
        else:
            yield str(path) if _is_private(folder) else str(folder)
        if not path.is_symlink():
            return
        path = Path(os.path.normpath(folder / path.readlink()))


def _parent(name: str) -> str:
    return str(Path(name).parent)


def _is_private(folder: Path) -> bool:
    """Return whether a folder holds the home folder, the data of Plyboard, or `/tmp`."""
    private: Sequence[Path] = (
        Path("/tmp"),
        Path.home(),
        Path(platformdirs.user_data_dir("plyboard", appauthor=False)),
        Path(platformdirs.user_config_dir("plyboard", appauthor=False)),
    )
    folders = (folder, folder.resolve())
    return any(each.is_relative_to(above) for each in private for above in folders)
