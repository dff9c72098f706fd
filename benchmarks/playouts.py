"""Random games of Connect Four in Plyboard, in C and through OpenSpiel's Python API.

All play from the empty board of 7 columns by 6 rows, turn by turn in the same run, and have to
agree on how often the first player wins, draws and loses. Exit code 1: a target was missed or
they disagree; 2: something is not installed.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass
from math import sqrt
from pathlib import Path
from statistics import median

from asking import natural, progress, stop
from rich import box
from rich.console import Console
from rich.table import Table

from plyboard.games import Position
from plyboard.kernel import jit_is_on
from plyboard.search.counting.playout import playouts

SOURCE = Path(__file__).with_name("playouts.c")
COMPILER = os.environ.get("CC", "cc")
FLAGS = ("-O3", "-march=native")
MOST_SIGMAS = 4.0
AS_FAST_AS_C, AS_FAST_AS_OPEN_SPIEL = 0.6, 100.0  # targets, as ratios


@dataclass(frozen=True)
class Tally:
    """What came of some games: results as the first player sees them, and the time they took."""

    plies: int
    wins: int
    draws: int
    losses: int
    seconds: float

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def speed(self) -> float:
        """Moves per second."""
        return self.plies / self.seconds

    @property
    def results(self) -> tuple[int, int, int]:
        return self.wins, self.draws, self.losses


def total(tallies: Sequence[Tally]) -> Tally:
    """Return all of them as one."""
    return Tally(*map(sum, zip(*map(astuple, tallies), strict=True)))


@dataclass(frozen=True)
class Contestant:
    """Somebody who plays random games: told how many, and a seed."""

    name: str
    play: Callable[[int, int], Tally]
    share: float = 1.0  # of the games that Plyboard plays, so that all take about as long
    target: float | None = None  # how many times as fast Plyboard has to be


def plyboard(games: int, seed: int) -> Tally:
    """Play in Plyboard: one call, one compiled loop."""
    start = time.perf_counter()
    found = playouts(Position("connect-four"), games, seed)
    seconds = time.perf_counter() - start
    return Tally(found.plies, found.wins, found.draws, found.losses, seconds)


def open_spiel() -> Callable[[int, int], Tally]:
    """Return a player that asks OpenSpiel for the legal actions and chooses with Python."""
    try:
        import pyspiel
    except ImportError:
        stop("OpenSpiel is not installed: pip install -r benchmarks/requirements.txt")
    game = pyspiel.load_game("connect_four")

    def play(games: int, seed: int) -> Tally:
        choose = random.Random(seed).choice
        plies, results = 0, {1.0: 0, 0.0: 0, -1.0: 0}
        start = time.perf_counter()
        for _ in range(games):
            state = game.new_initial_state()
            while not state.is_terminal():
                state.apply_action(choose(state.legal_actions()))
                plies += 1
            results[state.player_return(0)] += 1
        seconds = time.perf_counter() - start
        return Tally(plies, results[1.0], results[0.0], results[-1.0], seconds)

    return play


def c_program(folder: Path, *options: str) -> Callable[[int, int], Tally]:
    """Return a player that runs the C loop, compiled into a folder; the loop times itself."""
    program = folder / f"playouts{''.join(options)}"
    subprocess.run([COMPILER, *FLAGS, *options, str(SOURCE), "-o", str(program)], check=True)

    def play(games: int, seed: int) -> Tally:
        run = [str(program), str(games), str(seed)]
        said = subprocess.run(run, check=True, capture_output=True, text=True).stdout
        *counts, seconds = said.split()
        plies, wins, draws, losses = map(int, counts)
        return Tally(plies, wins, draws, losses, float(seconds))

    return play


def has_pdep() -> bool:
    """Tell whether this machine has the instruction that finds the k-th set bit."""
    ask = [COMPILER, *FLAGS, "-dM", "-E", "-x", "c", os.devnull]
    return "__BMI2__" in subprocess.run(ask, check=True, capture_output=True, text=True).stdout


def field(folder: Path) -> list[Contestant]:
    """Return those who play, Plyboard first."""
    contestants = [
        Contestant("Plyboard", plyboard),
        Contestant("C", c_program(folder), target=AS_FAST_AS_C),
        Contestant("OpenSpiel from Python", open_spiel(), share=0.01, target=AS_FAST_AS_OPEN_SPIEL),
    ]
    if has_pdep():
        with_pdep = c_program(folder, "-DPDEP")
        contestants.insert(2, Contestant("C with pdep", with_pdep, target=AS_FAST_AS_C))
    return contestants


def compete(contestants: Sequence[Contestant], rounds: int, games: int) -> list[list[Tally]]:
    """Return what each of them played, round by round; they take turns within a round."""
    progress("compiling")
    for contestant in contestants:
        contestant.play(10, 0)  # compiles, and loads what has to be loaded
    played: list[list[Tally]] = [[] for _ in contestants]
    for index in range(rounds):
        progress(f"round {index + 1} of {rounds}")
        for contestant, tallies in zip(contestants, played, strict=True):
            tallies.append(contestant.play(max(int(games * contestant.share), 1), index + 1))
    return played


def sigmas(one: Tally, other: Tally) -> float:
    """Return by how many standard errors the shares of wins, draws or losses differ at most."""
    found = 0.0
    for mine, theirs in zip(one.results, other.results, strict=True):
        pooled = (mine + theirs) / (one.games + other.games)
        error = sqrt(pooled * (1 - pooled) * (1 / one.games + 1 / other.games))
        gap = abs(mine / one.games - theirs / other.games)
        found = max(found, gap / error if error else 0.0)
    return found


@dataclass(frozen=True)
class Line:
    """One line of the table. The ratio is how many times as fast Plyboard is, round by round.

    `at_best` sets the fastest round of both against each other: what else runs on the machine
    only ever slows a round down, so a `ratio` far from it was measured on a busy machine.
    """

    name: str
    moves_per_second: float
    ratio: float
    lowest: float
    highest: float
    at_best: float
    target: float | None
    shares: tuple[float, float, float]
    sigmas: float
    same_games: bool

    @property
    def failed(self) -> bool:
        return self.sigmas > MOST_SIGMAS or (self.target is not None and self.ratio < self.target)

    @property
    def verdict(self) -> str:
        if self.sigmas > MOST_SIGMAS:
            return "plays another game"
        if self.target is None:
            return ""
        return f"at least {self.target:g}: {'missed' if self.failed else 'met'}"

    @property
    def agreement(self) -> str:
        return "the same games" if self.same_games else f"{self.sigmas:.1f} sigma"


def compare(contestant: Contestant, played: list[Tally], against: list[Tally]) -> Line:
    """Return the line of a contestant, given what it and Plyboard played."""
    ratios = [one.speed / other.speed for one, other in zip(against, played, strict=True)]
    theirs, ours = total(played), total(against)
    wins, draws, losses = (count / theirs.games for count in theirs.results)
    return Line(
        name=contestant.name,
        moves_per_second=median(tally.speed for tally in played),
        ratio=median(ratios),
        lowest=min(ratios),
        highest=max(ratios),
        at_best=max(one.speed for one in against) / max(other.speed for other in played),
        target=contestant.target,
        shares=(wins, draws, losses),
        sigmas=sigmas(theirs, ours),
        same_games=(theirs.plies, theirs.results) == (ours.plies, ours.results),
    )


def show(lines: Sequence[Line]) -> None:
    """Print the table."""
    table = Table(box=box.MARKDOWN)
    for head in ("random games of", "million moves/s", "Plyboard is", "rounds from - to", "best"):
        table.add_column(head, no_wrap=True, justify="left" if head[0] == "r" else "right")
    for head in ("target", "wins, draws, losses", "against Plyboard"):
        table.add_column(head, no_wrap=True)
    for line in lines:
        ours_too = line.name == "Plyboard"
        table.add_row(
            line.name,
            f"{line.moves_per_second / 1e6:.2f}",
            "" if ours_too else f"{line.ratio:.2f} x",
            "" if ours_too else f"{line.lowest:.2f} - {line.highest:.2f}",
            "" if ours_too else f"{line.at_best:.2f} x",
            line.verdict,
            " ".join(f"{100 * share:.2f}%" for share in line.shares),
            "" if ours_too else line.agreement,
        )
    Console(width=160).print(table)


def as_json(lines: Sequence[Line], rounds: int, games: int) -> str:
    """Return all figures."""
    figures = [{**vars(line), "failed": line.failed} for line in lines]
    return json.dumps({"rounds": rounds, "games": games, "contestants": figures}, indent=2)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--rounds", type=natural, default=9, help="turns each takes (default 9)")
    parser.add_argument(
        "--games", type=natural, default=1_000_000, help="games of Plyboard and of C in a round"
    )
    options = parser.parse_args()
    if not jit_is_on():
        stop("PLYBOARD_JIT is off; unset it to measure compiled play")
    if shutil.which(COMPILER) is None:
        stop(f"no C compiler called {COMPILER}; install one or set CC")
    with tempfile.TemporaryDirectory() as folder:
        contestants = field(Path(folder))
        played = compete(contestants, options.rounds, options.games)
    lines = [compare(who, what, played[0]) for who, what in zip(contestants, played, strict=True)]
    if options.json:
        print(as_json(lines, options.rounds, options.games))
    else:
        show(lines)
    return int(any(line.failed for line in lines))


if __name__ == "__main__":
    raise SystemExit(main())
