import pytest
from games.formats.samples import random_game, random_positions, refusal

from plyboard.errors import SpecError
from plyboard.games.catalogue import game
from plyboard.games.connect_four import ConnectFour
from plyboard.games.formats.cfour_fen import drop_text, read, read_drop, write
from plyboard.games.position import Position

FOUR = ConnectFour()
START = "7/7/7/7/7/7[PPPPPPPPPPPPPPPPPPPPPppppppppppppppppppppp] w - - 0 1"


def test_the_start_has_all_discs_in_hand() -> None:
    assert write(Position("connect-four")) == START + "\n"
    assert read(START, FOUR) == Position("connect-four")


def test_discs_leave_the_hand_for_the_board() -> None:
    assert write(Position("connect-four").play("4", "4", "5")) == (
        f"7/7/7/7/3p3/3PP2[{'P' * 19}{'p' * 20}] b - - 0 2\n"
    )


def test_empty_cells_may_be_more_than_nine() -> None:
    assert write(Position("connect-four:columns=16,rows=1").play("3", "16")) == (
        "2P12p[PPPPPPPppppppp] w - - 0 2\n"
    )


@pytest.mark.parametrize(
    "spec",
    ["connect-four", "connect-four:columns=12,rows=3", "connect-four:columns=5,rows=5,line=3"],
)
def test_every_position_of_random_games_comes_back(spec: str) -> None:
    for position in random_positions(spec, 8):
        assert read(write(position), position.game) == position


@pytest.mark.parametrize(
    "fields", ["", " w", " w -", " w - -", " w - - 0", " w - - 7 1", "   w  -  -  0  3"]
)
def test_fields_at_the_end_may_be_left_out(fields: str) -> None:
    expected = Position("connect-four").play("4", "4")

    assert read("7/7/7/7/3p3/3P3" + fields, FOUR) == expected
    assert read(f"7/7/7/7/3p3/3P3[{'Pp' * 20}]" + fields, FOUR) == expected


def test_the_board_has_the_size_of_its_ranks_and_lines_as_asked_for() -> None:
    assert read("8/8/8/8", game("connect-four:line=5")).game == ConnectFour(8, 4, 5)
    assert read("7/7/7/7/7/7", game("connect-four:line=5")).game == ConnectFour(7, 6, 5)


def test_a_line_longer_than_the_board_is_refused_as_in_a_spec() -> None:
    with pytest.raises(SpecError, match="line longer than the board"):
        read("3/3/3", game("connect-four:line=5"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "",
            "NotationError: no position at 1:1: got nothing; "
            "expected ranks[discs left] w|b - - clock move",
        ),
        (
            "7/7/7/7/7/3X3",
            "NotationError: no cell at 1:12: got 'X' (U+0058); "
            "expected P, p or a number of empty cells",
        ),
        (
            "7/7/7/7/7/07",
            "NotationError: no cell at 1:11: got '0' (U+0030); "
            "expected P, p or a number of empty cells",
        ),
        (
            "\n 7/7/7/7/7/6",
            "NotationError: wrong rank at 2:12: got '6' (U+0036); "
            "expected 7 cells, as in the first rank",
        ),
        (
            "7/7/7/7/7/8",
            "NotationError: wrong rank at 1:11: got '8' (U+0038); "
            "expected 7 cells, as in the first rank",
        ),
        ("7/7//7", "NotationError: wrong rank at 1:5: got nothing; expected 1 to 16 cells"),
        ("17/17", "NotationError: wrong rank at 1:1: got '17'; expected 1 to 16 cells"),
        (
            "/".join("7" * 17),
            "NotationError: wrong board at 1:1: got '17 ranks'; expected 1 to 16 ranks",
        ),
        (
            "7/7/7/7/3P3/7",
            "NotationError: floating disc at 1:10: got 'P' (U+0050); "
            "expected a disc or the floor below",
        ),
        (
            "7/7/7/7/7/7[PQ]",
            "NotationError: no holdings at 1:12: got '[PQ]'; expected P and p in brackets",
        ),
        (
            "7/7/7/7/7/7[Pp",
            "NotationError: no holdings at 1:12: got '[Pp'; expected P and p in brackets",
        ),
        (
            "7/7/7/7/7/7[Pp]]",
            "NotationError: no holdings at 1:12: got '[Pp]]'; expected P and p in brackets",
        ),
        (
            "7/7/7/7/7/7 W",
            "NotationError: no side to move at 1:13: got 'W' (U+0057); expected w or b",
        ),
        ("7/7/7/7/7/7 w KQkq", "NotationError: no third field at 1:15: got 'KQkq'; expected -"),
        ("7/7/7/7/7/7 w - e3", "NotationError: no fourth field at 1:17: got 'e3'; expected -"),
        (
            "7/7/7/7/7/7 w - - x",
            "NotationError: no clock at 1:19: got 'x' (U+0078); expected a number",
        ),
        (
            "7/7/7/7/7/7 w - - 0 0",
            "NotationError: no move number at 1:21: got '0' (U+0030); expected a number from 1",
        ),
        (
            "7/7/7/7/7/7 w - - 0 99999",
            "NotationError: no move number at 1:21: got '99999'; expected a number from 1",
        ),
        (
            START + " 1",
            "NotationError: one field too many at 1:67: got '1' (U+0031); "
            "expected ranks[discs left] w|b - - clock move",
        ),
        (
            START + "\n" + START,
            f"NotationError: one line too many at 2:1: got '{START[:60]}'...; "
            "expected one line: ranks[discs left] w|b - - clock move",
        ),
        ("7/7/7/7/7/3P3 w", "UnreachableError: wrong side to move at 1:15: got w; expected b"),
        (
            "7/7/7/7/7/7[Pp]",
            "UnreachableError: wrong holdings at 1:12: got 1 P and 1 p; expected 21 P and 21 p",
        ),
        (
            "7/7/7/7/7/7[]",
            "UnreachableError: wrong holdings at 1:12: got 0 P and 0 p; expected 21 P and 21 p",
        ),
        (
            "7/7/7/7/7/2pp3",
            "UnreachableError: unreachable position at connect-four: "
            "0 x and 2 o: x began, so it has as many or one more",
        ),
        (
            "7/7/P6/Pp5/Pp5/Pp4p",
            "UnreachableError: unreachable position at connect-four: "
            "x has a line and yet is to move",
        ),
    ],
)
def test_a_text_that_is_no_position_is_refused_with_its_place(text: str, said: str) -> None:
    assert refusal(lambda: read(text, FOUR)) == said


def test_a_drop_names_its_file_and_the_rank_where_the_disc_lands() -> None:
    position = Position("connect-four").play("4")

    assert drop_text(FOUR, 3, position.state) == "P@d2"
    assert drop_text(FOUR, 6, position.state) == "P@g1"


def test_every_drop_of_a_random_game_comes_back() -> None:
    wide = ConnectFour(16, 12)
    for position in random_game("connect-four:columns=16,rows=12", seed=5):
        for action in position.legal_actions():
            text = drop_text(wide, action, position.state)
            assert read_drop(wide, text, position.state) == action


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("P@d1", "IllegalMoveError: illegal move P@d1: the disc lands on d2"),
        ("P@d3", "IllegalMoveError: illegal move P@d3: the disc lands on d2"),
        ("P@a7", "IllegalMoveError: illegal move P@a7: file a is full"),
        (
            "P@h1",
            "NotationError: not a move at move: got 'P@h1'; "
            "expected P@, a file from a to g and a rank from 1",
        ),
        (
            "p@d2",
            "NotationError: not a move at move: got 'p@d2'; "
            "expected P@, a file from a to g and a rank from 1",
        ),
        (
            "P@D2",
            "NotationError: not a move at move: got 'P@D2'; "
            "expected P@, a file from a to g and a rank from 1",
        ),
        (
            "P@d02",
            "NotationError: not a move at move: got 'P@d02'; "
            "expected P@, a file from a to g and a rank from 1",
        ),
        (
            "P@d2 ",
            "NotationError: not a move at move: got 'P@d2 '; "
            "expected P@, a file from a to g and a rank from 1",
        ),
        (
            "d2",
            "NotationError: not a move at move: got 'd2'; "
            "expected P@, a file from a to g and a rank from 1",
        ),
        (
            "",
            "NotationError: not a move at move: got nothing; "
            "expected P@, a file from a to g and a rank from 1",
        ),
    ],
)
def test_a_drop_that_is_none_is_refused(text: str, said: str) -> None:
    state = Position("connect-four").play(*"1111114").state

    assert refusal(lambda: read_drop(FOUR, text, state)) == said
