"""Matches of the engine against the other agents, at the same time a move, both colours.

Each opening is played twice with the colours exchanged. A draw is half a win. Openings are some
random plies; in Conniption, where nearly all of those are won by force and soon, they are those of
`openings/conniption.txt`, which no search of 20 plies decides (`openings.py`).
Then, in Extended Connect Four, the points that expectimax and alpha-beta gain against `random`
with the same evaluation: expectimax should gain more.
Exit code 1: a target was missed.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from asking import natural, stop
from rich import box
from rich.console import Console
from rich.table import Table

from plyboard.agents import agent
from plyboard.errors import UsageError
from plyboard.play.series import Tally, series
from plyboard.search.budget import Budget

PLIES = 3  # of a random opening
LISTED = {"conniption": Path(__file__).parent / "openings" / "conniption.txt"}


@dataclass(frozen=True)
class Pairing:
    """Two agents, a game, and the share that the first should get at least."""

    first: str
    second: str
    game: str
    target: float


PAIRINGS = (
    Pairing("engine", "alice", "connect-four", 0.95),
    Pairing("engine", "jericho", "connect-four", 0.95),
    Pairing("engine", "random", "connect-four", 1.0),
    Pairing("engine", "conniption", "conniption", 0.95),
    Pairing("engine", "random", "conniption", 1.0),
    Pairing("engine", "extended", "extended", 0.95),
    Pairing("engine", "expectimax", "extended", 0.95),
    Pairing("engine", "expectimax:guess=best", "extended", 0.0),
    Pairing("engine", "random", "extended", 1.0),
    Pairing("engine", "squatter", "squatter", 0.95),
    Pairing("engine", "random", "squatter", 1.0),
)
POINTS = (
    Pairing("expectimax:guess=best", "random", "extended", 0.0),
    Pairing("expectimax", "random", "extended", 0.0),
    Pairing("extended", "random", "extended", 0.0),
)
# Expectimax and alpha-beta with our evaluation, and with that of the course.
SAME_EVALUATION = (("expectimax:guess=best", "engine"), ("expectimax", "extended"))


def openings(game: str, part: int, parts: int) -> int | list[str]:
    """Return the openings of a part of a match."""
    if game not in LISTED:
        return PLIES
    return LISTED[game].read_text(encoding="ascii").splitlines()[part::parts]


def play(pairing: Pairing, games: int, seconds: float, seed: int, part: int, parts: int) -> Tally:
    """Play a part of a match in this process."""
    tally = Tally()
    for played in series(
        agent(pairing.first), agent(pairing.second), pairing.game, games,
        seed=seed * parts + part, budget=Budget(seconds=seconds),
        openings=openings(pairing.game, part, parts),
    ):  # fmt: skip
        tally = tally.plus(played)
    return tally


def added(tallies: Sequence[Tally]) -> Tally:
    """Return the sum of some counts."""
    total = Tally()
    for each in tallies:
        total = Tally(
            total.wins + each.wins, total.draws + each.draws, total.losses + each.losses,
            total.unfinished + each.unfinished, total.points + each.points,
            (total.faults[0] + each.faults[0], total.faults[1] + each.faults[1]),
        )  # fmt: skip
    return total


def match(pairing: Pairing, games: int, seconds: float, seed: int, workers: int) -> Tally:
    """Play a match in some processes; each plays whole pairs."""
    share = -(-games // (2 * workers)) * 2
    with ProcessPoolExecutor(workers) as pool:
        parts = [
            pool.submit(play, pairing, share, seconds, seed, part, workers)
            for part in range(workers)
        ]
        return added([part.result() for part in parts])


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
    parser.add_argument("--games", type=natural, default=200, help="of each pairing (200)")
    parser.add_argument("--seconds", type=float, default=0.2, help="a move (0.2)")
    parser.add_argument("--seed", type=int, default=0, help="of the random openings (0)")
    parser.add_argument("--workers", type=natural, default=os.cpu_count() or 1, help="processes")
    parser.add_argument("--only", default="", help="pairings with this word in them")
    options = parser.parse_args()
    try:
        Budget(seconds=options.seconds)
    except UsageError as fault:
        stop(str(fault))
    table = Table("game", "agent", "against", "games", "won", "drawn", "lost", "score", "target",
                  "points a game", box=box.MARKDOWN)  # fmt: skip
    rows: list[dict[str, Any]] = []
    failed = False
    for pairing in PAIRINGS + POINTS:
        name = f"{pairing.game}: {pairing.first} against {pairing.second}"
        if options.only not in name:
            continue
        began = time.perf_counter()
        tally = match(pairing, options.games, options.seconds, options.seed, options.workers)
        spent = time.perf_counter() - began
        print(f"{name}: {tally.score:.3f} in {spent:.0f} s", file=sys.stderr, flush=True)
        failed = failed or tally.score < pairing.target
        told = {"games": tally.games, "score": tally.score, "seconds": spent}
        rows.append({**asdict(pairing), **asdict(tally), **told})
        verdict = f"{pairing.target:.0%}: {'met' if tally.score >= pairing.target else 'missed'}"
        table.add_row(
            pairing.game, pairing.first, pairing.second, str(tally.games), str(tally.wins),
            str(tally.draws), str(tally.losses), f"{tally.score:.1%}",
            verdict if pairing.target else "-", f"{tally.points / tally.games:+.1f}",
        )  # fmt: skip
    pairs = gains(rows)
    if options.json:
        print(json.dumps({"matches": rows, "gains": pairs}, indent=2))
    else:
        Console(width=160).print(table)
    for pair in pairs:
        more, less = pair["points"]
        failed = failed or more <= less
        if not options.json:
            verdict = f"should be more: {'met' if more > less else 'missed'}"
            print(f"{pair['expectimax']} {more:+.1f} points a game against random, "
                  f"{pair['alpha_beta']} {less:+.1f}; {verdict}")  # fmt: skip
    return int(failed)


if __name__ == "__main__":
    raise SystemExit(main())
