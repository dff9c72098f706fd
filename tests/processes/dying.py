"""Functions whose module cannot be imported by another process."""

from __future__ import annotations

import multiprocessing

from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.play_game import play_game

if multiprocessing.parent_process() is not None:
    raise ImportError("no such library")


def play(task: GameTask) -> GameResult:
    return play_game(task)
