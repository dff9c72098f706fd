"""Positions that the large questions to the solver share: published, random and hard ones."""

from __future__ import annotations

import itertools
from pathlib import Path

from search.solver.test_solver_oracle import some_positions

from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.search.common.budget import Budget
from plyboard.search.solver.solver import Solver

SETS = Path(__file__).parents[2] / "data" / "connect_four"


def solved(name: str) -> list[tuple[Position, int]]:
    """Return the positions of a set with their scores."""
    pairs = (line.split() for line in (SETS / f"Test_{name}").read_text().splitlines())
    return [(Position("connect-four").play(*moves), int(score)) for moves, score in pairs]


def middling(count: int, plies: range = range(16, 22), seed: int = 7) -> list[Position]:
    """Return random positions of the usual board that take about a millisecond."""
    return list(itertools.islice(some_positions(ConnectFour(), plies, seed), count))


def hard(game: ConnectFour, plies: range, seed: int, count: int) -> list[Position]:
    """Return random positions on which threads work for a while: 0.3 to 1.5 million nodes."""
    solver, found = Solver(game), list[Position]()
    for position in some_positions(game, plies, seed):
        told = solver.solve(position, limit=Budget(nodes=1_500_000))
        if told.finished and told.nodes > 300_000:
            found.append(position)
            if len(found) == count:
                break
    return found
