import pytest
from games.formats.samples import random_game, refusal

from plyboard.games.formats import format_named
from plyboard.games.squatter import Squatter
from plyboard.origins.squatter.winner import BoardResult, board_result

TWO_LOOPS = "WWWBBBB/W-WB--B/WWWB--B/WWWBBBB/WWWBBBB/WWWBBBB/WWWBBBB"


def board(rows: str) -> str:
    """Spell a board as a judge gets it: its size, then its rows with blanks."""
    lines = [" ".join(row) for row in rows.split("/")]
    return "\n".join([str(len(lines)), *lines]) + "\n"


def test_the_one_who_captured_more_has_won() -> None:
    assert board_result(board(TWO_LOOPS)) == BoardResult("Black", 1, 4)


def test_the_other_colours_give_the_other_winner() -> None:
    swapped = TWO_LOOPS.translate(str.maketrans("BW", "WB"))

    assert board_result(board(swapped)) == BoardResult("White", 4, 1)


def test_nobody_has_won_while_a_cell_is_free() -> None:
    assert board_result(board("+WWBBBB" + TWO_LOOPS[7:])) == BoardResult("None", 1, 4)


def test_a_full_board_without_captures_is_a_draw() -> None:
    assert board_result(board("WBW/BWB/BWB")) == BoardResult("Draw", 0, 0)


@pytest.mark.parametrize("size", range(3, 17))
def test_an_empty_board_of_any_size_has_no_winner(size: int) -> None:
    assert board_result(board("/".join(["+" * size] * size))) == BoardResult("None", 0, 0)


def test_captured_cells_count_whatever_is_in_them() -> None:
    rings = "+WWWWW+/W-----W/W-----W/W-----W/W-----W/W-----W/+WWWWW+"

    assert board_result(board(rings)) == BoardResult("None", 25, 0)


def test_loops_may_be_closed_corner_to_corner() -> None:
    diamonds = "++W+W++/+W-W-W+/++W+W++/+++++++/+++B+++/++B-B++/+++B+++"

    assert board_result(board(diamonds)) == BoardResult("None", 2, 1)


def test_every_board_of_random_games_is_judged_by_its_captured_cells() -> None:
    write = format_named("squatter-board").write
    for size in (3, 5, 6, 8):
        for seed in range(6):
            for position in random_game(f"squatter:size={size}", seed):
                judged = board_result(write(position))
                captured = [cell.bit_count() for cell in position.state[2:4]]

                assert [judged.white, judged.black] == captured
                assert (judged.winner == "None") == (position.outcome() is None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no size at 1:1: got nothing; expected a number from 3 to 16"),
        ("+ + +\n+ + +\n+ + +", "no size at 1:1: got '+ + +'; expected a number from 3 to 16"),
        ("\n3\n+ + +\n+ + +\n+ + +", "no size at 1:1: got nothing; expected a number from 3 to 16"),
        ("0", "no size at 1:1: got '0' (U+0030); expected a number from 3 to 16"),
        ("2\n+ +\n+ +", "no size at 1:1: got '2' (U+0032); expected a number from 3 to 16"),
        ("17", "no size at 1:1: got '17'; expected a number from 3 to 16"),
        ("6.0", "no size at 1:1: got '6.0'; expected a number from 3 to 16"),
        ("1000000000", "no size at 1:1: got '1000000000'; expected a number from 3 to 16"),
        ("03", "no size at 1:1: got '03'; expected a number from 3 to 16"),
        ("3\n3\n+ + +\n+ + +\n+ + +", "no cell at 2:1: got '3' (U+0033); expected one of BW+-"),
        ("3\n+ + +\n+ + +", "no row 3 at 4:1: got nothing; expected 3 rows"),
        (
            "3\n+ + +\n+ + +\n+ + +\n+ + +",
            "one row too many at 5:1: got '+ + +'; expected the end after 3 rows",
        ),
        (
            "3\n+ + +\n\n+ + +\n+ + +",
            "wrong row at 3:1: got nothing; expected 3 cells with a blank between",
        ),
        (
            "3\n+ + +\n+ +\n+ + +",
            "wrong row at 3:4: got nothing; expected 3 cells with a blank between",
        ),
        (
            "3\n+ + + +\n+ + +\n+ + +",
            "wrong row at 2:6: got ' ' (U+0020); expected 3 cells with a blank between",
        ),
        ("3\n+++\n+++\n+++", "no gap at 2:2: got '+' (U+002B); expected a blank between cells"),
        ("3\n+  + +\n+ + +\n+ + +", "no cell at 2:3: got ' ' (U+0020); expected one of BW+-"),
        ("3\n + + +\n+ + +\n+ + +", "no cell at 2:1: got ' ' (U+0020); expected one of BW+-"),
        ("3\n+ B +\nB w B\n+ B +", "no cell at 3:3: got 'w' (U+0077); expected one of BW+-"),
        (
            "3\n+ - +\n+ + +\n+ + +",
            "captured cell on the border at 2:3: got '-' (U+002D); expected +, B or W",
        ),
        (
            "3\n+ W +\nB - W\n+ W +",
            "captured cell between two colours at 3:3: got '-' (U+002D); "
            "expected only W around it, not B at 3:1",
        ),
        (
            "3\n+ W +\nW - +\n+ W +",
            "captured cell not enclosed at 3:3: got '-' (U+002D); "
            "expected pieces around it, not + at 3:5",
        ),
        (
            "4\n+ W B +\nW - - B\n+ W B +\n+ + + +",
            "captured cell between two colours at 3:3: got '-' (U+002D); "
            "expected only W around it, not B at 3:7",
        ),
    ],
)
def test_a_board_that_is_none_is_refused_with_its_cell(text: str, said: str) -> None:
    assert refusal(lambda: board_result(text)) == "NotationError: " + said


def test_swapped_symbols_are_noticed_at_the_border() -> None:
    swapped = board("/".join(["------", "--W---", "-W+W--", "--W---", "------", "------"]))

    assert refusal(lambda: board_result(swapped)).startswith(
        "NotationError: captured cell on the border at 2:1: got '-' (U+002D)"
    )


@pytest.mark.parametrize(
    ("rows", "judged"),
    [
        ("/".join(["WWWWWWW", "BBBBBBB"] * 3 + ["WWWWWWW"]), BoardResult("Draw", 0, 0)),
        ("W+W/+++/+++", BoardResult("None", 0, 0)),
        ("BWB/W+W/BWB", BoardResult("None", 0, 0)),
        ("WWW/W-W/WWW", BoardResult("White", 1, 0)),
        ("WWWW/WWWW/WW-W/WWWW", BoardResult("White", 1, 0)),
    ],
)
def test_a_board_that_no_game_reaches_is_judged_all_the_same(
    rows: str, judged: BoardResult
) -> None:
    assert board_result(board(rows)) == judged


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (
            "W+W/+++/+++",
            "unreachable position at board: got 0 B and 2 W; "
            "expected as many, or one more of either",
        ),
        (
            "BWB/W+W/BWB",
            "open cell at 3:3: got '+' (U+002B); "
            "expected a captured cell, for W stands all around it",
        ),
        (
            "+W+W/WBWB/BWB+/++++",
            "open cell at 3:3: got 'B' (U+0042); "
            "expected a captured cell, for W stands all around it",
        ),
    ],
)
def test_a_board_that_no_game_reaches_is_no_position(rows: str, said: str) -> None:
    read = format_named("squatter-board").read

    assert refusal(lambda: read(board(rows), Squatter())) == "UnreachableError: " + said
