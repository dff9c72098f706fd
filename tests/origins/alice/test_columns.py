import pytest
from games.formats.samples import random_positions, refusal

from plyboard.errors import UsageError
from plyboard.games.catalogue import game
from plyboard.games.connect_four import ConnectFour
from plyboard.games.position import Position
from plyboard.origins.alice.columns import read, write

EXAMPLE = "e\n\nabba\n\nbaa\n\ne\n\nabbaab\n\nab\n\nb\n"
FOUR = ConnectFour()


def columns(text: str) -> str:
    """Spell a board on one line as a file has it."""
    return text.replace("/", "\n")


def test_the_example_with_its_blank_lines_is_read() -> None:
    position = read(EXAMPLE, FOUR)

    assert position.board().splitlines() == [
        "1 2 3 4 5 6 7",
        ". . . . o . .",
        ". . . . x . .",
        ". x . . x . .",
        ". o x . o . .",
        ". o x . o o .",
        ". x o . x x o",
    ]
    assert position.mover == 0


def test_the_example_is_written_without_blank_lines() -> None:
    assert write(read(EXAMPLE, FOUR)) == EXAMPLE.replace("\n\n", "\n")


@pytest.mark.parametrize(
    "text",
    ["aabb/abba/baa/ab/abbaab/ab/b", "abb/baaab/aabbab/bbbaba/aabba/bbaaba/babbaa"],
)
def test_other_known_boards_come_back(text: str) -> None:
    assert write(read(columns(text), FOUR)) == columns(text) + "\n"


def test_alice_is_the_second_player_where_bill_has_one_disc_more() -> None:
    position = read(columns("b/e/e/e/e/e/e"), FOUR)

    assert position.text() == "......./......./......./......./......./x...... o"


def test_the_player_to_move_is_written_as_alice() -> None:
    assert write(Position("connect-four").play("1", "1", "2")) == columns("ba/b/e/e/e/e/e/")


def test_every_position_of_random_games_comes_back() -> None:
    for position in random_positions("connect-four", 15):
        assert read(write(position), FOUR) == position


def test_a_board_of_another_size_cannot_be_asked_for() -> None:
    with pytest.raises(UsageError, match="wrong game at alice-bill: got 'connect-four:columns=9"):
        read(EXAMPLE, game("connect-four:columns=9,rows=9,line=5"))


def test_capital_letters_are_the_same_letters() -> None:
    assert read(columns("e/aBb/E/BA/e/e/e"), FOUR) == read(columns("e/abb/e/ba/e/e/e"), FOUR)


def test_blanks_around_a_column_do_no_harm() -> None:
    assert read("  e\n" + columns("ab/e/e/ e/e/e"), FOUR) == read(columns("e/ab/e/e/e/e/e"), FOUR)


@pytest.mark.parametrize(
    "text", ["bbbb/aaa/e/e/e/e/e", "aaaa/bbbb/e/e/e/e/e", "aaaa/bbb/b/e/e/e/e"]
)
def test_a_decided_board_is_readable_unless_both_have_won(text: str) -> None:
    if text.count("aaaa") and text.count("bbbb"):
        assert refusal(lambda: read(columns(text), FOUR)) == (
            "UnreachableError: unreachable position at board: "
            "got a line of a and one of b; expected one of them at most"
        )
    else:
        assert write(read(columns(text), FOUR)) == columns(text) + "\n"


def test_a_full_board_is_readable() -> None:
    full = "ababab/ababab/ababab/bababa/bababa/bababa/ababab"

    assert read(columns(full), FOUR).outcome() is not None


def test_lines_that_no_single_disc_completed_are_unreachable() -> None:
    assert refusal(lambda: read(columns("bbbb/aaaa/bbbb/aaa/e/a/e"), FOUR)).startswith(
        "UnreachableError: unreachable position at board: got a line of a"
    )
    assert refusal(lambda: read(columns("bbbba/aaa/bbbb/aaa/e/a/e"), FOUR)) == (
        "UnreachableError: unreachable position at board: "
        "got lines of b; expected a single disc that completed them"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "",
            "NotationError: no column 1 at 1:1: got nothing; "
            "expected 7 columns, e for an empty one",
        ),
        (
            "e/e/e/e/e/e",
            "NotationError: no column 7 at 7:1: got nothing; "
            "expected 7 columns, e for an empty one",
        ),
        (
            "e/e/e//e/e/e",
            "NotationError: no column 7 at 8:1: got nothing; "
            "expected 7 columns, e for an empty one",
        ),
        (
            "e/e/e/e/e/e/e/e",
            "NotationError: one column too many at 8:1: got 'e' (U+0065); expected 7 columns",
        ),
        (
            "e/abababa/e/e/e/e/e",
            "NotationError: column 2 at 2:7: got 'a' (U+0061); expected at most 6 letters",
        ),
        (
            "ea/e/e/e/e/e/e",
            "NotationError: column 1 at 1:2: got 'a' (U+0061); expected nothing after e",
        ),
        (
            "ee/e/e/e/e/e/e",
            "NotationError: column 1 at 1:2: got 'e' (U+0065); expected nothing after e",
        ),
        (
            "e/e/ae/e/e/e/e",
            "NotationError: column 3 at 3:2: got 'e' (U+0065); expected a or b, or e alone",
        ),
        (
            "e/ aC/e/e/e/e/e",
            "NotationError: column 2 at 2:3: got 'C' (U+0043); expected a or b, or e alone",
        ),
        (
            "e/e/xo/e/e/e/e",
            "NotationError: column 3 at 3:1: got 'x' (U+0078); expected a or b, or e alone",
        ),
        (
            "# board/e/e/e/e/e/e/e",
            "NotationError: column 1 at 1:1: got '#' (U+0023); expected a or b, or e alone",
        ),
        (
            "a b/e/e/e/e/e/e",
            "NotationError: column 1 at 1:2: got ' ' (U+0020); expected a or b, or e alone",
        ),
        (
            "\u0430/e/e/e/e/e/e",
            "NotationError: column 1 at 1:1: got '\\u0430' (U+0430); expected a or b, or e alone",
        ),
        (
            "a/e/e/e/e/e/e",
            "UnreachableError: unreachable position at board: got 1 a and 0 b; "
            "expected as many a as b, or one b more: Alice moves",
        ),
        (
            "bb/e/e/e/e/e/e",
            "UnreachableError: unreachable position at board: got 0 a and 2 b; "
            "expected as many a as b, or one b more: Alice moves",
        ),
    ],
)
def test_a_board_that_is_none_is_refused_with_its_place(text: str, said: str) -> None:
    assert refusal(lambda: read(columns(text), FOUR)) == said


def test_a_board_of_another_size_cannot_be_written() -> None:
    with pytest.raises(UsageError) as caught:
        write(Position("connect-four:columns=8"))

    assert str(caught.value) == (
        "wrong game at alice-bill: got 'connect-four:columns=8'; "
        "expected connect-four of the usual size"
    )
