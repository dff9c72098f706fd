import pytest
from games.formats.samples import random_positions, refusal

from plyboard.errors import UsageError
from plyboard.games.catalogue import game
from plyboard.games.extended import Extended
from plyboard.games.position import Position
from plyboard.origins.extended.case import read, read_tuple, write, write_tuple

ASKED = Extended()


def empty_case(pops: int, rows: int, columns: int) -> str:
    return f"{pops}\n" + (" ".join("0" * columns) + "\n") * rows


@pytest.mark.parametrize(
    ("pops", "rows", "columns"),
    [(6, 6, 8), (9, 6, 10), (0, 6, 10), (0, 4, 6), (10, 12, 12), (0, 1, 2)],
)
def test_an_empty_case_is_the_start_of_a_game_of_its_size(
    pops: int, rows: int, columns: int
) -> None:
    position = read(empty_case(pops, rows, columns), ASKED)

    assert position == Position(Extended(rows, columns, pops))
    assert write(position) == empty_case(pops, rows, columns)


def test_rows_come_from_the_top() -> None:
    position = read("3\n0 0 0 0\n0 1 0 0\n2 1 0 0\n", game("extended:rows=9"))

    assert position.text() == "..../.1../21.. 1 3,3"


def test_blanks_and_blank_lines_more_than_needed_do_no_harm() -> None:
    assert read("\n 3 \n\n0  0\n\n 2   1\n\n", ASKED) == read("3\n0 0\n2 1\n", ASKED)


def test_counts_may_be_anything_for_discs_may_have_been_popped() -> None:
    assert read("0\n1 1\n1 1\n", ASKED).outcome() is not None


def test_a_full_board_with_pops_left_goes_on() -> None:
    assert read("1\n1 2\n2 1\n", ASKED).legal_moves() == ("0p",)


@pytest.mark.parametrize("spec", ["extended", "extended:rows=3,columns=4,pops=2"])
def test_every_case_of_random_games_comes_back(spec: str) -> None:
    written = 0
    for position in random_positions(spec, 12):
        if position.mover == 0 and len(set(position.text().split()[-1].split(","))) == 1:
            again = read(write(position), ASKED)
            written += 1

            assert again.text() == position.text()
            assert write(again) == write(position)
    assert written > 50


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("0", "wrong player at extended-case: got 2 to move; expected 1 to move"),
        (
            "0 1 0p 1",
            "wrong pops at extended-case: got 5 and 6; expected as many pops for both, at most 10",
        ),
    ],
)
def test_a_position_that_is_no_case_cannot_be_written(moves: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        write(Position("extended").play(*moves.split()))

    assert str(caught.value) == said


def test_more_pops_than_a_case_may_have_cannot_be_written() -> None:
    with pytest.raises(UsageError, match="got 11 and 11; expected as many pops"):
        write(Position("extended:pops=11"))


POPS = "expected a number from 0 to 10 on a line of its own"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", f"no pops at 1:1: got nothing; {POPS}"),
        ("0 0\n0 0", f"no pops at 1:1: got '0 0'; {POPS}"),
        ("-1\n0 0", f"no pops at 1:1: got '-1'; {POPS}"),
        ("11\n0 0", f"no pops at 1:1: got '11'; {POPS}"),
        ("3.0\n0 0", f"no pops at 1:1: got '3.0'; {POPS}"),
        ("abc\n0 0", f"no pops at 1:1: got 'abc'; {POPS}"),
        ("06\n0 0", f"no pops at 1:1: got '06'; {POPS}"),
        ("6", "no board at 2:1: got nothing; expected rows of 0, 1 and 2 after the pops"),
        ("\n\n6\n\n", "no board at 4:1: got nothing; expected rows of 0, 1 and 2 after the pops"),
        ("6\n0", "wrong row at 2:1: got '1 cells'; expected an even number of cells from 2 to 12"),
        (
            "6\n0 0 0",
            "wrong row at 2:1: got '3 cells'; expected an even number of cells from 2 to 12",
        ),
        (
            "6\n" + (" ".join("0" * 17) + "\n") * 17,
            "wrong row at 2:1: got '17 cells'; expected an even number of cells from 2 to 12",
        ),
        (
            "6\n0 0\n0 0 0 0",
            "wrong row at 3:1: got '4 cells'; expected 2 cells, as in the first row",
        ),
        ("6\n0 0\n0", "wrong row at 3:1: got '1 cells'; expected 2 cells, as in the first row"),
        ("6\n0 3", "no cell at 2:3: got '3' (U+0033); expected 0, 1 or 2"),
        ("6\n0 -1", "no cell at 2:3: got '-1'; expected 0, 1 or 2"),
        ("6\n1.0 0", "no cell at 2:1: got '1.0'; expected 0, 1 or 2"),
        ("6\n0000", "no cell at 2:1: got '0000'; expected 0, 1 or 2"),
        ("6\n0 0\n# end", "no cell at 3:1: got '#' (U+0023); expected 0, 1 or 2"),
        (
            "6\n0 1\n0 0",
            "floating disc at 2:3: got '1' (U+0031); expected a disc or the floor below",
        ),
        ("6\n" + "0 0\n" * 13, "one row too many at 14:1: got '0 0'; expected at most 12 rows"),
    ],
)
def test_a_text_that_is_no_case_is_refused_with_its_place(text: str, said: str) -> None:
    assert refusal(lambda: read(text, ASKED)) == "NotationError: " + said


@pytest.mark.parametrize("pops", [True, False])
def test_move_tuples_come_back(pops: bool) -> None:
    for column in range(12):
        assert read_tuple(write_tuple((column, pops))) == (column, pops)
    assert write_tuple((3, True)) == "(3, True)"


def test_the_time_out_mark_is_never_a_move() -> None:
    assert refusal(lambda: read_tuple("(1000, True)")) == (
        "NotationError: not a move at move: got '(1000, True)'; "
        "expected a move; this is the mark for a turn lost by the clock"
    )


@pytest.mark.parametrize(
    "text",
    ["", "3", "3p", "3P", "P3", "(3)", "(3,True)", "(3, true)", "(3, 1)", "(03, True)",
     "(-1, True)", "(12, True)", "(1000, False)", " (3, True)", "(3, True) ", "(3, True)\n",
     "(3, True)(3, True)", "(\u0663, True)"],
)  # fmt: skip
def test_anything_else_is_no_move_tuple(text: str) -> None:
    assert refusal(lambda: read_tuple(text, "2:1")).endswith(
        "; expected (column, True) or (column, False), columns 0 to 11"
    )
