import pytest
from games.formats.samples import random_positions, refusal

from plyboard.games.catalogue import game
from plyboard.games.position import Position
from plyboard.games.squatter import Squatter
from plyboard.origins.squatter.board import read, write

ASKED = Squatter()
HIDDEN = str.maketrans("wb", "--")


def board(rows: str) -> str:
    """Spell a board with its size and with blanks."""
    lines = [" ".join(row) for row in rows.split("/")]
    return "\n".join([str(len(lines)), *lines]) + "\n"


def test_a_board_is_its_size_and_its_rows() -> None:
    position = Position("squatter:size=3").play("a1", "c2")

    assert write(position) == "3\nW + +\n+ + B\n+ + +\n"
    assert read(write(position), ASKED) == position


def test_captured_pieces_are_hidden_and_come_back_as_captured_cells() -> None:
    position = Position("squatter:size=3").play("b1", "b2", "a2", "a1", "c2", "c1", "b3")

    assert write(position) == "3\nB W B\nW - W\n+ W +\n"
    assert read(write(position), ASKED).text() == "BWB/W-W/+W+ B"


@pytest.mark.parametrize("size", [3, 4, 6, 8])
def test_every_board_of_random_games_comes_back(size: int) -> None:
    for position in random_positions(f"squatter:size={size}", 6):
        text = write(position)
        again = read(text, ASKED)

        assert write(again) == text
        assert again.state[2:4] == position.state[2:4]
        if "-" not in text:
            assert again == position


@pytest.mark.parametrize(
    ("rows", "mover"),
    [
        ("+++/+++/+++", "W"),
        ("W++/+++/+++", "B"),
        ("B++/+++/+++", "W"),
        ("WB+/+++/+++", "W"),
        ("+W+/W-W/+W+", "B"),
    ],
)
def test_black_moves_where_white_has_more_pieces(rows: str, mover: str) -> None:
    position = read(board(rows), game("squatter:size=8"))

    assert position.text() == f"{rows} {mover}"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "NotationError: no size at 1:1: got nothing; expected a number from 3 to 8"),
        ("9", "NotationError: no size at 1:1: got '9' (U+0039); expected a number from 3 to 8"),
        (
            board("+b+/+++/+++"),
            "NotationError: no cell at 2:3: got 'b' (U+0062); expected one of BW+-",
        ),
        (
            board("+++/+-+/+++"),
            "NotationError: captured cell not enclosed at 3:3: got '-' (U+002D); "
            "expected pieces around it, not + at 2:3",
        ),
        (
            board("BB+/+++/+++"),
            "UnreachableError: unreachable position at board: got 2 B and 0 W; "
            "expected as many, or one more of either",
        ),
        (
            board("BWB/W+W/BWB"),
            "UnreachableError: open cell at 3:3: got '+' (U+002B); "
            "expected a captured cell, for W stands all around it",
        ),
    ],
)
def test_a_board_that_is_none_is_refused_with_its_cell(text: str, said: str) -> None:
    assert refusal(lambda: read(text, ASKED)) == said
