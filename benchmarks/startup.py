"""How long Plyboard takes to start: the command, the import, the first compile, the cached one.

Every figure is the wall time of a whole new process, the interpreter's own start included. The
compile times begin with an empty folder for compiled code (`PLYBOARD_CACHE`). Exit code 1:
something did not run.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from statistics import median

from asking import natural, progress
from rich import box
from rich.console import Console
from rich.table import Table

from plyboard.games import GAMES
from plyboard.kernel import jit_is_on

MOST_COMPILES = 3  # rounds of compiling, which takes seconds, however many rounds are asked for

COMMANDS = {
    "`python -c pass`, for comparison": ("-c", "pass"),
    "`import plyboard.games`": ("-c", "import plyboard.games"),
    "`plyboard --help`": ("-m", "plyboard", "--help"),
}
LOOPS = {
    "perft": "from plyboard.search.counting.perft import perft; perft(Position({game!r}), 1)",
    "playouts": (
        "from plyboard.search.counting.playout import playouts; playouts(Position({game!r}), 1)"
    ),
}


class StartError(Exception):
    """A process that did not end well."""


@dataclass(frozen=True)
class Start:
    """The median wall time of some new processes, in seconds."""

    what: str
    seconds: float
    runs: int


@dataclass(frozen=True)
class Compile:
    """Median seconds to the first answer of a new process, before and after it was compiled."""

    game: str
    loop: str
    first: float
    cached: float
    runs: int


def seconds_of(arguments: Sequence[str], cache: str | None = None) -> float:
    """Return the wall time of Python run with these arguments."""
    environment = dict(os.environ)
    if cache is not None:
        environment["PLYBOARD_CACHE"] = cache
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, env=environment
    )
    seconds = time.perf_counter() - start
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise StartError(f"python {' '.join(arguments)}: exit code {done.returncode}: {last}")
    return seconds


def starts(rounds: int) -> Iterator[Start]:
    """Yield the time of each command; the first run, which may find a cold disk, is left out."""
    for what, arguments in COMMANDS.items():
        progress(f"{what}: {rounds} runs")
        seconds_of(arguments)
        yield Start(what, median(seconds_of(arguments) for _ in range(rounds)), rounds)


def compiles(rounds: int) -> Iterator[Compile]:
    """Yield for each game and loop the time to the first answer, first and cached."""
    runs = min(rounds, MOST_COMPILES)
    for kind in GAMES:
        for loop, code in LOOPS.items():
            progress(f"{loop} of {kind.name}: compiled {runs} times")
            script = "from plyboard.games import Position; " + code.format(game=kind.name)
            first, cached = [], []
            for _ in range(runs):
                with tempfile.TemporaryDirectory() as folder:
                    first.append(seconds_of(("-c", script), folder))
                    cached.append(seconds_of(("-c", script), folder))
            yield Compile(kind.name, loop, median(first), median(cached), runs)


def show(commands: Sequence[Start], loops: Sequence[Compile]) -> None:
    """Print both tables as Markdown."""
    console = Console(width=120)
    table = Table("new process", "milliseconds", "median of", box=box.MARKDOWN)
    for start in commands:
        table.add_row(start.what, f"{1000 * start.seconds:.0f}", str(start.runs))
    console.print(table)
    table = Table(
        "game", "loop", "first, seconds", "cached, seconds", "median of", box=box.MARKDOWN
    )
    for row in loops:
        table.add_row(row.game, row.loop, f"{row.first:.2f}", f"{row.cached:.2f}", str(row.runs))
    console.print(table)


def as_json(commands: Sequence[Start], loops: Sequence[Compile]) -> str:
    """Return all figures."""
    figures = {"starts": [asdict(row) for row in commands], "loops": [asdict(row) for row in loops]}
    return json.dumps(figures, indent=2)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument(
        "--rounds",
        type=natural,
        default=10,
        help=f"runs of each command (default 10); compiles run {MOST_COMPILES} times at most",
    )
    options = parser.parse_args()
    if not jit_is_on():
        print("error: PLYBOARD_JIT is off; unset it to measure compiling", file=sys.stderr)
        return 2
    try:
        commands = list(starts(options.rounds))
        loops = list(compiles(options.rounds))
    except StartError as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    print(as_json(commands, loops)) if options.json else show(commands, loops)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
