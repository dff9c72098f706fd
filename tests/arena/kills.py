"""Kills a tournament at random times until it is over, and compares it with an unkilled one.

python tests/arena/kills.py --kills 100 --games 200
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from arena.figures import figures

from plyboard.arena.event_store import EventStore
from plyboard.arena.game_task import GameResult, GameTask
from plyboard.errors import UnusableError

AGENTS = ("random", "engine:level=1", "engine:level=2", "engine:level=3", "mcts")
PATIENCE = 300.0  # seconds; only a hang takes as long, however busy the machine is
TICK = 0.002


@dataclass(frozen=True)
class Tournament:
    """A tournament that the command plays in a process of its own."""

    games: int  # of each of the ten pairings

    def command(self, store: Path) -> list[str]:
        """Return the command, which is the same each time."""
        return [
            sys.executable, "-m", "plyboard", "tournament", *AGENTS, "--games", str(self.games),
            "--game", "connect-four:columns=5,rows=4", "--openings", "random", "--nodes", "200",
            "--workers", "2", "--store", str(store), "--json",
        ]  # fmt: skip

    def finish(self, store: Path) -> dict[str, Any]:
        """Play all games that are left, and return the figures of the report."""
        done = subprocess.run(
            self.command(store), capture_output=True, text=True, timeout=PATIENCE, check=True
        )
        return figures(done.stdout)

    def kill(self, store: Path, more: int) -> bool:
        """Play until so many more results are stored, then kill it; False if it ended before."""
        wanted = len(results(store)) + more
        process = subprocess.Popen(
            self.command(store), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        until = time.monotonic() + PATIENCE
        while process.poll() is None and len(results(store)) < wanted:
            assert time.monotonic() < until, "no more games are played"
            time.sleep(TICK)
        workers = list(children(process.pid))
        process.send_signal(signal.SIGKILL)
        code = process.wait()
        for worker in workers:
            wait_for_end(worker, until)
        return code == -signal.SIGKILL


def results(store: Path) -> dict[int, GameResult]:
    """Return the results on disk, without the time that they took."""
    try:
        with EventStore.read(store) as event:
            played = [result for _, _, result in event.played()]
            assert len({each.number for each in played}) == len(played), "a game has two results"
            return {each.number: replace(each, seconds=(0.0, 0.0)) for each in played}
    except UnusableError:  # it was not created yet
        return {}


def tasks(store: Path) -> list[GameTask]:
    """Return the games of an event, by number."""
    with EventStore.read(store) as event:
        return sorted((task for _, task, _ in event.played()), key=lambda task: task.number)


def children(process: int) -> Iterator[int]:
    """Yield the processes that a process has started."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            parent = (folder / "stat").read_text().rpartition(")")[2].split()[1]
            if int(parent) == process:
                yield int(folder.name)


def wait_for_end(process: int, until: float) -> None:
    """Wait for the end of a process that is not ours."""
    with suppress(ProcessLookupError):
        while time.monotonic() < until:
            os.kill(process, 0)
            time.sleep(TICK)
        raise AssertionError("a worker outlives its parent")


def play_and_kill(tournament: Tournament, folder: Path, kills: int, seed: int) -> int:
    """Kill a tournament up to so many times, check it, and return how often it was killed."""
    chance = random.Random(seed)
    whole, killed = folder / "whole.db", folder / f"killed-{seed}.db"
    expected = tournament.finish(whole)
    known, count = dict[int, GameResult](), 0
    while count < kills and tournament.kill(killed, chance.randint(0, tournament.games)):
        count += 1
        found = results(killed)
        assert known.items() <= found.items(), "a result was lost or has changed"
        known = found
    assert tournament.finish(killed) == expected, "the tables differ"
    assert tasks(killed) == tasks(whole), "the pairings differ"
    assert results(killed) == results(whole), "the results differ"
    assert len(results(killed)) == 10 * tournament.games, "a result is missing"
    return count


def main() -> int:
    """Kill tournaments until there were enough kills."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kills", type=int, default=100, help="how often to kill (100)")
    parser.add_argument("--games", type=int, default=200, help="of a tournament (200)")
    options = parser.parse_args()
    tournament, count, seed = Tournament(max(2, options.games // 20 * 2)), 0, 0
    with tempfile.TemporaryDirectory() as folder:
        while count < options.kills:
            count += play_and_kill(tournament, Path(folder), options.kills - count, seed)
            seed += 1
            print(f"{count} kills, {seed} tournaments: all results once, same table", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
