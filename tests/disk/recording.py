"""A model of a disk: what a program wrote, as strace recorded it, and what a loss of power leaves.

What was synced is on the disk. Anything else may be there or not: each write to a file, whole or
up to some sector, or zeros in its place; and of what was done to names, such as creating, renaming
and removing, the first operations, as a journal keeps them.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

CALLS = (
    "openat,write,pwrite64,lseek,ftruncate,fsync,fdatasync,rename,renameat,renameat2,link,linkat,"
    "unlink,unlinkat,sendto"
)
LONGEST = 1 << 20  # bytes of a write
SECTOR = 512
LINE = re.compile(r"(\d+) +(?:<\.\.\. )?(\w+)(?:\(| resumed>)(.*)")
FILE = re.compile(r"(\d+)<([^>]*)>")
TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')

Names = dict[str, int]  # the file that a path leads to, by its number
Files = dict[str, bytes]  # by path


def strace(trace: Path) -> list[str]:
    """Return the start of a command that records another one."""
    return ["strace", "-f", "-qq", "-y", "-xx", "-s", str(LONGEST), "-e", f"trace={CALLS}", "-o",
            str(trace)]  # fmt: skip


def record(command: Sequence[str | Path], trace: Path) -> None:
    """Run a command and record what it does to files; raise if it fails."""
    subprocess.run([*strace(trace), *command], check=True, stdout=subprocess.DEVNULL)


@dataclass(frozen=True)
class PendingWrite:
    """Bytes written to a file, or its cut at an offset, that have not been synced."""

    file: int
    offset: int
    data: bytes | None

    def apply(self, content: bytearray) -> None:
        if self.data is None:
            content.extend(bytes(max(0, self.offset - len(content))))
            del content[self.offset :]
            return
        content.extend(bytes(max(0, self.offset - len(content))))
        content[self.offset : self.offset + len(self.data)] = self.data

    def remains(self, chance: random.Random) -> PendingWrite | None:
        """Return what a loss of power leaves of it."""
        fate = chance.choice(("nothing", "all", "all", "torn", "zeros"))
        if fate == "nothing":
            return None
        if self.data is None or fate == "all":
            return self
        kept = self.data[: chance.randrange(0, len(self.data) + SECTOR, SECTOR)]
        if fate == "torn":
            return PendingWrite(self.file, self.offset, kept)
        return PendingWrite(self.file, self.offset + len(self.data), b"")  # the size alone


@dataclass
class Disk:
    """What is on the disk for certain, and what is on its way."""

    names: Names = field(default_factory=dict)  # as programs see them
    synced_names: Names = field(default_factory=dict)
    pending_names: list[tuple[str, int | None]] = field(default_factory=list)  # None: removed
    content: dict[int, bytearray] = field(default_factory=dict)  # that was synced
    pending: list[PendingWrite] = field(default_factory=list)

    @classmethod
    def of(cls, folder: Path) -> Disk:
        """Return a disk with the files of a folder, all of them synced."""
        disk = cls()
        for number, path in enumerate(sorted(each for each in folder.rglob("*") if each.is_file())):
            disk.names[str(path)] = number
            disk.content[number] = bytearray(path.read_bytes())
        disk.synced_names = dict(disk.names)
        return disk

    @classmethod
    def of_files(cls, other: Disk) -> Disk:
        """Return a copy of a disk on which everything is synced."""
        content = {number: bytearray(data) for number, data in other.content.items()}
        return cls(dict(other.names), dict(other.names), content=content)

    def create(self, path: str) -> None:
        number = len(self.content)
        self.content[number] = bytearray()
        self.name(path, number)

    def name(self, path: str, number: int | None) -> None:
        """Let a path lead to a file, or remove it."""
        if number is None:
            self.names.pop(path, None)
        else:
            self.names[path] = number
        self.pending_names.append((path, number))

    def write(self, path: str, offset: int, data: bytes | None) -> None:
        if path in self.names:
            self.pending.append(PendingWrite(self.names[path], offset, data))

    def size(self, path: str) -> int:
        content = bytearray(self.content[self.names[path]])
        for each in self.pending:
            if each.file == self.names[path]:
                each.apply(content)
        return len(content)

    def sync(self, path: str) -> None:
        """Sync a file, or the names in a folder."""
        number = self.names.get(path)
        if number is None:
            self._sync_names(path)
            return
        for write in self.pending:
            if write.file == number:
                write.apply(self.content[number])
        self.pending = [write for write in self.pending if write.file != number]

    def _sync_names(self, folder: str) -> None:
        own = [each for each in self.pending_names if str(Path(each[0]).parent) == folder]
        _rename_all(self.synced_names, own)
        self.pending_names = [each for each in self.pending_names if each not in own]

    def after_kill(self) -> Files:
        """Return the files if the program is killed now: nothing is lost."""
        return self._files(self.names, self.pending)

    def after_power_loss(self, chance: random.Random) -> Files:
        """Return the files if the power fails now."""
        names = dict(self.synced_names)
        _rename_all(names, self.pending_names[: chance.randint(0, len(self.pending_names))])
        left = [write.remains(chance) for write in self.pending]
        return self._files(names, [write for write in left if write is not None])

    def _files(self, names: Names, writes: list[PendingWrite]) -> Files:
        content = {number: bytearray(self.content[number]) for number in names.values()}
        for write in writes:
            if write.file in content:
                write.apply(content[write.file])
        return {path: bytes(content[number]) for path, number in names.items()}


def _rename_all(names: Names, changes: list[tuple[str, int | None]]) -> None:
    for path, number in changes:
        if number is None:
            names.pop(path, None)
        else:
            names[path] = number


@dataclass(frozen=True)
class Sent:
    """Bytes that a program has sent, or written to something else than a file of the folder."""

    path: str
    data: bytes


class Replay:
    """Replays a recorded program on a model of the disk."""

    def __init__(self, trace: Path, folder: Path, disk: Disk) -> None:
        self.disk = disk
        self._trace, self._folder = trace, f"{folder}/"
        self._offsets: dict[str, int] = {}  # by the number and path of an open file

    def steps(self) -> Iterator[Sent | None]:
        """Yield after each change of the disk, and what was sent before it is sent."""
        begun = dict[str, str]()
        with self._trace.open() as trace:
            for line in trace:
                if (match := LINE.match(line)) is None:
                    continue
                process, name, rest = match.groups()
                if rest.rstrip().endswith("<unfinished ...>"):
                    begun[process] = rest
                    if name == "sendto":
                        yield Sent("", _texts(rest)[0])
                    continue
                was_begun = process in begun
                rest = begun.pop(process, "") + rest
                if name == "sendto":
                    if not was_begun:
                        yield Sent("", _texts(rest)[0])
                elif " = -1 " not in rest:
                    yield from self._step(name, rest)

    def _step(self, name: str, rest: str) -> Iterator[Sent | None]:
        done = int(rest[rest.rfind("= ") + 2 :].split("<")[0].split()[0])
        if name.startswith(("rename", "link", "unlink", "openat")):
            paths = [text.decode() for text in _texts(rest)]
            if name == "openat":
                yield from self._open(paths[0], rest, done)
            elif all(path.startswith(self._folder) for path in paths):
                yield from self._name(name, paths)
            return
        handle, path = _file(rest)
        if not path.startswith(self._folder):
            if name == "write":
                yield Sent(path, _texts(rest)[0])
            elif path == self._folder[:-1] and name in ("fsync", "fdatasync"):
                self.disk.sync(path)
                yield None
            return
        if name == "lseek":
            self._offsets[f"{handle}{path}"] = done
            return
        if name in ("fsync", "fdatasync"):
            self.disk.sync(path)
        elif name == "ftruncate":
            self.disk.write(path, int(rest[rest.find(">, ") + 3 :].split(")")[0]), None)
        elif name == "pwrite64":
            offset = int(rest[rest.rfind('"') :].split(", ")[2].split(")")[0])
            self.disk.write(path, offset, _texts(rest)[0][:done])
        else:
            offset = self._offsets.get(f"{handle}{path}", 0)
            self.disk.write(path, offset, _texts(rest)[0][:done])
            self._offsets[f"{handle}{path}"] = offset + done
        yield None

    def _open(self, path: str, rest: str, handle: int) -> Iterator[None]:
        if not path.startswith(self._folder) or "O_DIRECTORY" in rest or Path(path).is_dir():
            return
        is_new = path not in self.disk.names
        if is_new and "O_CREAT" in rest:
            self.disk.create(path)
        self._offsets[f"{handle}{path}"] = 0
        if path in self.disk.names and "O_TRUNC" in rest and not is_new:
            self.disk.write(path, 0, None)
        if path in self.disk.names and "O_APPEND" in rest:
            self._offsets[f"{handle}{path}"] = self.disk.size(path)
        if "O_CREAT" in rest:
            yield None

    def _name(self, name: str, paths: list[str]) -> Iterator[None]:
        number = self.disk.names.get(paths[0])
        if name.startswith(("rename", "link")):
            self.disk.name(paths[1], number)
        if not name.startswith("link"):
            self.disk.name(paths[0], None)
        yield None


def _texts(rest: str) -> list[bytes]:
    """Return the strings of a call, all of whose bytes are written as hexadecimal numbers."""
    return [bytes.fromhex(text.replace("\\x", "")) for text in TEXT.findall(rest)]


def _file(rest: str) -> tuple[str, str]:
    """Return a call's handle, and its path, which strace writes after it."""
    found = FILE.match(rest)
    if found is None:
        return "", ""
    text = found[2]
    return found[1], bytes.fromhex(text.replace("\\x", "")).decode() if "\\x" in text else text


def restore(files: Files, folder: Path, place: Path) -> None:
    """Write the files of a folder to another place."""
    for path, data in files.items():
        there = place / Path(path).relative_to(folder)
        there.parent.mkdir(parents=True, exist_ok=True)
        there.write_bytes(data)
