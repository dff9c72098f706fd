"""How the work of the perfect Connect Four solver grows with the board and with the game's length.

Measures nodes and seconds of random positions against the plies already played, and of empty
boards against their size, and draws both as `docs/images/solver-growth.svg`. There are no targets.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log10
from pathlib import Path
from statistics import median

from asking import natural, progress, stop
from rich import box
from rich.console import Console
from rich.table import Table

from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.kernel import jit_is_on
from plyboard.search.common.budget import Budget
from plyboard.search.solver.solver import Solution, Solver

PICTURE = Path(__file__).parent.parent / "docs" / "images" / "solver-growth.svg"
FEWEST_PLIES, MOST_PLIES, STEP = 10, 38, 2
BOARDS = (
    (4, 4), (5, 4), (4, 5), (4, 6), (6, 4), (5, 5), (7, 4), (5, 6), (6, 5), (8, 4), (7, 5), (6, 6),
)  # fmt: skip
LONGEST = 20.0  # seconds: boards that take longer are left out
BLUE, ORANGE, GREY, INK = "#1f6feb", "#d1590b", "#d0d7de", "#24292f"


@dataclass(frozen=True)
class Point:
    """What it takes to solve one kind of position: medians over all that were solved."""

    name: str
    discs: int  # on the board, or cells of an empty one
    positions: int
    nodes: float
    seconds: float


def random_position(chance: random.Random, plies: int) -> Position:
    """Return a position after random moves, none of which ends the game."""
    while True:
        position = Position("connect-four")
        while len(position.moves) < plies and position.outcome() is None:
            position = position.play(chance.choice(position.legal_moves()))
        if position.outcome() is None:
            return position


def by_plies(count: int, seed: int) -> list[Point]:
    """Solve random positions of the usual board that are not decided within two plies."""
    solver, chance, points = Solver(), random.Random(seed), []
    solver.solve(random_position(chance, 40))  # compiles
    for plies in range(MOST_PLIES, FEWEST_PLIES - 1, -STEP):
        progress(f"{count} positions after {plies} plies")
        told: list[Solution] = []
        while len(told) < count:
            position = random_position(chance, plies)
            solution = solver.solve(position)
            if solver.plies_left(position, solution.score) > 2:
                told.append(solution)
        nodes = median(each.nodes for each in told)
        seconds = median(each.seconds for each in told)
        points.append(Point(f"{plies} plies", plies, count, nodes, seconds))
    return points[::-1]


def by_board() -> list[Point]:
    """Solve empty boards, the small ones first, and leave out those that take too long."""
    points = []
    for columns, rows in BOARDS:
        progress(f"board of {columns} columns by {rows} rows")
        solver = Solver(ConnectFour(columns, rows))
        empty = Position(solver.game)
        solver.solve(empty, limit=Budget(nodes=1))  # compiles
        told = solver.solve(empty, limit=Budget(seconds=LONGEST))
        if told.finished:
            name, cells = f"{columns}x{rows}", columns * rows
            points.append(Point(name, cells, 1, told.nodes, told.seconds))
    return points


@dataclass(frozen=True)
class Frame:
    """Where a plot stands on the page, and the numbers that its edges stand for."""

    left: float
    title: str
    across: str
    least: int
    most: int
    decades: tuple[int, int]

    top, width, height = 64.0, 360.0, 300.0

    def at(self, discs: float, value: float) -> tuple[float, float]:
        """Return the place of a point; the values go up by powers of ten."""
        low, high = self.decades
        right = self.left + self.width * (discs - self.least) / (self.most - self.least)
        return right, self.top + self.height * (high - log10(max(value, 1e-9))) / (high - low)


def decades(values: Sequence[float]) -> tuple[int, int]:
    """Return the powers of ten that values lie between."""
    low, high = floor(log10(max(min(values), 1))), ceil(log10(max(values)))
    return low, max(high, low + 1)


def text(place: tuple[float, float], words: str, anchor: str = "middle", more: str = "") -> str:
    return (
        f'<text x="{place[0]:.1f}" y="{place[1]:.1f}" text-anchor="{anchor}"{more}>{words}</text>'
    )


def axes(frame: Frame, ticks: Sequence[int]) -> list[str]:
    """Return the grid, the numbers along it, and what they count."""
    low, high = frame.decades
    bottom, right = frame.top + frame.height, frame.left + frame.width
    drawn = [text((frame.left + frame.width / 2, 30), frame.title, more=' font-weight="bold"')]
    for power in range(low, high + 1):
        _, height = frame.at(frame.least, 10.0**power)
        drawn.append(
            f'<path d="M{frame.left:.1f} {height:.1f}H{right:.1f}" stroke="{GREY}"/>'
            + text((frame.left - 8, height + 4), amount(power), "end")
        )
    for tick in ticks:
        across, _ = frame.at(tick, 1)
        drawn.append(f'<path d="M{across:.1f} {bottom:.1f}v5" stroke="{INK}"/>')
        drawn.append(text((across, bottom + 20), str(tick)))
    drawn.append(text((frame.left + frame.width / 2, bottom + 42), frame.across))
    return drawn


def amount(power: int) -> str:
    """Return a power of ten in words."""
    unit, left = ("million", power - 6) if power >= 6 else ("", power)
    return f"{10**left:,} {unit}".strip()


def dots(frame: Frame, points: Sequence[Point], values: Sequence[float], colour: str) -> list[str]:
    """Return a dot for each point."""
    places = [frame.at(point.discs, value) for point, value in zip(points, values, strict=True)]
    return [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in places]


def curve(frame: Frame, points: Sequence[Point], values: Sequence[float], colour: str) -> list[str]:
    """Return a line from point to point."""
    places = [frame.at(point.discs, value) for point, value in zip(points, values, strict=True)]
    path = " ".join(f"{across:.1f},{height:.1f}" for across, height in places)
    return [f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>']


def names(frame: Frame, points: Sequence[Point]) -> list[str]:
    """Return the names of points, left and right of them in turn so that they keep apart."""
    drawn = []
    for index, point in enumerate(points):
        across, height = frame.at(point.discs, point.nodes)
        anchor, aside = ("start", 7) if index % 2 else ("end", -7)
        drawn.append(text((across + aside, height + 4), point.name, anchor))
    return drawn


def plot(frame: Frame, points: Sequence[Point], ticks: Sequence[int], *, named: bool) -> list[str]:
    """Return one plot: nodes, and microseconds on the same scale."""
    drawn = axes(frame, ticks)
    nodes, times = [point.nodes for point in points], [point.seconds * 1e6 for point in points]
    for values, colour in ((nodes, BLUE), (times, ORANGE)):
        drawn += [] if named else curve(frame, points, values, colour)
        drawn += dots(frame, points, values, colour)
    return drawn + (names(frame, points) if named else [])


def picture(plies: Sequence[Point], boards: Sequence[Point]) -> str:
    """Return the page: two plots with one legend."""
    measured = [value for p in (*plies, *boards) for value in (p.nodes, p.seconds * 1e6)]
    scale = decades(measured)
    cells = [point.discs for point in boards]
    most = max(cells, default=16) + 2
    left = Frame(90, "7x6, random positions", "plies played", FEWEST_PLIES - 2, 42, scale)
    right = Frame(560, "empty boards", "cells of the board", 14, most, scale)
    ordered = sorted(boards, key=lambda point: (point.discs, point.nodes))
    drawn = plot(left, plies, range(FEWEST_PLIES, 43, 4), named=False)
    drawn += plot(right, ordered, range(16, most + 1, 4), named=True)
    for height, colour, words in ((440, BLUE, "nodes"), (458, ORANGE, "microseconds")):
        drawn.append(f'<circle cx="440" cy="{height - 4}" r="4" fill="{colour}"/>')
        drawn.append(text((452, height), words, "start"))
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="960" height="480" viewBox="0 0 960 480"'
        f' font-family="sans-serif" font-size="12" fill="{INK}">\n'
        '<rect width="960" height="480" fill="#ffffff"/>\n' + "\n".join(drawn) + "\n</svg>\n"
    )


def show(points: Sequence[Point], head: str) -> None:
    """Print a table."""
    table = Table(box=box.MARKDOWN)
    for name in (head, "positions", "nodes", "milliseconds"):
        table.add_column(name, no_wrap=True, justify="left" if name == head else "right")
    for point in points:
        took = f"{point.seconds * 1000:,.3f}"
        table.add_row(point.name, str(point.positions), f"{point.nodes:,.0f}", took)
    Console(width=120).print(table)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of tables")
    parser.add_argument("--positions", type=natural, default=31, help="for each number of plies")
    parser.add_argument("--seed", type=int, default=1, help="of the random positions (default 1)")
    parser.add_argument("--out", type=Path, default=PICTURE, help="where the picture goes")
    options = parser.parse_args()
    if not jit_is_on():
        stop("PLYBOARD_JIT is off; unset it to measure compiled search")
    plies, boards = by_plies(options.positions, options.seed), by_board()
    options.out.write_text(picture(plies, boards))
    if options.json:
        told = {"plies": [vars(each) for each in plies], "boards": [vars(each) for each in boards]}
        print(json.dumps(told, indent=2))
    else:
        show(plies, "7x6 after")
        show(boards, "empty board")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
