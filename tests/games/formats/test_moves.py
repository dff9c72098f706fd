import pytest
from games.formats.samples import random_game, random_positions, refusal

from plyboard.errors import UsageError
from plyboard.games.catalogue import game
from plyboard.games.formats.moves import read, write
from plyboard.games.position import Position

SPECS = [
    "connect-four",
    "connect-four:columns=12,rows=3",
    "conniption:columns=5,rows=4",
    "extended:rows=2,columns=4,pops=2",
    "extended:rows=2,columns=12,pops=1",
    "squatter:size=4",
]


@pytest.mark.parametrize(
    ("spec", "moves", "text"),
    [
        ("connect-four", ["4", "4", "5", "5"], "4455\n"),
        ("connect-four:columns=12", ["4", "12"], "4 12\n"),
        ("connect-four:columns=12", ["4", "5"], "4 5\n"),
        ("conniption", ["4", "4f", "5", "f5f"], "4 4f 5 f5f\n"),
        ("conniption", ["4", "5"], "45\n"),
        ("extended", ["0", "7", "0"], "070\n"),
        ("extended", ["0", "7", "0p"], "0 7 0p\n"),
        ("squatter", ["a1", "c4"], "a1 c4\n"),
        ("connect-four", [], "startpos\n"),
    ],
)
def test_moves_stand_close_where_each_is_a_digit(spec: str, moves: list[str], text: str) -> None:
    assert write(Position(spec).play(*moves)) == text
    assert read(text, game(spec)).moves == tuple(moves)


@pytest.mark.parametrize("spec", SPECS)
def test_every_position_of_random_games_comes_back_with_its_moves(spec: str) -> None:
    for position in random_positions(spec, 5):
        again = read(write(position), position.game)

        assert again == position
        assert again.moves == position.moves


def test_moves_may_be_parted_by_blanks_commas_and_lines() -> None:
    assert read(" 4, 4 5\n\n5,\n", game("connect-four")).moves == ("4", "4", "5", "5")


def test_moves_that_are_not_known_cannot_be_written() -> None:
    *_, last = random_game("connect-four", seed=1)
    with pytest.raises(UsageError) as caught:
        write(Position("connect-four", last.text()))

    assert str(caught.value) == (
        "no moves at moves: got a position alone; expected one with the moves that led to it"
    )


def test_moves_played_on_from_a_position_that_was_set_up_are_not_all_known() -> None:
    with pytest.raises(UsageError, match="a position alone"):
        write(Position("connect-four:rows=1", "..xo... x").play("1"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "NotationError: no moves at 1:1: got nothing; expected moves, or startpos for none"),
        ("4458", "NotationError: not a move at 1:4: got '8' (U+0038); expected [1-7]"),
        ("4 4\n5 x", "NotationError: not a move at 2:3: got 'x' (U+0078); expected [1-7]"),
        ("44 55", "NotationError: not a move at 1:1: got '44'; expected [1-7]"),
        ("4 f4", "NotationError: not a move at 1:3: got 'f4'; expected [1-7]"),
        ("0", "NotationError: not a move at 1:1: got '0' (U+0030); expected [1-7]"),
        (
            "startpos 4",
            "NotationError: not a move at 1:10: got '4' (U+0034); expected nothing after startpos",
        ),
        ("4 startpos", "NotationError: not a move at 1:3: got 'startpos'; expected [1-7]"),
        (
            "4444444",
            "IllegalMoveError: illegal move 4 at 1:7: column 4 is full; open: 1 2 3 5 6 7\n",
        ),
        ("12121212", "GameOverError: illegal move 2 at 1:8: the game is over\n"),
    ],
)
def test_a_text_that_tells_no_game_is_refused_with_its_place(text: str, said: str) -> None:
    assert refusal(lambda: read(text, game("connect-four"))).startswith(said)
