"""A curve fits the screen, goes up and down from its middle, and names its values."""

from __future__ import annotations

import pytest

from plyboard.terminal.drawing.curve import HEIGHT, curve_lines

LABELS = ("x wins", "even", "o wins")


def test_columns_go_up_and_down_from_the_middle() -> None:
    found = list(curve_lines([0.5, 0.7, 1.0, 0.3, 0.0], LABELS, 80, is_fancy=False))

    assert found == [
        "x wins |      ###",
        "       |      ###",
        "       |   ######",
        "  even |---------------",
        "       |         ######",
        "       |            ###",
        "o wins |            ###",
        "        0     2     4",
    ]


def test_more_characters_tell_more() -> None:
    found = list(curve_lines([0.5, 0.6, 1.0, 0.4, 0.0], LABELS, 14, is_fancy=True))

    assert found == [
        "x wins │  █",
        "       │  █",
        "       │ ▅█",
        "  even │─────",
        "       │   ▀█",
        "       │    █",
        "o wins │    █",
        "        0",
    ]


@pytest.mark.parametrize("count", [1, 2, 43, 200, 1000])
@pytest.mark.parametrize("width", [12, 40, 80])
@pytest.mark.parametrize("is_fancy", [False, True])
def test_it_fits_the_screen(count: int, width: int, is_fancy: bool) -> None:
    shares = [place / count for place in range(count)]

    found = list(curve_lines(shares, LABELS, width, is_fancy=is_fancy))

    assert len(found) == HEIGHT + 1
    assert max(map(len, found[:HEIGHT])) <= width


def test_of_too_many_values_the_first_and_the_last_are_shown() -> None:
    shares = [1.0] + [0.5] * 998 + [0.0]

    found = list(curve_lines(shares, LABELS, 40, is_fancy=False))

    assert found[0] == "x wins |#"
    assert found[-2] == "o wins |" + " " * 31 + "#"
    assert found[-1].split()[0] == "0"
