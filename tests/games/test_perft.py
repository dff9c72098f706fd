"""Promise R2: move sequences and positions are as many as published or derived."""

from __future__ import annotations

import pytest

from plyboard.games import Position
from plyboard.kernel import jit_is_on
from plyboard.search.counting.perft import complete_games, perft, subtasks

pytestmark = pytest.mark.kernels

# Each: spec, counts for plies 1, 2, 3, ... 7x6 and 5x4 agree with the position counts that
# J. Tromp and OEIS A212693 give; the others were derived by an implementation thrown away.
COUNTS = {
    "connect-four": (7, 49, 343, 2401, 16807, 117649, 823536, 5673234),
    "connect-four:columns=5,rows=4": (
        5, 25, 125, 625, 3120, 15500, 76300, 363308, 1718544, 7738740,
    ),
    "conniption": (28, 588, 12348, 259308, 5260591),
    "extended": (8, 68, 604, 5556, 52576, 509508),
    "extended:columns=10,pops=9": (10, 105, 1145),
    "extended:rows=4,columns=6,pops=0": (6, 36, 216, 1296, 7770),
    "extended:rows=3,columns=4,pops=1": (4, 18, 86, 422),
    "squatter:size=3": (9, 72, 504, 3024, 15120),
}  # fmt: skip
SLOW = 20_000


@pytest.mark.parametrize("spec", COUNTS)
def test_perft_equals_the_known_counts(spec: str) -> None:
    for depth, count in enumerate(COUNTS[spec], 1):
        if jit_is_on() or count < SLOW:
            assert perft(Position(spec), depth) == count


# Complete games on boards of n + 1 columns and n rows: OEIS A342329.
@pytest.mark.parametrize(("columns", "games"), [(2, 2), (3, 90), (4, 356_232)])
def test_complete_games_are_as_many_as_oeis_says(columns: int, games: int) -> None:
    position = Position(f"connect-four:columns={columns},rows={columns - 1}")

    if jit_is_on() or games < SLOW:
        assert complete_games(position, columns * (columns - 1)) == games


def test_parts_add_up_to_the_whole() -> None:
    position = Position("connect-four:columns=4,rows=3")

    for depth in range(12 if jit_is_on() else 7):
        counts = [part.count() for part in subtasks(position, depth)]
        games = [part.count() for part in subtasks(position, depth, complete=True)]
        assert sum(counts) == perft(position, depth)
        assert sum(games) == complete_games(position, depth)


def test_perft_of_nothing_is_one_and_of_an_ended_game_none() -> None:
    won = Position("connect-four").play(*"1212121")

    assert perft(Position("squatter"), 0) == 1
    assert perft(won, 0) == 1
    assert perft(won, 1) == 0
