"""Matches of the engine against the other agents, with the same nodes a move, both colours.

Openings are three random plies drawn from the seed, in all games: none is chosen or left out by
its result. Each is played twice with the colours exchanged. A draw is half a win. The error bar
is two standard errors over these pairs.
Then, in Extended Connect Four, the points that expectimax and alpha-beta gain against `random`
with the same evaluation.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import statistics
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial, reduce
from itertools import cycle, islice
from typing import Any

from asking import natural, progress, stop
from rich import box
from rich.console import Console
from rich.table import Table

from plyboard.arena.event import EventSettings
from plyboard.arena.openings import positions_after
from plyboard.arena.play_game import play_game
from plyboard.errors import UsageError
from plyboard.games import game as find_game
from plyboard.play.record import read_record
from plyboard.processes.executor import results
from plyboard.processes.local import LocalExecutor
from plyboard.search.common.budget import Budget
from plyboard.session.tally import Tally

PLIES = 3  # of a random opening


@dataclass(frozen=True)
class Pairing:
    """Two agents and a game."""

    first: str
    second: str
    game: str


@dataclass(frozen=True)
class Score:
    """The games of a pairing, and the share of the first agent in each pair of them."""

    tally: Tally = field(default_factory=Tally)
    pairs: tuple[float, ...] = ()

    def plus(self, other: Score) -> Score:
        """Return both together."""
        one, two = self.tally, other.tally
        total = Tally(
            one.wins + two.wins, one.draws + two.draws, one.losses + two.losses,
            one.unfinished + two.unfinished, one.points + two.points,
            (one.faults[0] + two.faults[0], one.faults[1] + two.faults[1]),
        )  # fmt: skip
        return Score(total, self.pairs + other.pairs)

    @property
    def error(self) -> float:
        """Two standard errors of the score."""
        if len(self.pairs) < 2:
            return 1.0
        return 2 * statistics.stdev(self.pairs) / math.sqrt(len(self.pairs))


PAIRINGS = (
    Pairing("engine", "alice", "connect-four"),
    Pairing("engine", "jericho", "connect-four"),
    Pairing("engine", "random", "connect-four"),
    Pairing("engine", "conniption", "conniption"),
    Pairing("engine", "random", "conniption"),
    Pairing("engine", "extended", "extended"),
    Pairing("engine", "expectimax", "extended"),
    Pairing("engine", "expectimax:evaluation=best", "extended"),
    Pairing("engine", "random", "extended"),
    Pairing("engine", "squatter", "squatter"),
    Pairing("engine", "random", "squatter"),
)
POINTS = (
    Pairing("expectimax:evaluation=best", "random", "extended"),
    Pairing("expectimax", "random", "extended"),
    Pairing("extended", "random", "extended"),
)
# Expectimax and alpha-beta with our evaluation, and with that of the course.
SAME_EVALUATION = (("expectimax:evaluation=best", "engine"), ("expectimax", "extended"))


def score_of(tally: Tally) -> float:
    """Return the share of the points; a draw is half a win."""
    return (tally.wins + (tally.draws + tally.unfinished) / 2) / tally.games


def play(pairing: Pairing, games: int, budget: Budget, parts: int, part: int) -> Score:
    """Play a part of a match in this process."""
    tally, shares = Tally(), list[float]()
    seed = budget.seed * parts + part
    agents = pairing.first, pairing.second
    settings = EventSettings(agents, pairing.game, games, seed=seed, budget=replace(budget, seed=0))
    openings = cycle(islice(positions_after(find_game(pairing.game), PLIES, seed), -(-games // 2)))
    opening = next(openings)
    for number in range(games):
        if number and number % 2 == 0:
            opening = next(openings)
        players = agents if number % 2 == 0 else agents[::-1]
        result = play_game(settings.task(number, number // 2, players, opening.moves))
        match = read_record(result.record)
        tally = tally.plus(match, number % 2)
        shares.append(0.5 if match.winner is None else float(match.winner == number % 2))
    return Score(tally, tuple(map(statistics.fmean, zip(shares[::2], shares[1::2], strict=True))))


def match(pairing: Pairing, games: int, budget: Budget, workers: int) -> Score:
    """Play a match in some processes; each plays whole pairs."""
    share = -(-games // (2 * workers)) * 2
    task = partial(_played, pairing, share, budget, workers)
    facts = dict(results(LocalExecutor(workers), task, range(workers)))
    scores = [
        Score(Tally(**tally), pairs) for tally, pairs in (facts[part] for part in range(workers))
    ]
    return reduce(Score.plus, scores, Score())


def _played(
    pairing: Pairing, games: int, budget: Budget, parts: int, part: int
) -> tuple[dict[str, Any], tuple[float, ...]]:
    """Return a part of a match as values that a process can send."""
    score = play(pairing, games, budget, parts, part)
    return asdict(score.tally), score.pairs


def gains(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the points that expectimax and alpha-beta gained against chance, if both did play."""
    gained = {
        row["first"]: row["points"] / row["games"]
        for row in rows
        if (row["game"], row["second"]) == ("extended", "random")
    }
    return [
        {"expectimax": one, "alpha_beta": other, "points": (gained[one], gained[other])}
        for one, other in SAME_EVALUATION
        if one in gained and other in gained
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--games", type=natural, default=100, help="of each pairing (100)")
    parser.add_argument("--nodes", type=natural, default=200_000, help="a move (200,000)")
    parser.add_argument("--seconds", type=float, help="a move, instead of nodes")
    parser.add_argument("--seed", type=natural, default=1, help="of the openings (1)")
    parser.add_argument("--workers", type=natural, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--only", default="", help="pairings with this word in them")
    options = parser.parse_args()
    try:
        nodes = None if options.seconds else options.nodes
        budget = Budget(seconds=options.seconds, nodes=nodes, seed=options.seed)
    except UsageError as fault:
        stop(str(fault))
    table = Table("game", "agent", "against", "games", "won", "drawn", "lost", "score",
                  "points a game", box=box.MARKDOWN)  # fmt: skip
    rows: list[dict[str, Any]] = []
    for pairing in PAIRINGS + POINTS:
        name = f"{pairing.game}: {pairing.first} against {pairing.second}"
        if options.only not in name:
            continue
        began = time.perf_counter()
        found = match(pairing, options.games, budget, options.workers)
        spent, tally = time.perf_counter() - began, found.tally
        told = f"{score_of(tally):.1%} ± {found.error:.1%}"
        progress(f"{name}: {told} in {spent:.0f} s")
        facts = {"games": tally.games, "score": score_of(tally), "error": found.error}
        rows.append({**asdict(pairing), **asdict(tally), **facts, "seconds": spent})
        table.add_row(
            pairing.game, pairing.first, pairing.second, str(tally.games), str(tally.wins),
            str(tally.draws), str(tally.losses), told, f"{tally.points / tally.games:+.1f}",
        )  # fmt: skip
    pairs = gains(rows)
    if options.json:
        print(json.dumps({"matches": rows, "gains": pairs}, indent=2))
        return 0
    Console(width=160).print(table)
    for pair in pairs:
        more, less = pair["points"]
        print(f"{pair['expectimax']} {more:+.1f} points a game against random, "
              f"{pair['alpha_beta']} {less:+.1f}")  # fmt: skip
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
