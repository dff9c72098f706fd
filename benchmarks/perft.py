"""Perft of each game, compiled and as plain Python.

Counts move sequences from the start of each game: compiled in this process, as plain Python in
another one with `PLYBOARD_JIT=off` and at a smaller depth, at which both have to find the same
number. Exit code 1: a target was missed or the counts differ.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from asking import natural, progress
from rich import box
from rich.console import Console
from rich.table import Table

from plyboard.games import Position
from plyboard.kernel import jit_is_on
from plyboard.search.counting.perft import perft

TARGET = 100.0


@dataclass(frozen=True)
class Case:
    """A game, and the depths that take each side between a tenth of a second and a second."""

    game: str
    depth: int
    plain_depth: int


CASES = (
    Case("connect-four", depth=10, plain_depth=6),
    Case("conniption", depth=6, plain_depth=4),
    Case("extended", depth=9, plain_depth=6),
    Case("squatter", depth=6, plain_depth=4),
)


@dataclass(frozen=True)
class Count:
    """How many sequences were found, and the time it took."""

    leaves: int
    seconds: float

    @property
    def speed(self) -> float:
        """Leaves per second."""
        return self.leaves / self.seconds


def timed(game: str, depth: int) -> Count:
    """Count in this process, compiled unless the JIT is off."""
    position = Position(game)
    perft(position, 1)  # compiles
    start = time.perf_counter()
    leaves = perft(position, depth)
    return Count(leaves, time.perf_counter() - start)


def timed_plain(game: str, depth: int) -> Count:
    """Count as plain Python, in a process of its own."""
    run = [sys.executable, str(Path(__file__).resolve()), "--count", game, str(depth)]
    environment = {**os.environ, "PLYBOARD_JIT": "off"}
    said = subprocess.run(run, check=True, capture_output=True, text=True, env=environment).stdout
    leaves, seconds = said.split()
    return Count(int(leaves), float(seconds))


@dataclass(frozen=True)
class Line:
    """One line of the table; speeds are leaves per second, the ratio is taken round by round."""

    game: str
    depth: int
    compiled: float
    plain_depth: int
    plain: float
    ratio: float
    lowest: float
    highest: float
    counts_agree: bool

    @property
    def failed(self) -> bool:
        return not self.counts_agree or self.ratio < TARGET

    @property
    def verdict(self) -> str:
        if not self.counts_agree:
            return "the counts differ"
        return f"at least {TARGET:g}: {'missed' if self.failed else 'met'}"


def measure(case: Case, rounds: int) -> Line:
    """Return the line of one game; both sides take turns."""
    compiled, plain = [], []
    for _ in range(rounds):
        compiled.append(timed(case.game, case.depth))
        plain.append(timed_plain(case.game, case.plain_depth))
    ratios = [fast.speed / slow.speed for fast, slow in zip(compiled, plain, strict=True)]
    check = timed(case.game, case.plain_depth).leaves
    return Line(
        game=case.game,
        depth=case.depth,
        compiled=median(count.speed for count in compiled),
        plain_depth=case.plain_depth,
        plain=median(count.speed for count in plain),
        ratio=median(ratios),
        lowest=min(ratios),
        highest=max(ratios),
        counts_agree=all(count.leaves == check for count in plain),
    )


def show(lines: Sequence[Line]) -> None:
    """Print the table."""
    table = Table(box=box.MARKDOWN)
    for head in ("game", "depth", "million leaves/s", "JIT off: depth", "million leaves/s"):
        table.add_column(head, no_wrap=True, justify="left" if head == "game" else "right")
    table.add_column("compiled is", no_wrap=True, justify="right")
    table.add_column("rounds from - to", no_wrap=True)
    table.add_column("target", no_wrap=True)
    for line in lines:
        table.add_row(
            line.game,
            str(line.depth),
            f"{line.compiled / 1e6:.1f}",
            str(line.plain_depth),
            f"{line.plain / 1e6:.3f}",
            f"{line.ratio:.0f} x",
            f"{line.lowest:.0f} - {line.highest:.0f}",
            line.verdict,
        )
    Console(width=160).print(table)


def as_json(lines: Sequence[Line], rounds: int) -> str:
    """Return all figures."""
    figures = [{**vars(line), "failed": line.failed} for line in lines]
    return json.dumps({"rounds": rounds, "target": TARGET, "games": figures}, indent=2)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--rounds", type=natural, default=5, help="turns each takes (default 5)")
    parser.add_argument("--count", nargs=2, metavar=("GAME", "DEPTH"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.count:  # the other process: one count, for the first one to read
        game, depth = options.count
        count = timed(game, int(depth))
        print(count.leaves, count.seconds)
        return 0
    if not jit_is_on():
        print("error: PLYBOARD_JIT is off; unset it to compare both", file=sys.stderr)
        return 2
    lines = []
    for number, case in enumerate(CASES, 1):
        progress(f"{case.game}: game {number} of {len(CASES)}, {options.rounds} rounds")
        lines.append(measure(case, options.rounds))
    print(as_json(lines, options.rounds)) if options.json else show(lines)
    return int(any(line.failed for line in lines))


if __name__ == "__main__":
    raise SystemExit(main())
