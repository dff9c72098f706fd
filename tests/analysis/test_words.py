"""Lists, counts and lines of cells in words."""

from __future__ import annotations

import pytest

from plyboard.analysis.words import counted, lines_text, listed, moves_text
from plyboard.games import Position
from plyboard.games.picture import Cell


def test_lists() -> None:
    assert listed([]) == ""
    assert listed(["3"]) == "3"
    assert listed(["3", "4"]) == "3 and 4"
    assert listed(["3", "4", "6"], "or") == "3, 4 or 6"


def test_counts() -> None:
    assert counted(1, "ply") == "1 ply"
    assert counted(2, "ply") == "2 plies"
    assert counted(0, "cell") == "0 cells"
    assert counted(1, "point") == "1 point"


def test_long_lines_of_moves_are_cut() -> None:
    start = Position("conniption")

    assert moves_text(start, [0, 7, 0, 21]) == "1 1f 1 f1f"
    assert moves_text(start, list(range(9))) == "1 2 3 4 5 6 7 1f ..."


def cells(*places: tuple[int, int]) -> list[Cell]:
    return [Cell(*place) for place in places]


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (cells((5, 1), (5, 2), (5, 3), (5, 4)), "the line 2-5 in row 1"),
        (cells((2, 6), (3, 6), (4, 6), (5, 6)), "the line in column 7, rows 1-4"),
        (
            cells((5, 0), (4, 1), (3, 2), (2, 3)),
            "the diagonal from column 1, row 1 to column 4, row 4",
        ),
        (
            cells((0, 0), (1, 1), (2, 2), (3, 3)),
            "the diagonal from column 1, row 6 to column 4, row 3",
        ),
        (
            cells((5, 0), (5, 1), (5, 2), (5, 3), (4, 0), (3, 0), (2, 0)),
            "the line 1-4 in row 1 and the line in column 1, rows 1-4",
        ),
        (cells((5, 0), (5, 1), (5, 2)), ""),
    ],
)
def test_lines_of_cells_have_names(found: list[Cell], words: str) -> None:
    assert lines_text(Position("connect-four").picture(), found, 4) == words


def test_lines_are_called_by_the_columns_of_their_game_and_by_cells_that_have_names() -> None:
    found = cells((5, 0), (5, 1), (5, 2))

    assert lines_text(Position("extended").picture(), found, 3) == "the line 0-2 in row 1"
    assert lines_text(Position("squatter").picture(), found, 3) == "the line a6-c6"
