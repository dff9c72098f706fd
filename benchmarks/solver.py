"""The perfect Connect Four solver in Plyboard and in BitBully, on random or published positions.

Both solve each position in turn, in one thread, without a book and with an emptied table, and have
to find the stored score. Emptying BitBully's table sweeps the processor's caches, so each solves
another small position before the clock starts. `--published` measures the published sets,
`--threads` two threads of ours against one. Exit code 1: a target was missed or a score is wrong;
2: something is not installed.
"""

from __future__ import annotations

import argparse
import importlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, log, prod
from pathlib import Path
from statistics import fmean, median, pstdev

from asking import natural, progress, stop
from rich import box
from rich.console import Console
from rich.table import Table

from plyboard.games import Position
from plyboard.kernel import jit_is_on
from plyboard.search.solver.solver import Solver

DATA = Path(__file__).parent.parent / "tests" / "data" / "connect_four"
HALVES = ("tune", "report")  # of the random positions; targets hold for the second
TARGETS = {8: 4.0, 12: 3.0, 16: 3.0, 20: 3.0, 24: 3.0, 28: 2.0}  # ratios by plies played
SETS = {"L3_R1": 500, "L2_R1": 500, "L1_R1": 500, "L1_R3": 24}  # published positions measured
WITH_THREADS = 8  # positions of the hardest set measured with --threads
ROUNDS, QUICK = 2, 0.05  # a position solved in so many seconds is solved so often; the best counts
LONG = 1.0  # seconds with one thread from which on a position counts for --threads
WARM_UP, WARM_UPS = "2252576253462244111563365343671351441", 3  # a small position, and how often
ALL_SETS, EACH_SET = 2.0, 1.0  # targets, as ratios
MEBIBYTES = 64

Answer = tuple[int, float, int]  # the score, the seconds it took, the nodes
Solve = Callable[[str], Answer]  # from the moves of a position


@dataclass(frozen=True)
class Case:
    """A position, as the columns that led to it, and its score."""

    moves: str
    score: int


def cases(name: str) -> list[Case]:
    """Return the positions of a file."""
    pairs = (line.split() for line in (DATA / name).read_text().splitlines())
    return [Case(moves, int(score)) for moves, score in pairs]


def plyboard(threads: int = 1) -> Solve:
    """Return our solver; it empties its table itself, which is part of the time."""
    solver = Solver(mebibytes=MEBIBYTES, threads=threads)
    solver.solve(Position("connect-four").play(*"444444"))  # compiles and takes the memory
    small = Position("connect-four").play(*WARM_UP)

    def solve(moves: str) -> Answer:
        position = Position("connect-four").play(*moves)
        for _ in range(WARM_UPS):
            solver.solve(small)
        start = time.perf_counter()
        solution = solver.solve(position)
        return solution.score, time.perf_counter() - start, solution.nodes

    return solve


def bitbully(*, keep: bool = False) -> Solve:
    """Return BitBully's solver; its table is emptied before the clock starts, unless kept.

    Emptying it takes longer than most searches.
    """
    try:
        bitbully_core = importlib.import_module("bitbully.bitbully_core")
    except ImportError:
        stop("BitBully is not installed: pip install -r benchmarks/requirements.txt")
    solver, small = bitbully_core.BitBullyCore(), bitbully_core.BoardCore()
    small.setBoard([int(move) - 1 for move in WARM_UP])

    def solve(moves: str) -> Answer:
        board = bitbully_core.BoardCore()
        board.setBoard([int(move) - 1 for move in moves])
        if not keep:
            solver.resetTranspositionTable()
        for _ in range(WARM_UPS):
            solver.mtdf(small, 0)
        solver.resetNodeCounter()
        start = time.perf_counter()
        score = solver.mtdf(board, 0)
        return score, time.perf_counter() - start, solver.getNodeCounter()

    return solve


@dataclass(frozen=True)
class Line:
    """One set: the seconds and nodes of both, position by position, and their wrong scores."""

    name: str
    ours: list[float]
    theirs: list[float]
    our_nodes: list[int]
    their_nodes: list[int]
    our_misses: int
    their_misses: int

    @property
    def ratio(self) -> float:
        """How many times as fast we are over the whole set."""
        return sum(self.theirs) / sum(self.ours)

    @property
    def logarithms(self) -> list[float]:
        """The logarithm of the ratio of each position."""
        return [log(theirs / ours) for ours, theirs in zip(self.ours, self.theirs, strict=True)]

    @property
    def misses(self) -> int:
        return self.our_misses + self.their_misses


def measure(name: str, some: Sequence[Case], ours: Solve, theirs: Solve) -> Line:
    """Let both solve each position, one after the other; who begins changes with each."""
    seconds: dict[Solve, list[float]] = {ours: [], theirs: []}
    nodes: dict[Solve, list[int]] = {ours: [], theirs: []}
    misses = {ours: 0, theirs: 0}
    said = 0.0
    for index, case in enumerate(some):
        if time.perf_counter() > said + 1:
            progress(f"{name}: position {index + 1} of {len(some)}")
            said = time.perf_counter()
        best = dict.fromkeys(seconds, float("inf"))
        for turn in range(ROUNDS):
            for solve in (ours, theirs) if (index + turn) % 2 == 0 else (theirs, ours):
                score, took, visited = solve(case.moves)
                best[solve] = min(best[solve], took)
                if turn == 0:
                    nodes[solve].append(visited)
                    misses[solve] += score != case.score
            if max(best.values()) > QUICK:
                break
        for solve, took in best.items():
            seconds[solve].append(took)
    return Line(
        name, seconds[ours], seconds[theirs], nodes[ours], nodes[theirs],
        misses[ours], misses[theirs],
    )  # fmt: skip


def geometric_mean(ratios: Sequence[float]) -> float:
    return float(prod(ratios) ** (1 / len(ratios)))


def spoken(seconds: float) -> str:
    """Return a time with three digits and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e6:.3g} us"


def show(lines: Sequence[Line], heads: tuple[str, str]) -> None:
    """Print the table. The spread is the factor of one standard deviation."""
    table = Table(box=box.MARKDOWN)
    columns = ("nodes", "of sums", "of each", "spread", "from - to", "misses")
    for head in ("set", "positions", *heads, *columns):
        table.add_column(head, no_wrap=True, justify="left" if head == "set" else "right")
    for line in lines:
        each, nodes = line.logarithms, (line.our_nodes, line.their_nodes)
        table.add_row(
            line.name,
            str(len(line.ours)),
            spoken(fmean(line.ours)),
            spoken(fmean(line.theirs)),
            f"{fmean(nodes[0]):,.0f} : {fmean(nodes[1]):,.0f}",
            f"{line.ratio:.2f} x",
            f"{exp(fmean(each)):.2f} x",
            f"{exp(pstdev(each)):.2f}",
            f"{exp(min(each)):.2f} - {exp(max(each)):.2f}",
            str(line.misses),
        )
    Console(width=150).print(table)


def measure_random(
    options: argparse.Namespace, ours: Solve, theirs: Solve
) -> tuple[list[Line], bool]:
    """Measure the halves of the random positions, by plies; tell whether a target was missed."""
    lines, missed = list[Line](), False
    for half in [options.half] if options.half else HALVES:
        positions = cases(f"random_{half}")
        for plies, target in TARGETS.items():
            some = [case for case in positions if len(case.moves) == plies][: options.positions]
            line = measure(f"{half}, {plies} plies", some, ours, theirs)
            missed = missed or (half == "report" and line.ratio < target)
            lines.append(line)
    return lines, missed


def measure_published(
    options: argparse.Namespace, ours: Solve, theirs: Solve
) -> tuple[list[Line], bool]:
    """Measure the published sets; tell whether a target was missed."""
    lines = [
        measure(name, cases(f"Test_{name}")[: options.positions or count], ours, theirs)
        for name, count in SETS.items()
    ]
    mean = geometric_mean([line.ratio for line in lines])
    return lines, mean < ALL_SETS or any(line.ratio < EACH_SET for line in lines)


def compete(options: argparse.Namespace) -> int:
    """Measure us against BitBully."""
    theirs = bitbully()
    progress("compiling")
    kind = measure_published if options.published else measure_random
    lines, missed = kind(options, plyboard(), theirs)
    mean = geometric_mean([line.ratio for line in lines])
    failed = missed or any(line.misses for line in lines)
    if options.json:
        report = {"sets": figures(lines), "geometric_mean": mean, "failed": failed}
        print(json.dumps(report, indent=2))
    else:
        show(lines, ("Plyboard", "BitBully"))
        print(f"geometric mean of the ratios of sums {mean:.2f} x", end="")
        print("" if options.half == "tune" else f"; targets {'missed' if missed else 'met'}")
    return int(failed)


def compare_threads(options: argparse.Namespace) -> int:
    """Measure two threads against one on positions that take long."""
    progress("compiling")
    one, two, wanted = plyboard(), plyboard(threads=2), options.positions or WITH_THREADS
    lasting = Line("L1_R3", [], [], [], [], 0, 0)
    for case in cases("Test_L1_R3"):
        score, alone, nodes = one(case.moves)
        if alone <= LONG:
            continue
        found, together, shared = two(case.moves)
        progress(f"{case.moves}: {spoken(alone)} with one thread, {spoken(together)} with two")
        lasting.ours.append(together)
        lasting.theirs.append(alone)
        lasting.our_nodes.append(shared)
        lasting.their_nodes.append(nodes)
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
        "--positions", type=natural, help="of each set (default: all, 24 of the hardest published)"
    )
    parser.add_argument("--half", choices=HALVES, help="of the random positions (default: both)")
    parser.add_argument("--published", action="store_true", help="measure the published positions")
    parser.add_argument(
        "--threads", action="store_true", help="two threads against one, on long positions"
    )
    options = parser.parse_args()
    if not jit_is_on():
        stop("PLYBOARD_JIT is off; unset it to measure compiled search")
    return compare_threads(options) if options.threads else compete(options)


if __name__ == "__main__":
    raise SystemExit(main())
