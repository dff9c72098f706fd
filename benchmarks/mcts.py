"""Monte Carlo tree search of Connect Four in Plyboard and in OpenSpiel's C++.

Both search the empty board of 7 columns by 6 rows by UCT with one random game for each new leaf,
the same number of simulations, turn by turn in the same run. Exit code 1: a target was missed, or
somebody did another number of simulations; 2: something is not installed.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from statistics import median

from asking import natural, progress, stop
from rich import box
from rich.console import Console
from rich.table import Table

from plyboard.games import Position
from plyboard.kernel import jit_is_on
from plyboard.search.common.budget import Budget
from plyboard.search.mcts.uct import Uct, UctSettings

AS_FAST_AS_OPEN_SPIEL = 5.0  # the target, as a ratio
EXPLORATION = 1.0  # the weight of exploration, for both
MEBIBYTES = 512  # enough for every node of both


@dataclass(frozen=True)
class Search:
    """What came of one search: how many simulations, how long, and the column from 1."""

    simulations: int
    seconds: float
    column: int

    @property
    def speed(self) -> float:
        """Simulations per second."""
        return self.simulations / self.seconds


@dataclass(frozen=True)
class Contestant:
    """Somebody who searches: told how many simulations, and a seed."""

    name: str
    search: Callable[[int, int], Search]
    target: float | None = None  # how many times as fast Plyboard has to be


def plyboard(threads: int) -> Callable[[int, int], Search]:
    """Return a searcher of ours."""
    position = Position("connect-four")
    uct = Uct(UctSettings(MEBIBYTES, threads, EXPLORATION))

    def search(simulations: int, seed: int) -> Search:
        start = time.perf_counter()
        choice = uct.search(position, Budget(simulations=simulations, seed=seed))
        return Search(choice.simulations, time.perf_counter() - start, choice.action + 1)

    return search


def open_spiel() -> Callable[[int, int], Search]:
    """Return OpenSpiel's searcher, which is C++ all through; it proves wins as ours does."""
    try:
        import pyspiel
    except ImportError:
        stop("OpenSpiel is not installed: pip install -r benchmarks/requirements.txt")
    game = pyspiel.load_game("connect_four")

    def search(simulations: int, seed: int) -> Search:
        evaluator = pyspiel.RandomRolloutEvaluator(1, seed)
        bot = pyspiel.MCTSBot(
            game, evaluator, EXPLORATION, simulations, MEBIBYTES, True, seed, False
        )
        state = game.new_initial_state()
        start = time.perf_counter()
        root = bot.mcts_search(state)
        seconds = time.perf_counter() - start
        return Search(root.explore_count, seconds, root.best_child().action + 1)

    return search


def compete(contestants: Sequence[Contestant], rounds: int, simulations: int) -> list[list[Search]]:
    """Return what each of them did, round by round; they take turns within a round."""
    progress("compiling")
    for contestant in contestants:
        contestant.search(10, 0)  # compiles, and loads what has to be loaded
    found: list[list[Search]] = [[] for _ in contestants]
    for index in range(rounds):
        progress(f"round {index + 1} of {rounds}")
        for contestant, searches in zip(contestants, found, strict=True):
            searches.append(contestant.search(simulations, index + 1))
    return found


@dataclass(frozen=True)
class Line:
    """One line of the table. The ratio is how many times as fast Plyboard is, round by round."""

    name: str
    simulations_per_second: float
    ratio: float
    lowest: float
    highest: float
    target: float | None
    columns: list[int]
    did_all: bool

    @property
    def failed(self) -> bool:
        return not self.did_all or (self.target is not None and self.ratio < self.target)

    @property
    def verdict(self) -> str:
        if not self.did_all:
            return "did another number of simulations"
        if self.target is None:
            return ""
        return f"at least {self.target:g}: {'missed' if self.failed else 'met'}"


def compare(
    contestant: Contestant, found: list[Search], against: list[Search], simulations: int
) -> Line:
    """Return the line of a contestant, given what it and Plyboard did."""
    ratios = [one.speed / other.speed for one, other in zip(against, found, strict=True)]
    return Line(
        name=contestant.name,
        simulations_per_second=median(search.speed for search in found),
        ratio=median(ratios),
        lowest=min(ratios),
        highest=max(ratios),
        target=contestant.target,
        columns=sorted({search.column for search in found}),
        did_all=all(search.simulations == simulations for search in found),
    )


def show(lines: Sequence[Line]) -> None:
    """Print the table."""
    table = Table(box=box.MARKDOWN)
    for head in ("searches of", "thousand simulations/s", "Plyboard is", "rounds from - to"):
        table.add_column(head, no_wrap=True, justify="left" if head[0] == "s" else "right")
    for head in ("target", "columns chosen"):
        table.add_column(head, no_wrap=True)
    for line in lines:
        ours = line is lines[0]
        table.add_row(
            line.name,
            f"{line.simulations_per_second / 1e3:.0f}",
            "" if ours else f"{line.ratio:.2f} x",
            "" if ours else f"{line.lowest:.2f} - {line.highest:.2f}",
            line.verdict,
            ", ".join(map(str, line.columns)),
        )
    Console(width=140).print(table)


def as_json(lines: Sequence[Line], rounds: int, simulations: int) -> str:
    """Return all figures."""
    figures = [{**asdict(line), "failed": line.failed} for line in lines]
    return json.dumps(
        {"rounds": rounds, "simulations": simulations, "contestants": figures}, indent=2
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--rounds", type=natural, default=9, help="turns each takes (default 9)")
    parser.add_argument(
        "--simulations", type=natural, default=50_000, help="of each search (default 50000)"
    )
    options = parser.parse_args()
    if not jit_is_on():
        stop("PLYBOARD_JIT is off; unset it to measure compiled searches")
    contestants = [
        Contestant("Plyboard", plyboard(1)),
        Contestant("Plyboard with two threads", plyboard(2)),
        Contestant("OpenSpiel, C++", open_spiel(), AS_FAST_AS_OPEN_SPIEL),
    ]
    found = compete(contestants, options.rounds, options.simulations)
    lines = [
        compare(who, what, found[0], options.simulations)
        for who, what in zip(contestants, found, strict=True)
    ]
    if options.json:
        print(as_json(lines, options.rounds, options.simulations))
    else:
        show(lines)
    return int(any(line.failed for line in lines))


if __name__ == "__main__":
    raise SystemExit(main())
