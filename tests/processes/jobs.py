"""Functions for processes: those of tests cannot be imported there."""

from __future__ import annotations

import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from plyboard.errors import NotationError


@dataclass(frozen=True)
class Deadly:
    """A task that kills its process, as often as there are lives in a folder."""

    number: int
    folder: Path
    lives: int = 0


def double(number: int) -> int:
    return 2 * number


def printed(number: int) -> int:
    print("noise", flush=True)
    return number


def survived(task: Deadly) -> int:
    """Die if there is still a life to lose; return the number of the task otherwise."""
    for life in range(task.lives):
        path = task.folder / f"{task.number}-{life}"
        if not path.exists():
            path.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    return task.number


def repeated(task: Deadly) -> Deadly:
    return task


def process_of(_number: int) -> int:
    return os.getpid()


def path_of(_number: int) -> list[str]:
    """Import something that no process has imported before, and return where it looks."""
    import wave

    return [*sys.path, str(wave.__file__)]


def divide(number: int) -> int:
    return 1 // number


def refuse(number: int) -> int:
    raise NotationError("no number", got=f"'{number}'", expected="another")


@dataclass(frozen=True)
class Waiting:
    """A task that waits for a file."""

    number: int
    folder: Path


def waited(task: Waiting) -> int:
    """Say which process runs the task, and return its number once the file `go` is there."""
    (task.folder / f"{task.number}-{os.getpid()}").touch()
    while not (task.folder / "go").exists():
        time.sleep(0.05)
    return task.number
