"""Alpha-beta of each game: nodes a second compiled and as plain Python, one thread and two.

Searches a middle position of each game with our best evaluation. The plain search runs in another
process with `PLYBOARD_JIT=off` and fewer nodes, within which both have to choose the same move.
Threads are measured by the time to one depth. Exit code 1: a target was missed or choices differ.
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

from asking import natural
from rich import box
from rich.console import Console
from rich.table import Table

from plyboard.evaluate import best_evaluation
from plyboard.games import Position
from plyboard.kernel import jit_is_on
from plyboard.search.alpha_beta.iterative_deepening import deepen
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice

TARGET = 100.0
NODES, PLAIN_NODES = 2_000_000, 4_000


@dataclass(frozen=True)
class Case:
    """A position, and the depth to which one thread needs a second or two."""

    position: str
    depth: int


CASES = (
    Case("connect-four 4 4 4 4", 17),
    Case("conniption:flips=1 4 4", 13),
    Case("extended 3 4 4 3 5", 15),
    Case("squatter a1 f6 c3", 10),
)


def search(text: str, budget: Budget, threads: int = 1) -> Choice:
    """Search a position once."""
    position = Position.read(text)
    return deepen(position, best_evaluation(position.game), budget, 64, threads)


def timed_plain(text: str) -> tuple[int, int, float]:
    """Search as plain Python in a process of its own; return action, nodes, seconds."""
    run = [sys.executable, str(Path(__file__).resolve()), "--search", text]
    environment = {**os.environ, "PLYBOARD_JIT": "off"}
    said = subprocess.run(run, check=True, capture_output=True, text=True, env=environment).stdout
    action, nodes, seconds = said.split()
    return int(action), int(nodes), float(seconds)


@dataclass(frozen=True)
class Line:
    """One line of the table; ratios are taken round by round."""

    position: str
    speed: float
    plain: float
    ratio: float
    depth: int
    one: float
    two: float
    threads: float
    same_choice: bool

    @property
    def failed(self) -> bool:
        return not self.same_choice or self.ratio < TARGET


def seconds_to(case: Case, threads: int) -> float:
    began = time.perf_counter()
    search(case.position, Budget(depth=case.depth), threads)
    return time.perf_counter() - began


def measure(case: Case, rounds: int) -> Line:
    """Return the line of one position; both sides take turns."""
    search(case.position, Budget(depth=1))  # compiles
    fast, slow, one, two, same = [], [], [], [], True
    small = search(case.position, Budget(nodes=PLAIN_NODES))
    for _ in range(rounds):
        told = search(case.position, Budget(nodes=NODES))
        fast.append(told.nodes / told.seconds)
        action, nodes, seconds = timed_plain(case.position)
        slow.append(nodes / seconds)
        same = same and (action, nodes) == (small.action, small.nodes)
        one.append(seconds_to(case, 1))
        two.append(seconds_to(case, 2))
    return Line(
        case.position, median(fast), median(slow),
        median(a / b for a, b in zip(fast, slow, strict=True)), case.depth,
        median(one), median(two), median(a / b for a, b in zip(one, two, strict=True)), same,
    )  # fmt: skip


def show(lines: Sequence[Line]) -> None:
    """Print the table."""
    table = Table(box=box.MARKDOWN)
    heads = ("position", "million nodes/s", "JIT off", "compiled is", "target", "depth",
             "one thread", "two", "two are")  # fmt: skip
    for head in heads:
        table.add_column(head, no_wrap=True, justify="left" if head == "position" else "right")
    for line in lines:
        verdict = "choices differ" if not line.same_choice else "missed" if line.failed else "met"
        table.add_row(
            line.position, f"{line.speed / 1e6:.2f}", f"{line.plain / 1e6:.4f}",
            f"{line.ratio:.0f} x", f"at least {TARGET:g}: {verdict}", str(line.depth),
            f"{line.one:.2f} s", f"{line.two:.2f} s", f"{line.threads:.2f} x",
        )  # fmt: skip
    Console(width=180).print(table)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--rounds", type=natural, default=3, help="turns each takes (default 3)")
    parser.add_argument("--search", metavar="POSITION", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.search:  # the other process: one search, for the first one to read
        told = search(options.search, Budget(nodes=PLAIN_NODES))
        print(told.action, told.nodes, told.seconds)
        return 0
    if not jit_is_on():
        print("error: PLYBOARD_JIT is off; unset it to compare both", file=sys.stderr)
        return 2
    lines = []
    for case in CASES:
        print(f"{case.position}: {options.rounds} rounds", file=sys.stderr, flush=True)
        lines.append(measure(case, options.rounds))
    if options.json:
        figures = [{**vars(line), "failed": line.failed} for line in lines]
        print(json.dumps({"rounds": options.rounds, "target": TARGET, "lines": figures}, indent=2))
    else:
        show(lines)
    return int(any(line.failed for line in lines))


if __name__ == "__main__":
    raise SystemExit(main())
