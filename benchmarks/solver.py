"""The perfect Connect Four solver in Plyboard and in BitBully, on published positions.

Both solve each position of four sets in turn, in one thread, without a book and with an emptied
table, and have to find the published score. Emptying BitBully's table sweeps the processor's
caches, so each solves another small position before the clock starts. `--threads` measures two
threads of ours against one instead. Exit code 1: a target was missed or a score is wrong; 2:
something is not installed.
"""

from __future__ import annotations

import argparse
import importlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod
from pathlib import Path
from statistics import median

from asking import natural, progress, stop
from rich import box
from rich.console import Console
from rich.table import Table

from plyboard.games import Position
from plyboard.kernel import jit_is_on
from plyboard.search.solver.solver import Solver

DATA = Path(__file__).parent.parent / "tests" / "data" / "connect_four"
SETS = {"L3_R1": 500, "L2_R1": 500, "L1_R1": 500, "L1_R3": 24}  # positions measured
WITH_THREADS = 8  # positions of the hardest set measured with --threads
ROUNDS, QUICK = 2, 0.05  # a position solved in so many seconds is solved so often; the best counts
LONG = 1.0  # seconds with one thread from which on a position counts for --threads
WARM_UP, WARM_UPS = "2252576253462244111563365343671351441", 3  # a small position, and how often
ALL_SETS, EACH_SET = 2.0, 1.0  # targets, as ratios
MEBIBYTES = 64

Solve = Callable[[str], tuple[int, float]]  # from moves to the score and the seconds it took


@dataclass(frozen=True)
class Case:
    """A position, as the columns that led to it, and its score."""

    moves: str
    score: int


def cases(name: str, count: int) -> list[Case]:
    """Return the first positions of a set."""
    pairs = (line.split() for line in (DATA / f"Test_{name}").read_text().splitlines())
    return [Case(moves, int(score)) for moves, score in pairs][:count]


def plyboard(threads: int = 1) -> Solve:
    """Return our solver; it empties its table itself, which is part of the time."""
    solver = Solver(mebibytes=MEBIBYTES, threads=threads)
    solver.solve(Position("connect-four").play(*"444444"))  # compiles and takes the memory
    small = Position("connect-four").play(*WARM_UP)

    def solve(moves: str) -> tuple[int, float]:
        position = Position("connect-four").play(*moves)
        for _ in range(WARM_UPS):
            solver.solve(small)
        start = time.perf_counter()
        score = solver.solve(position).score
        return score, time.perf_counter() - start

    return solve


def bitbully() -> Solve:
    """Return BitBully's solver; its table is emptied before the clock starts."""
    try:
        bitbully_core = importlib.import_module("bitbully.bitbully_core")
    except ImportError:
        stop("BitBully is not installed: pip install -r benchmarks/requirements.txt")
    solver, small = bitbully_core.BitBullyCore(), bitbully_core.BoardCore()
    small.setBoard([int(move) - 1 for move in WARM_UP])

    def solve(moves: str) -> tuple[int, float]:
        board = bitbully_core.BoardCore()
        board.setBoard([int(move) - 1 for move in moves])
        solver.resetTranspositionTable()
        for _ in range(WARM_UPS):
            solver.mtdf(small, 0)
        start = time.perf_counter()
        score = solver.mtdf(board, 0)
        return score, time.perf_counter() - start

    return solve


@dataclass(frozen=True)
class Line:
    """One set: the seconds of both, position by position, and who was wrong how often."""

    name: str
    ours: list[float]
    theirs: list[float]
    our_misses: int
    their_misses: int

    @property
    def ratio(self) -> float:
        """How many times as fast we are over the whole set."""
        return sum(self.theirs) / sum(self.ours)

    @property
    def misses(self) -> int:
        return self.our_misses + self.their_misses


def measure(name: str, some: Sequence[Case], ours: Solve, theirs: Solve) -> Line:
    """Let both solve each position, one after the other; who begins changes with each."""
    seconds: dict[Solve, list[float]] = {ours: [], theirs: []}
    misses = {ours: 0, theirs: 0}
    said = 0.0
    for index, case in enumerate(some):
        if time.perf_counter() > said + 1:
            progress(f"{name}: position {index + 1} of {len(some)}")
            said = time.perf_counter()
        best = dict.fromkeys(seconds, float("inf"))
        for turn in range(ROUNDS):
            for solve in (ours, theirs) if (index + turn) % 2 == 0 else (theirs, ours):
                score, took = solve(case.moves)
                best[solve] = min(best[solve], took)
                misses[solve] += turn == 0 and score != case.score
            if max(best.values()) > QUICK:
                break
        for solve, took in best.items():
            seconds[solve].append(took)
    return Line(name, seconds[ours], seconds[theirs], misses[ours], misses[theirs])


def geometric_mean(ratios: Sequence[float]) -> float:
    return float(prod(ratios) ** (1 / len(ratios)))


def spoken(seconds: float) -> str:
    """Return a time with three digits and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def show(lines: Sequence[Line], heads: tuple[str, str]) -> None:
    """Print the table."""
    table = Table(box=box.MARKDOWN)
    for head in ("set", "positions", *heads, f"{heads[0]} is", "position from - to", "misses"):
        table.add_column(head, no_wrap=True, justify="left" if head == "set" else "right")
    for line in lines:
        each = [theirs / ours for ours, theirs in zip(line.ours, line.theirs, strict=True)]
        table.add_row(
            line.name,
            str(len(line.ours)),
            spoken(sum(line.ours) / len(line.ours)),
            spoken(sum(line.theirs) / len(line.theirs)),
            f"{line.ratio:.2f} x",
            f"{min(each):.2f} - {max(each):.2f}",
            str(line.misses),
        )
    Console(width=120).print(table)


def compete(options: argparse.Namespace) -> int:
    """Measure us against BitBully on the four sets."""
    theirs = bitbully()
    progress("compiling")
    ours = plyboard()
    lines = []
    for name, count in SETS.items():
        lines.append(measure(name, cases(name, options.positions or count), ours, theirs))
    mean = geometric_mean([line.ratio for line in lines])
    failed = mean < ALL_SETS or any(line.ratio < EACH_SET or line.misses for line in lines)
    if options.json:
        report = {"sets": figures(lines), "geometric_mean": mean, "failed": failed}
        print(json.dumps(report, indent=2))
    else:
        show(lines, ("Plyboard", "BitBully"))
        print(
            f"geometric mean {mean:.2f} x; targets: {ALL_SETS:g}, and {EACH_SET:g} on each set;",
            end=" ",
        )
        print("missed" if failed else "met")
    return int(failed)


def compare_threads(options: argparse.Namespace) -> int:
    """Measure two threads against one on positions that take long."""
    progress("compiling")
    one, two, wanted = plyboard(), plyboard(threads=2), options.positions or WITH_THREADS
    lasting = Line("L1_R3", [], [], 0, 0)
    for case in cases("L1_R3", 200):
        score, alone = one(case.moves)
        if alone <= LONG:
            continue
        found, together = two(case.moves)
        progress(f"{case.moves}: {spoken(alone)} with one thread, {spoken(together)} with two")
        lasting.ours.append(together)
        lasting.theirs.append(alone)
        if score != case.score or found != case.score:
            stop(f"wrong score of {case.moves}: {score} and {found} for {case.score}", code=1)
        if len(lasting.ours) == wanted:
            break
    if options.json:
        print(json.dumps({"threads": figures([lasting])}, indent=2))
    else:
        show([lasting], ("2 threads", "1 thread"))
    return 0


def figures(lines: Sequence[Line]) -> list[dict[str, object]]:
    """Return all that was measured."""
    return [
        {
            **vars(line),
            "ratio": line.ratio,
            "our_median": median(line.ours),
            "their_median": median(line.theirs),
        }
        for line in lines
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument(
        "--positions", type=natural, help="of each set (default: all, 24 of the hardest)"
    )
    parser.add_argument(
        "--threads", action="store_true", help="two threads against one, on long positions"
    )
    options = parser.parse_args()
    if not jit_is_on():
        stop("PLYBOARD_JIT is off; unset it to measure compiled search")
    return compare_threads(options) if options.threads else compete(options)


if __name__ == "__main__":
    raise SystemExit(main())
