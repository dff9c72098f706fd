"""The heuristic function of the text of Alice and Bill."""

from __future__ import annotations

import pytest

from plyboard.origins.alice import heuristic


@pytest.mark.parametrize(
    ("columns", "value"),
    [
        ("aaaa bbb b e e e e", 1000),
        ("bbbb aaa e e e e e", -1000),
        ("bbaaba aabbab bbaaba aabbab bbaaba aabbab bbaaba", 0),  # full
        ("e e e e e e e", 0),
        ("e e ab a b e e", 1),  # a row of two, free at its left end
        ("aa b b e e e e", 0),  # a two of each
        ("aaa bb b e e e e", 3),  # a three, and two twos of Bill: upright and level
    ],
)
def test_the_value_of_a_board(columns: str, value: int) -> None:
    assert heuristic(columns.split()) == value
