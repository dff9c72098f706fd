"""Cuts the power of a server, on paper, and checks that every acknowledged move is on the disk.

    python tests/server/power_loss.py --moves 10000 --losses 100

The server runs under strace, which records what it writes, what it syncs and what it sends. From
the record we know what must be on the disk at the moment of each acknowledgement: all that was
synced before it. What was only written may be there or not, in any combination. From such a disk
the store is opened, and must hold every move that was acknowledged so far.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from server.harness import LIMIT, ME, Client
from server.postgres import fast_folder

from plyboard.server.storage.store import GameStore

CALLS = "pwrite64,fdatasync,fsync,ftruncate,unlink,sendto"
STRACE = ["strace", "-f", "-qq", "-y", "-xx", "-s", "65536", "-e", f"trace={CALLS}", "-o"]
SERVE = [sys.executable, "-m", "plyboard", "serve", "--no-warm", "--port", "0", "--store"]
LINE = re.compile(r"(\d+) +(?:<\.\.\. )?(\w+)(?:\(| resumed>)(.*)")
FILE = re.compile(r"\d+<([^>]*)>")
ENDS = ("", "-wal")
MOVES_OF_SOCKET = 40

State = dict[str, bytearray]  # the files of the store, by how their names end
PlayedMove = tuple[str, str]  # a game, and a move in it


@dataclass(frozen=True)
class Call:
    """A system call on a file of the store that has not been synced yet."""

    end: str  # of the file's name
    offset: int
    data: bytes | None  # None: the file is cut off at the offset

    def apply(self, files: State) -> None:
        file = files.setdefault(self.end, bytearray())
        if self.data is None:
            del file[self.offset :]
            return
        file.extend(bytes(max(0, self.offset - len(file))))
        file[self.offset : self.offset + len(self.data)] = self.data


@dataclass
class Disk:
    """What is on the disk for certain, and what is on its way."""

    files: State = field(default_factory=dict)
    pending: list[Call] = field(default_factory=list)

    def sync(self, end: str) -> None:
        for call in self.pending:
            if call.end == end:
                call.apply(self.files)
        self.pending = [call for call in self.pending if call.end != end]

    def after_power_loss(self, chance: random.Random) -> State:
        """Return the files if the power fails now; each pending write is there or not."""
        files = {end: bytearray(data) for end, data in self.files.items()}
        for call in self.pending:
            if chance.random() < 0.5:
                call.apply(files)
        return files


def play(folder: Path, moves: int, seed: int) -> list[PlayedMove]:
    """Play with a server under strace, and return the moves that it acknowledged."""
    store = folder / "games.db"
    command = [*STRACE, str(folder / "trace"), *SERVE, str(store)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout:
        found = re.search(r"http://\S+/", process.stdout.readline())
        assert found, "the server does not start"
        try:
            return play_games(found[0], moves, random.Random(seed))
        finally:
            server = int(Path(f"{store}.lock").read_text().split()[0])
            os.kill(server, signal.SIGTERM)  # strace ends with it
            process.wait(LIMIT)


def play_games(address: str, moves: int, chance: random.Random) -> list[PlayedMove]:
    """Play random games one after another, each on a socket of its own, which has a limit."""
    played = list[PlayedMove]()
    while len(played) < moves:
        with Client(address) as client:
            made = client.create("squatter:size=8", ME, ME)
            view = client.watch(made["game"], made["token"])
            for _ in range(min(MOVES_OF_SOCKET, moves - len(played))):
                if "end" in view:
                    break
                move = chance.choice(view["legal"])["move"]
                answer = client.move(made["game"], view["seq"], move, f"m{len(played)}")
                assert answer["t"] == "ack", answer
                played.append((made["game"], move))
                view = client.watch(made["game"])
    return played


def disks(folder: Path) -> Iterator[tuple[int, Disk]]:
    """Yield the number of each acknowledged move, with the disk just before the server sent it."""
    disk, begun = Disk(), dict[str, str]()
    store = str(folder / "games.db")
    with (folder / "trace").open() as trace:
        for line in trace:
            match = LINE.match(line)
            if match is None:
                continue
            process, name, rest = match.groups()
            if rest.rstrip().endswith("<unfinished ...>"):
                begun[process] = rest
                is_done = False
            else:
                rest, is_done = begun.pop(process, "") + rest, True
            if name == "sendto":
                number = _acknowledged(rest)
                if number is not None and (not is_done or process not in begun):
                    yield number, disk
                continue
            if is_done and (call := _call(name, rest, store)) is not None:
                if isinstance(call, str):
                    disk.sync(call)
                else:
                    disk.pending.append(call)


def _acknowledged(text: str) -> int | None:
    """Return the number of the move that a message acknowledges; None for other messages."""
    found = re.search(rb'"t":"ack","re":"m(\d+)"', _data(text))
    return int(found[1]) if found else None


def _data(text: str) -> bytes:
    """Return the first string of a call, all of whose bytes are written as hexadecimal numbers."""
    quoted = text[text.find('"') + 1 :]
    return bytes.fromhex(quoted[: quoted.find('"')].replace("\\x", ""))


def _call(name: str, rest: str, store: str) -> Call | str | None:
    """Return a write to the store, or the end of the name of a file that was synced."""
    is_unlink = name == "unlink"
    path = _data(rest).decode() if is_unlink else _path(rest)
    end = path.removeprefix(store)
    if not path.startswith(store) or end not in ENDS:
        return None
    if is_unlink:
        return Call(end, 0, None)
    if name in ("fsync", "fdatasync"):
        return end
    numbers = re.findall(r"-?\d+", rest[rest.rfind('"') + 1 :])
    if name == "ftruncate":
        size = re.search(r">, (\d+)", rest)
        assert size, rest
        return Call(end, int(size[1]), None)
    return Call(end, int(numbers[1]), _data(rest)[: int(numbers[0])])


def _path(rest: str) -> str:
    """Return the path of a call's file, which strace writes after the number of its handle."""
    found = FILE.match(rest)
    text = found[1] if found else ""
    return bytes.fromhex(text.replace("\\x", "")).decode() if text.startswith("\\x") else text


def lost_moves(files: State, acknowledged: list[PlayedMove]) -> str:
    """Open the store from a disk; return what is missing, or nothing."""
    games: dict[str, list[str]] = {}
    for game, move in acknowledged:
        games.setdefault(game, []).append(move)
    with tempfile.TemporaryDirectory(dir=fast_folder()) as folder:
        for end, data in files.items():
            Path(folder, f"games.db{end}").write_bytes(data)
        try:
            store = GameStore(f"{folder}/games.db")
        except Exception as fault:
            return f"the store cannot be opened: {fault}"
        try:
            for game, moves in games.items():
                stored = store.load(game)
                found = () if stored is None else stored.state.match.position.moves
                if list(found[: len(moves)]) != moves:
                    return f"{len(moves) - len(found)} moves of {game} are lost"
            return ""
        finally:
            store.close()


def run(moves: int, losses: int, seed: int) -> list[str]:
    """Play, and cut the power at so many acknowledgements; return the faults."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(os.path.realpath(place))
        played = play(folder, moves, seed)
        chance, faults, count = random.Random(seed), list[str](), 0
        chosen = set(chance.sample(range(len(played)), min(losses, len(played))))
        for number, disk in disks(folder):
            count += 1
            if number in chosen:
                files = disk.after_power_loss(chance)
                fault = lost_moves(files, played[: number + 1])
                faults += [f"move {number}: {fault}"] if fault else []
    assert count == moves, f"{count} of {moves} acknowledgements were seen"
    return faults


def main() -> None:
    parser = argparse.ArgumentParser(description="Cut the power of a server, on paper.")
    parser.add_argument("--moves", type=int, default=10_000)
    parser.add_argument("--losses", type=int, default=100, help="of the power")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    faults = run(options.moves, options.losses, options.seed)
    print(f"{options.moves} moves, {options.losses} losses of power, {len(faults)} faults")
    for fault in faults[:20]:
        print(fault)
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()
