"""Memory that games leave behind, measured in a process where nothing else happens."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import gc, sys, tracemalloc
from plyboard.agents import agent
from plyboard.play.series import Tally, series

def held(games):
    tally = Tally()
    tracemalloc.start()
    for played in series(agent({first!r}), agent({second!r}), {game!r}, games):
        tally = tally.plus(played)
    del played
    gc.collect()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size

for _ in series(agent({first!r}), agent({second!r}), {game!r}, 1):
    pass  # compiles, which takes several times as long while memory is traced
held(20)  # what is made once
print(*(held(games) for games in (40, 140)))
"""


def held_after_games(first: str, second: str, game: str) -> tuple[int, int]:
    """Return the bytes that a series of 40 games still holds when it is over, and one of 140."""
    script = SCRIPT.format(first=first, second=second, game=game)
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    few, many = map(int, done.stdout.split())
    return few, many
