"""Positions per ply equal the published counts, and are told apart by their keys."""

from __future__ import annotations

import itertools

import pytest

from plyboard.games import Position
from plyboard.search.counting.census import census

# Legal positions by (columns, rows): J. Tromp's table.
TROMP = {
    (1, 1): 2, (2, 1): 5, (7, 1): 750, (3, 2): 116, (5, 2): 4688, (2, 3): 58, (3, 3): 869,
    (4, 3): 12031, (3, 4): 6000, (2, 6): 1571, (3, 5): 38310, (6, 2): 29737,
}  # fmt: skip
# OEIS A212693 for 7x6, with those that end in a four.
PLIES_7X6 = ((1, 0), (7, 0), (49, 0), (238, 0), (1120, 0), (4263, 0), (16422, 0), (54859, 728))


@pytest.mark.parametrize(("columns", "rows"), TROMP)
def test_legal_positions_are_as_many_as_tromp_counts(columns: int, rows: int) -> None:
    start = Position(f"connect-four:columns={columns},rows={rows}")

    assert sum(ply.positions for ply in census(start)) == TROMP[columns, rows]


def test_positions_per_ply_on_the_usual_board() -> None:
    plies = itertools.islice(census(Position("connect-four")), len(PLIES_7X6))

    assert tuple((ply.positions, ply.finished) for ply in plies) == PLIES_7X6


@pytest.mark.parametrize(
    ("spec", "counts"),
    [
        ("conniption", (1, 28, 490, 4004)),
        ("extended", (1, 8, 65, 368, 2010)),
    ],
)
def test_distinct_states_of_the_other_games(spec: str, counts: tuple[int, ...]) -> None:
    plies = itertools.islice(census(Position(spec)), len(counts))

    assert tuple(ply.positions for ply in plies) == counts
