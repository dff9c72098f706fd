"""Games of two agents whose process is killed: every move that was shown is in the file."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from plyboard.play import Match
from plyboard.play.record import read_records

PROGRAM = str(Path(sys.executable).with_name("plyboard"))
PATIENCE = 180.0
AGENTS = ("play", "connect-four", "--me", "random", "--opponent", "random", "--seed", "3")
SIGNALS = [signal.SIGKILL, signal.SIGTERM]


@contextmanager
def playing(path: Path, *options: str) -> Iterator[subprocess.Popen[str]]:
    """Have two agents play into a file; what they show comes line by line."""
    command = [PROGRAM, *AGENTS, *options, "--save", str(path)]
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def shown_until_killed(process: subprocess.Popen[str], moves: int, by: int) -> list[str]:
    """Return all moves that a process shows; it is killed after so many of them."""
    assert process.stdout is not None
    shown: list[str] = []
    for line in process.stdout:
        if match := re.fullmatch(r"[xo] plays (\w+)\n", line):
            shown.append(match[1])
            if len(shown) == moves:
                process.send_signal(by)
    return shown


def moves_in(games: list[Match]) -> list[str]:
    return [move for game in games for move in game.position.moves]


def check_left(path: Path, by: int) -> None:
    """Fail if something is left beside the file by a process that was asked to end."""
    if by == signal.SIGTERM:
        assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("by", SIGNALS)
@pytest.mark.parametrize("moves", [1, 2, 5])
def test_a_game_that_is_shown(moves: int, by: int, tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    with playing(path) as process:
        shown = shown_until_killed(process, moves, by)

    assert process.returncode == (143 if by == signal.SIGTERM else -signal.SIGKILL)
    (game,) = read_records(str(path))
    assert len(shown) >= moves
    assert moves_in([game])[: len(shown)] == shown
    check_left(path, by)


@pytest.mark.parametrize("by", SIGNALS)
@pytest.mark.parametrize("moves", [3, 40, 90])
def test_a_series_that_is_watched(moves: int, by: int, tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    with playing(path, "--games", "1000", "--watch") as process:
        shown = shown_until_killed(process, moves, by)

    games = list(read_records(str(path)))
    assert len(shown) >= moves
    assert moves_in(games)[: len(shown)] == shown
    assert all(game.end is not None for game in games[:-1])
    check_left(path, by)


@pytest.mark.parametrize("by", SIGNALS)
@pytest.mark.parametrize("finished", [0, 3])
def test_a_series_that_is_counted(finished: int, by: int, tmp_path: Path) -> None:
    path, seen = tmp_path / "games.txt", list[Match]()
    with playing(path, "--games", "10000") as process:
        end = time.monotonic() + PATIENCE
        while len(seen) <= finished and time.monotonic() < end:
            seen = list(read_records(str(path))) if path.exists() else []  # whole at any time
        process.send_signal(by)
        process.wait()
    games = list(read_records(str(path)))

    assert len(seen) > finished
    assert moves_in(games)[: len(moves_in(seen))] == moves_in(seen)
    assert all(game.end is not None for game in games[:-1])
    check_left(path, by)
