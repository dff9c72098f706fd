"""How well `AIPlayer` keeps to the time limit of its course's program, with every core busy.

The program starts a process for each move, waits for it as long as the limit, and then ends it.
This script does the same with positions of games by chance on boards of several sizes, but lets a
late move finish, to see how late it is. With `--cold` the code cache begins empty. Exit code 1: a
move was late.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection

import numpy as np
from asking import natural
from rich import box
from rich.console import Console
from rich.table import Table

from plyboard.games import Position
from plyboard.origins.extended.player import AIPlayer, State

SIZES = ((4, 6, 0), (6, 8, 6), (6, 10, 9), (12, 12, 10))  # rows, columns, pops
METHODS = ("get_intelligent_move", "get_expectimax_move")
LIMITS = (1.0, 0.3)
PATIENCE = 60.0  # seconds after which a move is given up
FORK = multiprocessing.get_context("fork")  # what the course's program gets on Linux


class Pops:
    """The course's number of pops."""

    def __init__(self, number: int) -> None:
        self.number = number

    def get_int(self) -> int:
        """Return the number."""
        return self.number


@dataclass(frozen=True)
class Timing:
    """How the moves at one limit went; seconds from the start of a process to its answer."""

    limit: float
    cold: bool
    moves: int
    late: int
    median: float
    most: float


def burn() -> None:
    """Keep a core busy."""
    while True:
        pass


def positions() -> Iterator[Position]:
    """Yield positions for ever: of each size in turn, some moves after the start."""
    chance = random.Random(0)
    while True:
        for rows, columns, pops in SIZES:
            position = Position(f"extended:rows={rows},columns={columns},pops={pops}")
            for _ in range(chance.randrange(rows * columns)):
                after = position.apply_action(chance.choice(position.legal_actions()))
                position = position if after.outcome() else after
            yield position


def state_of(position: Position) -> State:
    """Return a position as the course has it."""
    board, _, left = position.text().replace(".", "0").split(" ")
    first, second = (int(number) for number in left.split(","))
    cells = np.array([[int(cell) for cell in row] for row in board.split("/")])
    return cells, {1: Pops(first), 2: Pops(second)}


def answer(player: AIPlayer, method: str, state: State, pipe: Connection) -> None:
    """Send a move: what the process of a move does."""
    pipe.send(getattr(player, method)(state))


def seconds_of(player: AIPlayer, method: str, state: State) -> float:
    """Return how long a move took, with the start and the end of its process."""
    ours, theirs = FORK.Pipe(duplex=False)
    process = FORK.Process(target=answer, args=(player, method, state, theirs), daemon=True)
    began = time.perf_counter()
    process.start()
    process.join(PATIENCE)
    took = time.perf_counter() - began
    process.kill()
    process.join()
    return took if ours.poll() else PATIENCE


def timing(limit: float, moves: int, *, cold: bool) -> Timing:
    """Return how moves at a limit went."""
    took, boards = [], positions()
    for number in range(moves):
        position = next(boards)
        player = AIPlayer(position.mover + 1, limit)
        took.append(seconds_of(player, METHODS[number // len(SIZES) % 2], state_of(position)))
    took.sort()
    late = sum(each > limit for each in took)
    return Timing(limit, cold, moves, late, took[moves // 2], took[-1])


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--moves", type=natural, default=200, help="at each limit (200)")
    parser.add_argument(
        "--busy", type=int, default=os.cpu_count() or 1, help="processes that burn (one a core)"
    )
    parser.add_argument("--cold", action="store_true", help="begin with an empty code cache")
    parser.add_argument("--limits", type=float, nargs="+", default=LIMITS, help="seconds (1 0.3)")
    options = parser.parse_args()
    burners = [FORK.Process(target=burn, daemon=True) for _ in range(options.busy)]
    for burner in burners:
        burner.start()
    timings = []
    for limit in options.limits:
        print(f"{options.moves} moves of {limit} s", file=sys.stderr, flush=True)
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            if options.cold:
                os.environ["PLYBOARD_CACHE"] = folder
            timings.append(timing(limit, options.moves, cold=options.cold))
    for burner in burners:
        burner.kill()
    if options.json:
        print(json.dumps([asdict(each) for each in timings]))
        return int(any(each.late for each in timings))
    table = Table("limit", "cache", "moves", "late", "median", "most", box=box.MARKDOWN)
    for each in timings:
        table.add_row(
            f"{each.limit} s", "cold" if each.cold else "warm", str(each.moves), str(each.late),
            f"{each.median:.3f} s", f"{each.most:.3f} s",
        )  # fmt: skip
    Console(width=100).print(table)
    return int(any(each.late for each in timings))


if __name__ == "__main__":
    raise SystemExit(main())
