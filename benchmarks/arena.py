"""What the arena costs: efficiency of several workers, overshoot of time limits, cost of a game.

python benchmarks/arena.py efficiency    the same games with 1 and with 2 workers
python benchmarks/arena.py overshoot     moves on a clock while every core plays a game
python benchmarks/arena.py cost          seconds and bytes of a game without thinking time
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

from asking import natural

from plyboard.agents import Budget
from plyboard.arena.event import EventSettings
from plyboard.arena.event_run import EventRun
from plyboard.arena.event_store import EventStore
from plyboard.play.clock import MARGIN, TimeControl
from plyboard.play.record import read_record
from plyboard.processes.local import LocalExecutor

MILLION = 1_000_000


Stamp = tuple[int, float]  # the number of a game, and when its result was stored


def play(settings: EventSettings, workers: int, folder: str) -> tuple[EventRun, list[Stamp], int]:
    """Return a played event, when each game ended, and the size of its file."""
    path = Path(folder) / f"{workers}.db"
    with EventStore.open(path, settings) as store:
        run, stamps = EventRun(store, settings), list[Stamp]()
        for batch in run.run(LocalExecutor(workers)):
            stamps += [(task.number, time.monotonic()) for task, _ in batch]
    return run, stamps, path.stat().st_size


def efficiency(games: int, nodes: int) -> dict[str, Any]:
    """Play the same long games with one worker and with one for each core.

    The efficiency is the time that the games took alone, divided by the time that all workers spent
    on them together. It is taken from the first result to the last one before which no worker was
    idle, so the start of the processes and the end of the event do not count.
    """
    agents, cores = ("mcts", "engine:hash=16"), os.cpu_count() or 1
    settings = EventSettings(
        agents, "squatter", games // 2, budget=Budget(nodes=nodes), balanced=False
    ).checked()
    with tempfile.TemporaryDirectory() as folder:
        _, alone, _ = play(settings, 1, folder)
        _, together, _ = play(settings, cores, folder)
    took = {number: end - alone[at][1] for at, (number, end) in enumerate(alone[1:])}
    took[alone[0][0]] = sum(took.values()) / len(took)  # its own time includes the start
    busy = together[: len(together) - cores + 1]
    seconds = busy[-1][1] - busy[0][1]
    return {
        "games": len(alone),
        "seconds_per_game": sum(took.values()) / len(took),
        "workers": cores,
        "efficiency": sum(took[number] for number, _ in busy[1:]) / (cores * seconds),
    }


def overshoot(games: int, seconds: float) -> dict[str, Any]:
    """Play on a clock with one worker for each core; measure the time beyond the plan."""
    control = TimeControl(seconds, per_move=True)
    settings = EventSettings(
        ("mcts", "engine:hash=16"), "conniption", games // 2, control=control, balanced=False
    ).checked()
    with tempfile.TemporaryDirectory() as folder:
        run, _, _ = play(settings, os.cpu_count() or 1, folder)
    over = sorted(
        seconds - turn.left - control.share(seconds)
        for result in run.results.values()
        for turn in read_record(result.record).turns
        if turn.left is not None
    )
    return {
        "moves": len(over),
        "seconds": seconds,
        "margin": MARGIN,
        "median": over[len(over) // 2],
        "p99.9": over[len(over) * 999 // 1000],
        "max": over[-1],
        "forfeits": sum(result.reason == "time" for result in run.results.values()),
    }


def cost(games: int) -> dict[str, Any]:
    """Play games without thinking time: what is left is the cost of the arena."""
    settings = EventSettings(
        ("random", "engine:level=1"), "connect-four", games // 2, balanced=False
    ).checked()
    with tempfile.TemporaryDirectory() as folder:
        run, stamps, size = play(settings, os.cpu_count() or 1, folder)
    seconds = stamps[-1][1] - stamps[0][1]
    return {
        "games": len(run.results),
        "games_per_second": len(run.results) / seconds,
        "bytes_per_game": size / len(run.results),
        "hours_per_million": MILLION * seconds / len(run.results) / 3600,
        "gigabytes_per_million": MILLION * size / len(run.results) / 1e9,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", choices=("efficiency", "overshoot", "cost"))
    parser.add_argument("--games", type=natural, default=20, help="to play (20)")
    parser.add_argument("--nodes", type=natural, default=100_000, help="a move, for efficiency")
    parser.add_argument("--seconds", type=float, default=0.1, help="a move, for overshoot (0.1)")
    options = parser.parse_args()
    measured = {
        "efficiency": lambda: efficiency(options.games, options.nodes),
        "overshoot": lambda: overshoot(options.games, options.seconds),
        "cost": lambda: cost(options.games),
    }[options.what]()
    print(json.dumps(measured, indent=2))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
