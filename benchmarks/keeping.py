"""How often the engine keeps the value of a Connect Four position, on the solved test sets.

A move keeps the value if a won position stays won and a drawn one drawn; in a lost one any move
does. The scores come with the sets; what a move leads to is solved afterwards. Exit code 1: the
target was missed.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from dataclasses import dataclass
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from plyboard.agents import agent
from plyboard.games import Position
from plyboard.search.book.book import book_solution
from plyboard.search.solver.solver import Solver

SETS = Path(__file__).resolve().parent.parent / "tests" / "data" / "connect_four"
NAMES = ("Test_L3_R1", "Test_L2_R1", "Test_L1_R1", "Test_L1_R3")
TARGET = 0.99


@dataclass(frozen=True)
class Line:
    """One set: positions tried, and how many kept their value."""

    name: str
    positions: int
    kept: int
    slips: tuple[str, ...]


def sign(number: int) -> int:
    return (number > 0) - (number < 0)


def keeps(position: Position, action: int, score: int, solver: Solver) -> bool:
    """Tell whether a move keeps what a position of this score is worth."""
    if score < 0:
        return True
    after = position.apply_action(action)
    outcome = after.outcome()
    if outcome is not None:
        return outcome.winner is not None or score == 0
    told = book_solution(after) or solver.solve(after, weak=True)
    return -sign(told.score) == sign(score)


def measure(name: str, spec: str, positions: int, solver: Solver) -> Line:
    lines = (SETS / name).read_text().splitlines()
    chosen = random.Random(name).sample(lines, min(positions, len(lines)))
    player, kept, slips = agent(spec), 0, []
    for line in chosen:
        moves, score = line.split()
        position = Position.read(moves)
        if keeps(position, player.choose(position).action, int(score), solver):
            kept += 1
        else:
            slips.append(moves)
    return Line(name, len(chosen), kept, tuple(slips))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    parser.add_argument("--agent", default="engine:seconds=1", help="whose moves")
    parser.add_argument("--positions", type=int, default=500, help="of each set at most (all)")
    options = parser.parse_args()
    solver, lines = Solver(mebibytes=256), []
    for name in NAMES:
        print(f"{name} ...", file=sys.stderr, flush=True)
        lines.append(measure(name, options.agent, options.positions, solver))
    total, kept = sum(line.positions for line in lines), sum(line.kept for line in lines)
    if options.json:
        figures = {"agent": options.agent, "kept": kept, "positions": total}
        print(json.dumps({**figures, "sets": [vars(line) for line in lines]}, indent=2))
    else:
        table = Table("set", "positions", "kept", "share", box=box.MARKDOWN)
        for line in lines:
            share = f"{100 * line.kept / line.positions:.1f} %"
            table.add_row(line.name, str(line.positions), str(line.kept), share)
        table.add_row("all", str(total), str(kept), f"{100 * kept / total:.2f} %")
        Console(width=100).print(table)
    return int(kept < TARGET * total)


if __name__ == "__main__":
    raise SystemExit(main())
