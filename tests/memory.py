"""Memory that games leave behind, measured in a process where nothing else happens."""

from __future__ import annotations

import subprocess
import sys

SCRIPT = """
import gc, tracemalloc
from plyboard.arena.event import EventSettings
from plyboard.arena.play_game import play_game
from plyboard.play.record import read_record
from plyboard.session.tally import Tally

def play(games):
    settings, tally = EventSettings(({first!r}, {second!r}), {game!r}, games), Tally()
    for number in range(games):
        result = play_game(settings.task(number, number, settings.agents, ()))
        tally = tally.plus(read_record(result.record))

def held(games):
    tracemalloc.start()
    play(games)
    gc.collect()
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size

play(1)  # compiles, which takes several times as long while memory is traced
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
