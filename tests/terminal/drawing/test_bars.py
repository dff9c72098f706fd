"""The table of moves fits the screen, in plain ASCII where there is nothing more."""

from __future__ import annotations

import pytest

from plyboard.evaluate import score_scale
from plyboard.games import Position
from plyboard.search.common.choice import WIN, ValuedMove
from plyboard.terminal.drawing.bars import bar_text, fitted, value_table

MOVES = [
    ValuedMove(3, WIN - 7, (3, 2, 4, 1, 5, 0, 6), 7, 1_234_567, exact=True),
    ValuedMove(2, 1.25, (2, 3), 9, 42),
    ValuedMove(4, 0.0, (4,), 0, 0, exact=True),
    ValuedMove(0, 4 - WIN, (0, 3, 3, 3), 4, 99, exact=True),
]


def table(width: int, *, is_fancy: bool = False, text: str = "connect-four") -> list[str]:
    lines = value_table(Position.read(text), MOVES, width, is_fancy=is_fancy)
    return [line.plain for line in lines]


@pytest.fixture(autouse=True)
def _usual_scale(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(score_scale, "fitted_scales", dict)


def test_a_wide_screen_has_room_for_all() -> None:
    assert table(80) == [
        "move  value                   depth      nodes  line",
        "4     win in 7    ##########      7  1,234,567  4 3 5 2 6 1 7",
        "3     about 58 %  ######....      9         42  3 4",
        "5     draw        #####.....      -          0  5",
        "1     loss in 4   ..........      4         99  1 4 4 4",
    ]


def test_a_narrow_screen_leaves_out_how_it_was_found() -> None:
    assert table(39) == [
        "move  value               line",
        "4     win in 7    ######  4 3 5 2 6 1 7",
        "3     about 58 %  ###...  3 4",
        "5     draw        ###...  5",
        "1     loss in 4   ......  1 4 4 4",
    ]


@pytest.mark.parametrize("width", [34, 40, 59, 60, 80, 200])
@pytest.mark.parametrize("is_fancy", [False, True])
def test_no_line_is_longer_than_the_screen(width: int, is_fancy: bool) -> None:
    assert max(map(len, table(width, is_fancy=is_fancy))) <= width


def test_points_fill_half_a_bar_where_they_are_even() -> None:
    position = Position("extended")
    moves = [ValuedMove(0, 10.0, (0,)), ValuedMove(1, 0.0, (1,)), ValuedMove(2, -5.0, (2,))]

    bars = [line.plain.split()[3] for line in value_table(position, moves, 80, is_fancy=False)][1:]

    assert bars == ["##########", "#####.....", "##........"]


@pytest.mark.parametrize(
    ("share", "plain", "fancy"),
    [
        (0.0, "....", "····"),
        (0.01, "#...", "▏···"),
        (0.5, "##..", "██··"),
        (0.66, "###.", "██▋·"),
        (1.0, "####", "████"),
    ],
)
def test_bars_show_their_share(share: float, plain: str, fancy: str) -> None:
    assert bar_text(share, 4, is_fancy=False) == plain
    assert bar_text(share, 4, is_fancy=True) == fancy


def test_a_line_is_cut_between_words() -> None:
    assert fitted(["f4f", "3", "2f"], 8) == "f4f 3 2f"
    assert fitted(["f4f", "3", "2f", "1"], 9) == "f4f 3 .."
    assert fitted(["f4f"], 2) == ".."
