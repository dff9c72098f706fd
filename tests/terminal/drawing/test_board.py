"""Boards that fit: roomy, narrow and dense, with marks, names and colours."""

from __future__ import annotations

import pytest

from plyboard.games import Position
from plyboard.terminal.drawing.board import BoardText, ink_on


def drawn(position: Position, width: int, *, fancy: bool = False) -> str:
    return "\n".join(line.plain for line in BoardText(position.picture(), width, fancy).lines())


def after(spec: str, moves: str) -> Position:
    return Position(spec).play(*moves.split())


LINE = after("connect-four:columns=5,rows=2,line=3", "2 2 3 3 4")


@pytest.mark.parametrize(
    ("width", "board"),
    [
        (15, " 1  2  3  4  5\n .  o  o  .  . \n . *x**x**x* . "),
        (14, " 1 2 3 4 5\n . o o . . \n .*x*x*x*. "),
        (11, " 1 2 3 4 5\n . o o . . \n .*x*x*x*. "),
        (10, "12345\n.oo..\n.xxx."),
    ],
)
def test_a_board_gets_the_air_that_there_is(width: int, board: str) -> None:
    assert drawn(LINE, width) == board


def test_the_last_move_stands_in_brackets() -> None:
    assert drawn(after("connect-four:columns=4,rows=1", "2"), 80) == " 1  2  3  4\n . [x] .  . "
    assert drawn(after("connect-four:columns=4,rows=1", "2"), 9) == " 1 2 3 4\n .[x]. . "


def test_long_names_of_columns_stand_upright_where_there_is_no_room() -> None:
    position = after("connect-four:columns=12,rows=1", "12")

    assert drawn(position, 36).splitlines() == [
        " 1  2  3  4  5  6  7  8  9 10 11 12",
        " .  .  .  .  .  .  .  .  .  .  . [x]",
    ]
    assert drawn(position, 35).splitlines() == [
        "                   1 1 1",
        " 1 2 3 4 5 6 7 8 9 0 1 2",
        " . . . . . . . . . . .[x]",
    ]
    assert drawn(position, 20).splitlines() == ["         111", "123456789012", "...........x"]


def test_names_of_rows_stand_in_the_margin() -> None:
    position = after("squatter:size=3", "b1 a1")

    assert drawn(position, 40).splitlines() == [
        "   a  b  c", "1 [B] W  + ", "2  +  +  + ", "3  +  +  + ",
    ]  # fmt: skip
    assert drawn(position, 5).splitlines() == ["  abc", "1 BW+", "2 +++", "3 +++"]


def test_empty_cells_are_dots_in_the_middle_where_there_are_such() -> None:
    assert drawn(LINE, 80, fancy=True).splitlines()[1] == " \u00b7  o  o  \u00b7  \u00b7 "


def test_pieces_have_the_colours_of_their_picture() -> None:
    row = list(BoardText(LINE.picture(), 80).lines())[2]
    styles = {row.plain[span.start + 1]: str(span.style) for span in row.spans}

    assert styles["x"] == "bold #222222 on #ffffff"
    assert styles["."] == "#ffffff on #3f7cbf"


def test_captured_cells_have_the_colour_of_their_owner() -> None:
    position = after("squatter:size=4", "b1 d4 a2 d3 c2 d2 b3")
    row = list(BoardText(position.picture(), 80).lines())[2]
    styles = [str(span.style) for span in row.spans if row.plain[span.start + 1] == "-"]

    assert styles == ["#000000 on #d8d0c0"]


@pytest.mark.parametrize("spec", ["connect-four:columns=9,rows=6", "squatter", "extended"])
@pytest.mark.parametrize("width", [20, 40, 80])
def test_no_line_is_wider_than_the_screen(spec: str, width: int) -> None:
    lines = drawn(Position(spec), width).splitlines()

    assert max(map(len, lines)) <= width


def test_what_is_written_on_a_colour_can_be_read() -> None:
    assert ink_on("#1f5fa8") == "#ffffff"
    assert ink_on("#b58a55") == "#000000"
