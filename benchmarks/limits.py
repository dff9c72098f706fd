"""How well agents keep to their time and their memory.

Time: many moves of 50 to 500 milliseconds while the other core is kept busy; what counts is by how
much a move is late. Memory: what a process takes while an agent plays one game after another. Exit
code 1: a target was missed.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import resource
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from asking import natural
from rich import box
from rich.console import Console
from rich.table import Table

from plyboard.agents import Budget, agent
from plyboard.games import GAMES, Position

AGENTS = ("engine", "mcts")
LIMITS = {0.05: 1, 0.1: 1, 0.5: 5}  # seconds a move, and by what the number of moves is divided
LATE_999, LATE_MOST = 0.020, 0.100  # seconds, at the 99.9th percentile and at most
GROWTH = 0.1  # MiB per 100 games
SPARE = 64  # MiB beyond the tables


@dataclass(frozen=True)
class Late:
    """How late the moves of one agent at one limit came."""

    agent: str
    seconds: float
    moves: int
    median: float
    high: float
    most: float

    @property
    def failed(self) -> bool:
        return self.high > LATE_999 or self.most > LATE_MOST


@dataclass(frozen=True)
class Room:
    """What the games of one agent took."""

    agent: str
    mebibytes: int
    games: int
    extra: float  # MiB at the peak, beyond what the process had before
    growth: float  # MiB per 100 games, over the second half

    @property
    def failed(self) -> bool:
        return self.growth > GROWTH or self.extra > self.mebibytes + SPARE


def burn() -> None:
    """Keep a core busy."""
    while True:
        pass


def positions(seed: int) -> list[Position]:
    """Return one position of each game, some moves after its start."""
    chance, found = random.Random(seed), []
    for kind in GAMES:
        position = Position(kind.name)
        for _ in range(chance.randrange(2, 9)):
            after = position.apply_action(chance.choice(position.legal_actions()))
            position = position if after.outcome() else after
        found.append(position)
    return found


def lateness(name: str, seconds: float, moves: int) -> Late:
    player, late = agent(f"{name}:hash=32"), list[float]()
    for position in positions(0):
        player.choose(position, Budget(seconds=seconds))  # compiles
    while len(late) < moves:
        for position in positions(len(late)):
            began = time.perf_counter()
            player.choose(position, Budget(seconds=seconds, seed=len(late)))
            late.append(max(time.perf_counter() - began - seconds, 0.0))
    late.sort()
    high = late[min(int(len(late) * 0.999), len(late) - 1)]
    return Late(name, seconds, len(late), late[len(late) // 2], high, late[-1])


def resident() -> float:
    """Return the MiB that this process has in memory now, where that can be told."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def room(name: str, mebibytes: int, games: int) -> Room:
    player = agent(f"{name}:hash={mebibytes}")
    for position in positions(0):
        agent(f"{name}:hash=1").choose(position, Budget(nodes=1000))  # compiles
    before, told = resident(), []
    for number in range(games):
        position = Position(GAMES[number % len(GAMES)].name)
        while position.outcome() is None:
            turn = Budget(nodes=500, seed=number)
            position = position.apply_action(player.choose(position, turn).action)
        told.append(resident())
    half = told[games // 2]
    growth = (told[-1] - half) / (games - games // 2) * 100
    return Room(name, mebibytes, games, max(told) - before, growth)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--moves", type=natural, default=1000, help="each agent and limit (1000)")
    parser.add_argument("--games", type=natural, default=1000, help="of each agent (1000)")
    options = parser.parse_args()
    busy = multiprocessing.Process(target=burn, daemon=True)
    busy.start()
    lates = []
    for name in AGENTS:
        for seconds, divisor in LIMITS.items():
            moves = -(-options.moves // divisor)
            print(f"{name}: {moves} moves of {seconds} s", file=sys.stderr, flush=True)
            lates.append(lateness(name, seconds, moves))
    busy.kill()
    rooms = []
    for name in AGENTS:
        print(f"{name}: {options.games} games", file=sys.stderr, flush=True)
        rooms.append(room(name, 32, options.games))
    failed = any(x.failed for x in lates) or any(x.failed for x in rooms)
    if options.json:
        print(json.dumps({"late": [vars(x) for x in lates], "room": [vars(x) for x in rooms]}))
        return int(failed)
    table = Table("agent", "limit", "moves", "late: median", "99.9 %", "most", box=box.MARKDOWN)
    for line in lates:
        numbers = (f"{1000 * each:.1f} ms" for each in (line.median, line.high, line.most))
        table.add_row(line.agent, f"{line.seconds} s", str(line.moves), *numbers)
    Console(width=120).print(table)
    table = Table("agent", "tables", "games", "peak", "growth per 100 games", box=box.MARKDOWN)
    for each in rooms:
        peak, growth = f"{each.extra:.1f} MiB", f"{each.growth:.2f} MiB"
        table.add_row(each.agent, f"{each.mebibytes} MiB", str(each.games), peak, growth)
    Console(width=120).print(table)
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
