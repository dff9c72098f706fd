import pytest
from games.formats.samples import random_positions, refusal

from plyboard.errors import UsageError
from plyboard.games.catalogue import game
from plyboard.games.position import Position
from plyboard.games.squatter import Squatter
from plyboard.origins.squatter.symbols import read, write

ASKED = Squatter()


def board(rows: str) -> str:
    """Spell a board with blanks."""
    return "".join(" ".join(row) + "\n" for row in rows.split("/"))


def test_a_board_shows_captured_pieces_too() -> None:
    position = Position("squatter:size=3").play("b1", "b2", "a2", "a1", "c2", "c1", "b3")

    assert write(position) == "B W B\nW b W\n+ W +\n"
    assert read(write(position), ASKED) == position


def test_no_piece_is_hidden_so_counts_are_compared_whatever_was_captured() -> None:
    rings = "+WWWWW+/W-bbb-W/Wb-w-bW/Wbw-wbW/Wb-w-bW/W-bbb-W/+WWWWW+"

    assert refusal(lambda: read(board(rings), ASKED)) == (
        "UnreachableError: unreachable position at squatter:size=7: "
        "24 White and 12 Black pieces; they differ by one at most"
    )


@pytest.mark.parametrize("size", range(3, 9))
def test_every_position_of_random_games_comes_back(size: int) -> None:
    for position in random_positions(f"squatter:size={size}", 6):
        assert read(write(position), game("squatter:size=5")) == position


def test_a_position_whose_player_to_move_the_board_does_not_tell_cannot_be_written() -> None:
    with pytest.raises(UsageError) as caught:
        write(Position("squatter:size=3", "WB+/+++/+++ B"))

    assert str(caught.value) == (
        "wrong player at squatter-symbols: got B to move; "
        "expected W, which is all that these counts of pieces can tell"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "NotationError: wrong board at 1:1: got nothing; expected 3 to 8 rows"),
        (board("++/++"), "NotationError: wrong board at 1:1: got '2 rows'; expected 3 to 8 rows"),
        (
            board("/".join(["+" * 9] * 9)),
            "NotationError: wrong board at 1:1: got '9 rows'; expected 3 to 8 rows",
        ),
        (
            "3\n" + board("+++/+++/+++"),
            "NotationError: no cell at 1:1: got '3' (U+0033); expected one of BWbw+-",
        ),
        (
            board("+++/++/+++"),
            "NotationError: wrong row at 2:4: got nothing; expected 3 cells with a blank between",
        ),
        (
            board("+++/++++/+++"),
            "NotationError: wrong row at 2:6: got ' ' (U+0020); "
            "expected 3 cells with a blank between",
        ),
        (
            "+++\n+++\n+++",
            "NotationError: no gap at 1:2: got '+' (U+002B); expected a blank between cells",
        ),
        (
            board("+++/+o+/+++"),
            "NotationError: no cell at 2:3: got 'o' (U+006F); expected one of BWbw+-",
        ),
        (
            board("+++/++b/+++"),
            "NotationError: captured cell on the border at 2:5: got 'b' (U+0062); "
            "expected +, B or W",
        ),
        (
            board("+W+/WbB/+W+"),
            "NotationError: captured cell between two colours at 2:3: got 'b' (U+0062); "
            "expected only W around it, not B at 2:5",
        ),
        (
            board("+W+/Wb+/+W+"),
            "NotationError: captured cell not enclosed at 2:3: got 'b' (U+0062); "
            "expected pieces around it, not + at 2:5",
        ),
        (
            board("+W+/WBW/BWB"),
            "UnreachableError: open cell at 2:3: got 'B' (U+0042); "
            "expected a captured cell, for W stands all around it",
        ),
        (
            board("WW+/+++/+++"),
            "UnreachableError: unreachable position at board: got 0 B and 2 W; "
            "expected as many, or one more of either",
        ),
        (
            board("+W+/W-W/+W+"),
            "UnreachableError: unreachable position at squatter:size=3: "
            "4 White and 0 Black pieces; they differ by one at most",
        ),
    ],
)
def test_a_board_that_is_none_is_refused_with_its_cell(text: str, said: str) -> None:
    assert refusal(lambda: read(text, ASKED)) == said
