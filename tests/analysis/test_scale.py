"""Values become expected results, points and words."""

from __future__ import annotations

import pytest

from plyboard.analysis.scale import expected, in_words, worth
from plyboard.search.common.choice import WIN, ValuedMove


def test_proved_results_are_whole_or_half_games() -> None:
    assert expected(WIN - 9, exact=True) == 1
    assert expected(0.0, exact=True) == 0.5
    assert expected(8 - WIN, exact=True) == 0


def test_guesses_lie_between_and_rise() -> None:
    shares = [expected(value / 2, exact=False) for value in range(-200, 201)]

    assert shares == sorted(shares)
    assert 0 < shares[0] < 0.001
    assert 0.999 < shares[-1] < 1
    assert expected(0.0, exact=False) == 0.5
    assert expected(5000.0, exact=False) <= 1
    assert expected(3.0, exact=False) + expected(-3.0, exact=False) == pytest.approx(1)


def test_a_move_is_worth_its_points_where_there_are_points() -> None:
    move = ValuedMove(0, 7.0, (0,))

    assert worth(move, has_points=True) == 7
    assert worth(move, has_points=False) == expected(7.0, exact=False)


@pytest.mark.parametrize(
    ("value", "exact", "has_points", "words"),
    [
        (WIN - 7, True, False, "win in 7"),
        (4 - WIN, True, False, "loss in 4"),
        (WIN - 7, False, False, "win in at most 7"),
        (0.0, True, False, "draw"),
        (0.0, False, False, "about 0"),
        (-1.25, False, False, "about -1.25"),
        (12.0, True, True, "+12 points"),
        (1.0, True, True, "+1 point"),
        (-1.0, True, True, "-1 point"),
        (0.0, True, True, "0 points"),
        (11.0, True, True, "+11 points"),
        (2.5, False, True, "about +2.5"),
    ],
)
def test_words(value: float, exact: bool, has_points: bool, words: str) -> None:
    assert in_words(value, exact=exact, has_points=has_points) == words
