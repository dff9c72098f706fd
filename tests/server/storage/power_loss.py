"""Cuts the power of a server, on paper, and checks that every acknowledged move is on the disk.

    python tests/server/storage/power_loss.py --moves 10000 --losses 100

The server runs under strace, which records what it writes, what it syncs and what it sends. At the
moment of an acknowledgement the store is opened from what the model of a disk has then, and must
hold every move that was acknowledged so far.
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
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from disk.recording import Disk, Files, Replay, Sent, restore, strace
from server.harness import LIMIT, ME, Client
from server.postgres import fast_folder

from plyboard.server.storage.store import GameStore

SERVE = [sys.executable, "-m", "plyboard", "serve", "--no-warm", "--port", "0", "--store"]
ACKNOWLEDGED = re.compile(rb'"t":"ack","re":"m(\d+)"')
MOVES_OF_SOCKET = 40

PlayedMove = tuple[str, str]  # a game, and a move in it


def play(folder: Path, moves: int, seed: int) -> list[PlayedMove]:
    """Play with a server under strace, and return the moves that it acknowledged."""
    store = folder / "store" / "games.db"
    store.parent.mkdir()
    command = [*strace(folder / "trace"), *SERVE, str(store)]
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
    disk = Disk()
    for step in Replay(folder / "trace", folder / "store", disk).steps():
        if isinstance(step, Sent) and (found := ACKNOWLEDGED.search(step.data)):
            yield int(found[1]), disk


def lost_moves(files: Files, folder: Path, acknowledged: list[PlayedMove]) -> str:
    """Open the store from a disk; return what is missing, or nothing."""
    games: dict[str, list[str]] = {}
    for game, move in acknowledged:
        games.setdefault(game, []).append(move)
    with tempfile.TemporaryDirectory(dir=fast_folder()) as place:
        restore(files, folder / "store", Path(place))
        try:
            store = GameStore(f"{place}/games.db")
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
                fault = lost_moves(files, folder, played[: number + 1])
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
