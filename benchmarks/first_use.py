"""How long a first use takes: from the start of a process to its first answer, cold and warm.

Cold is an empty folder for compiled code (`PLYBOARD_CACHE`), warm the second run with that folder.
With `--before` the same is measured of another checkout, in turns, and the ratio is shown. The
processor time is that of the process and of the children that it has waited for; a process that
compiles for later is not among them. On a busy machine look at the processor time, and at ratios.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from asking import progress
from rich import box
from rich.console import Console
from rich.table import Table

SOURCE = Path(__file__).parents[1] / "src"
COLUMNS = "\n".join(("e", "e", "a", "ab", "b", "e", "e", ""))
REPLY = """
from plyboard import Budget, Position, open_bot
position = Position({game!r})
with open_bot("engine:level={level}", position.game) as bot:
    print(bot.think(position, Budget(seed=1)).action, flush=True)
"""
COMMANDS: dict[str, tuple[str, ...]] = {
    "--version": ("--version",),
    "--help": ("--help",),
    "show connect-four 4455": ("show", "connect-four", "4455"),
    "tree": ("tree", "-"),
    "perft squatter 3": ("perft", "squatter", "3"),
    "convert": ("convert", "-", "--from", "alice-bill", "--to", "position"),
    "analyse connect-four 4455 --depth 6": ("analyse", "connect-four", "4455", "--depth", "6"),
    "analyse conniption --depth 3": ("analyse", "conniption", "--depth", "3"),
    "analyse extended --depth 4": ("analyse", "extended", "--depth", "4"),
    "analyse squatter --depth 4": ("analyse", "squatter", "--depth", "4"),
}
REPLIES = (("connect-four", 8), ("conniption", 8), ("extended", 8), ("squatter", 8))
PATIENCE = 300.0  # seconds


class StartError(Exception):
    """A process that did not end well."""


@dataclass(frozen=True)
class Use:
    """The processor and wall time of one run, in seconds."""

    processor: float
    wall: float


@dataclass(frozen=True)
class Row:
    """The uses of one command, and its processor and wall time relative to another checkout."""

    what: str
    cold: Use
    warm: Use
    cold_before: Use | None = None
    warm_before: Use | None = None


def used(arguments: tuple[str, ...], source: Path, cache: str) -> Use:
    """Run Python until it ends, and return what that took."""
    return _measured(source, cache, lambda environment: _run(arguments, environment))


def served(source: Path, cache: str) -> Use:
    """Start the server, and end it when it says where it is."""
    return _measured(source, cache, _serve)


def _measured(source: Path, cache: str, run: Callable[[dict[str, str]], None]) -> Use:
    environment = os.environ | {"PYTHONPATH": str(source), "PLYBOARD_CACHE": cache}
    environment.pop("PLYBOARD_JIT", None)
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    run(environment)
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Use(round(processor, 3), round(wall, 3))


def _run(arguments: tuple[str, ...], environment: dict[str, str]) -> None:
    done = subprocess.run(
        [sys.executable, *arguments], input=COLUMNS, env=environment, capture_output=True,
        text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["no message"])[-1]
        raise StartError(f"python {' '.join(arguments)}: exit code {done.returncode}: {last}")


def _serve(environment: dict[str, str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = str(Path(folder) / "games.db")
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "plyboard", "serve", "--port", "0", "--store", store],
            env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        assert process.stdout is not None
        with process.stdout:
            lines = iter(process.stdout.readline, "")
            told = next((line for line in lines if "http://" in line), None)
            process.terminate()
        process.wait(PATIENCE)
        if told is None:
            raise StartError("the server ended before it was ready")


def uses() -> Iterator[tuple[str, Callable[[Path, str], Use]]]:
    """Yield each command and the function that runs it from some sources with a cache."""
    for what, arguments in COMMANDS.items():
        yield what, partial(used, ("-m", "plyboard", *arguments))
    for game, level in REPLIES:
        script = REPLY.format(game=game, level=level)
        yield f"first reply of level {level}, {game}", partial(used, ("-c", script))
    yield "serve, until it is ready", served


def measure(before: Path | None) -> Iterator[Row]:
    """Yield the times of each command, of both checkouts in turns."""
    for what, run in uses():
        found: list[Use | None] = []
        for source in (SOURCE, before):
            progress(f"{what}: {'now' if source == SOURCE else 'before'}")
            with tempfile.TemporaryDirectory() as folder:
                found += [run(source, folder), run(source, folder)] if source else [None, None]
        cold, warm, *rest = found
        assert cold is not None
        assert warm is not None
        yield Row(what, cold, warm, *rest)


def show(rows: list[Row]) -> None:
    """Print a table as Markdown: processor and wall time, then the ratios of both."""
    table = Table(box=box.MARKDOWN)
    for head in ("from start to first answer", "cold, s", "warm, s", "cold ratio", "warm ratio"):
        table.add_column(head)
    for row in rows:
        table.add_row(
            row.what, _told(row.cold), _told(row.warm),
            _ratio(row.cold, row.cold_before), _ratio(row.warm, row.warm_before),
        )  # fmt: skip
    Console(width=120).print(table)


def _told(use: Use) -> str:
    return f"{use.processor:.2f} cpu, {use.wall:.2f}"


def _ratio(now: Use, before: Use | None) -> str:
    if before is None:
        return ""
    return f"{now.processor / before.processor:.2f} cpu, {now.wall / before.wall:.2f}"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument(
        "--before", type=Path, metavar="FOLDER", help="another checkout to compare with"
    )
    options = parser.parse_args()
    try:
        rows = list(measure(None if options.before is None else options.before / "src"))
    except StartError as failure:
        print(f"error: {failure}", file=sys.stderr)
        return 1
    print(json.dumps([asdict(row) for row in rows], indent=2)) if options.json else show(rows)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
