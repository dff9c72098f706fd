"""Whether Ctrl-C ends a command at any moment while it compiles.

Each run starts a command with an empty folder for compiled code and sends SIGINT at a random moment
of the time that the command takes. It has to end with 130, or to be done by then. Exit code 1: a
run went on, or ended with another code.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from asking import natural, progress
from rich import box
from rich.console import Console
from rich.table import Table

from plyboard.kernel import jit_is_on

COMMANDS = (
    ("perft", "connect-four", "5"),
    ("perft", "squatter", "2", "--complete"),
    ("perft", "conniption", "2", "--unique"),
    ("solve", "connect-four:columns=5,rows=4", "--no-book"),
    ("tree", "startpos", "--game", "connect-four", "--depth", "2"),
    ("analyse", "connect-four", "--depth", "4"),
    ("play", "connect-four", "--me", "mcts:simulations=50", "--opponent", "engine:depth=2"),
    ("play", "squatter", "--me", "engine:depth=1", "--opponent", "random"),
    ("engine", "position startpos", "go nodes 1000"),
    ("warm", "connect-four:columns=4,rows=4"),
)
INTERRUPTED = 130
SECONDS_TO_END = 1.0  # a command that takes longer to end with 0 has not heard the signal
PATIENCE = 60.0


@dataclass(frozen=True)
class Run:
    """A command that was interrupted so many seconds after it began to listen for signals."""

    command: str
    moment: float
    code: int
    seconds: float  # from the signal to the end
    error: str

    @property
    def verdict(self) -> str:
        """What became of it."""
        if self.code in (INTERRUPTED, -signal.SIGINT):  # the latter while the interpreter ends
            return "interrupted"
        if self.code == 0:
            return "done before" if self.seconds < SECONDS_TO_END else "went on"
        return f"ended with {self.code}"

    @property
    def is_right(self) -> bool:
        """Tell whether Ctrl-C did what it should."""
        return self.verdict in ("interrupted", "done before")


@contextmanager
def started(command: tuple[str, ...]) -> Iterator[subprocess.Popen[str]]:
    """Start a command with an empty cache, and give it once it listens for signals."""
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen(
            [sys.executable, "-m", "plyboard", *command],
            env=os.environ | {"PLYBOARD_CACHE": f"{folder}/code"},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            while process.poll() is None and not listens(process.pid):
                time.sleep(0.001)
            yield process
        finally:
            process.kill()
            process.wait()


def listens(process: int) -> bool:
    """Tell whether a process handles SIGTERM itself, which is the first thing the command does."""
    status = Path(f"/proc/{process}/status").read_text()
    caught = re.search(r"SigCgt:\t([0-9a-f]+)", status)
    return caught is not None and int(caught[1], 16) >> (signal.SIGTERM - 1) & 1 == 1


def whole_time(command: tuple[str, ...]) -> float:
    """Return how long a command takes when nobody interrupts it."""
    with started(command) as process:
        began = time.perf_counter()
        _, error = process.communicate()
        if process.returncode:
            raise SystemExit(f"{' '.join(command)}: {error}")
        return time.perf_counter() - began


def interrupted(command: tuple[str, ...], moment: float) -> Run:
    """Return what comes of a command that is interrupted at a moment."""
    with started(command) as process:
        time.sleep(moment)
        process.send_signal(signal.SIGINT)
        began = time.perf_counter()
        try:
            _, error = process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            _, error = process.communicate()
        seconds = time.perf_counter() - began
        return Run(" ".join(command), moment, process.returncode, seconds, error[-300:])


def main() -> int:
    """Interrupt commands, and print what became of them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=natural, default=120)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    if not jit_is_on():
        print("the JIT is off: nothing to interrupt", file=sys.stderr)
        return 2
    chance = random.Random(given.seed)
    times: dict[tuple[str, ...], float] = {}
    runs = []
    for number in range(given.runs):
        command = COMMANDS[number % len(COMMANDS)]
        progress(f"run {number + 1} of {given.runs}: plyboard {' '.join(command)}")
        if command not in times:
            times[command] = whole_time(command)
        runs.append(interrupted(command, chance.uniform(0, times[command])))
    report(runs, as_json=given.json)
    return 0 if all(run.is_right for run in runs) else 1


def report(runs: list[Run], *, as_json: bool) -> None:
    """Print the runs as JSON, or how many of each command ended how."""
    if as_json:
        print(json.dumps([asdict(run) | {"verdict": run.verdict} for run in runs], indent=2))
        return
    counts = Counter((run.command, run.verdict) for run in runs)
    table = Table("command", "result", "runs", box=box.MARKDOWN)
    for (command, verdict), count in sorted(counts.items()):
        table.add_row(command, verdict, str(count))
    Console(width=120).print(table)
    for run in runs:
        if not run.is_right:
            print(f"{run.verdict} {run.seconds:.1f} s after {run.moment:.3f} s: {run.command}")
            print(run.error)


if __name__ == "__main__":
    sys.exit(main())
