"""Promise: many positions at a time score as they do one by one."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from search.solver.test_solver_oracle import SlowSolver, discs_of, some_positions

from plyboard.games import Outcome
from plyboard.games.connect_four import ConnectFour
from plyboard.kernel import jit_is_on
from plyboard.search.solver.batch import Batch

pytestmark = pytest.mark.kernels

SETS = Path(__file__).parents[2] / "data" / "connect_four"
SMALL = ConnectFour(4, 4)
MANY = 300 if jit_is_on() else 70  # more than the generations of the table
WON, FULL_COLUMN = "1212121", "4444444"


def published(name: str) -> list[tuple[str, int]]:
    lines = (line.split() for line in (SETS / f"Test_{name}").read_text().splitlines())
    return [(moves, int(score)) for moves, score in lines]


@pytest.mark.parametrize("weak", [False, True])
def test_published_positions_without_a_miss(weak: bool) -> None:
    told = published("L3_R1")[:MANY]
    scores = Batch().scores([moves for moves, _ in told], weak=weak)

    assert scores == [max(-1, min(score, 1)) if weak else score for _, score in told]


def test_a_position_that_takes_long_is_left_to_others() -> None:
    easy, score = published("L3_R1")[0]
    empty_board = ""

    assert Batch().scores([easy, empty_board, easy]) == [score, None, score]


def test_a_small_board_scores_as_the_slow_solver_says() -> None:
    slow, positions = SlowSolver(4, 4), some_positions(SMALL, range(6, 16), seed=4)
    some = list(itertools.islice(positions, MANY))

    scores = Batch(SMALL).scores(["".join(position.moves) for position in some])

    assert scores == [slow.score(discs_of(position)) for position in some]


@pytest.mark.parametrize(
    "moves", [WON, WON + "3", WON + "2", FULL_COLUMN, "8", "0", "4a", "4 4", "\xff", "44-1"]
)
def test_moves_to_no_position_that_goes_on_have_no_score(moves: str) -> None:
    easy, score = published("L3_R1")[0]

    assert Batch().scores([easy, moves, easy]) == [score, None, score]


def test_a_full_board_has_no_score() -> None:
    last = (each.play(*each.legal_moves()) for each in some_positions(SMALL, range(15, 16), seed=3))
    drawn = next(each for each in last if each.outcome() == Outcome(None, "full"))

    assert Batch(SMALL).scores(["".join(drawn.moves)]) == [None]


def test_no_lines_have_no_scores() -> None:
    assert Batch().scores([]) == []
