"""The games of `examples/games` beside their oracles, published counts and known values.

    python tests/oracles/compare_examples.py

The tests make the cheap ones of these comparisons, in plain Python; this makes all of them,
compiled, with 500 random games of each board. It takes some minutes.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from games.example_games import example

from oracles import ORACLES
from oracles.compare import Pair, compare_game
from oracles.exhaustive import value_for_first
from plyboard.agents import Budget, agent
from plyboard.games import Position
from plyboard.search.counting.perft import perft

Board = tuple[str, dict[str, int]]

BOARDS: tuple[Board, ...] = (
    ("othello", {}), ("othello", {"size": 4}), ("othello", {"size": 6}),
    ("breakthrough", {}), ("breakthrough", {"rows": 5, "columns": 4}),
    ("kalah", {}), ("kalah", {"pits": 3, "seeds": 2}), ("kalah", {"pits": 7, "seeds": 12}),
    ("hex", {}), ("hex", {"size": 4}), ("hex", {"size": 8}), ("hex", {"size": 14}),
    ("dots-and-boxes", {}), ("dots-and-boxes", {"rows": 2, "columns": 3}),
    ("dots-and-boxes", {"rows": 7, "columns": 7}),
)  # fmt: skip

# Move sequences by their length. A pass of Othello is a move. Sources: A. Bik and others for
# Othello, several engines for Breakthrough; the others agree with the oracles.
COUNTS: dict[str, tuple[int, ...]] = {
    "othello": (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288),
    "breakthrough": (22, 484, 11132, 256036, 6182818),
    "kalah": (6, 35, 185, 942, 4690, 23233),
    "hex": (121, 121 * 120, 121 * 120 * 119),
    "dots-and-boxes": (40, 40 * 39, 40 * 39 * 38),
}

# Leads that the first player gets with best play: those of Kalah agree in sign with the table of
# Irving, Donkers and Uiterwijk (2000); White wins Othello 4x4 by 11 to 3; the first player wins
# Dots and Boxes 2x2 ("Winning Ways").
VALUES: tuple[tuple[Board, int], ...] = (
    (("kalah", {"pits": 1, "seeds": 1}), 0), (("kalah", {"pits": 1, "seeds": 2}), -2),
    (("kalah", {"pits": 1, "seeds": 3}), 6), (("kalah", {"pits": 1, "seeds": 5}), 2),
    (("kalah", {"pits": 2, "seeds": 1}), 2), (("kalah", {"pits": 2, "seeds": 2}), -2),
    (("kalah", {"pits": 2, "seeds": 3}), -2), (("kalah", {"pits": 2, "seeds": 4}), -10),
    (("kalah", {"pits": 3, "seeds": 1}), 0), (("kalah", {"pits": 3, "seeds": 2}), 4),
    (("kalah", {"pits": 4, "seeds": 1}), 2),
    (("dots-and-boxes", {"rows": 1, "columns": 1}), -1),
    (("dots-and-boxes", {"rows": 1, "columns": 2}), 0),
    (("dots-and-boxes", {"rows": 1, "columns": 3}), -1),
    (("dots-and-boxes", {"rows": 2, "columns": 2}), 2),
    (("breakthrough", {"rows": 4, "columns": 2}), -1),
    (("hex", {"size": 2}), 1), (("hex", {"size": 3}), 1),
    (("othello", {"size": 4}), -8),
)  # fmt: skip
LONG = {"othello", "breakthrough"}  # their values take the oracle seconds

# The openings that win for Red, as on HexWiki and by Queenbee: acute corners lose.
HEX_OPENINGS = {1: "a1", 2: "b1 a2", 3: "c1 a2 b2 c2 a3"}


def compare_games(board: Board, games: int) -> int:
    """Compare random games of a board with the oracle; return the number of positions."""
    name, values = board
    pair, chance = Pair(example(name, **values)), random.Random(f"{board}")
    return sum(compare_game(pair, chance, steered=False) for _ in range(games))


def engine_lead(board: Board) -> float:
    """Return the lead that the engine proves for the first player at the start."""
    name, values = board
    position = Position(example(name, **values))
    choice = agent("engine").choose(position, Budget(depth=64))
    assert choice.is_proved
    value = float(choice.value)
    return value if position.game.rules.has_points else (value > 0) - (value < 0)


def oracle_lead(board: Board) -> int:
    """Return the lead that the oracle finds by exhaustive search."""
    name, values = board
    oracle: Any = ORACLES[name](**values)
    return value_for_first(oracle, oracle.start())


def main() -> None:
    """Make all comparisons."""
    for board in BOARDS:
        print(*board, compare_games(board, 500), "positions, no difference", flush=True)
    for name, counts in COUNTS.items():
        for depth, count in enumerate(counts, 1):
            found = perft(Position(example(name)), depth)
            assert found == count, (name, depth, found, count)
        print(name, "perft", *counts, flush=True)
    for board, lead in VALUES:
        assert (oracle_lead(board), engine_lead(board)) == (lead, lead), board
        print(*board, "value", lead, flush=True)


if __name__ == "__main__":
    main()
