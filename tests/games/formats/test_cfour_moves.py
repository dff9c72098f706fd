import pytest
from games.formats.samples import random_positions, refusal

from plyboard.errors import UsageError
from plyboard.games.connect_four import ConnectFour
from plyboard.games.formats.cfour_moves import read, write
from plyboard.games.position import Position

FOUR = ConnectFour()


def test_moves_are_drops_with_blanks_between() -> None:
    position = Position("connect-four").play("4", "4", "7")

    assert write(position) == "P@d1 P@d2 P@g1\n"
    assert read("P@d1  P@d2\nP@g1", FOUR).moves == ("4", "4", "7")


@pytest.mark.parametrize("spec", ["connect-four", "connect-four:columns=11,rows=10"])
def test_every_position_of_random_games_comes_back_with_its_moves(spec: str) -> None:
    for position in random_positions(spec, 5):
        assert read(write(position), position.game).moves == position.moves


def test_moves_that_are_not_known_cannot_be_written() -> None:
    with pytest.raises(UsageError, match=r"^no moves at cfour-moves: .* the moves that led to it$"):
        write(Position("connect-four:rows=1", "..x.... o"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "NotationError: no moves at 1:1: got nothing; expected moves, or startpos for none"),
        ("P@d1 P@d1", "IllegalMoveError: illegal move P@d1 at 1:6: the disc lands on d2"),
        (
            "P@d1 P@h1",
            "NotationError: not a move at 1:6: got 'P@h1'; "
            "expected P@, a file from a to g and a rank from 1",
        ),
        (
            "P@d1,P@d2",
            "NotationError: not a move at 1:1: got 'P@d1,P@d2'; "
            "expected P@, a file from a to g and",
        ),
        (
            "startpos P@d1",
            "NotationError: not a move at 1:10: got 'P@d1'; expected nothing after startpos",
        ),
        (
            "P@a1 P@b1 P@a2 P@b2 P@a3 P@b3 P@a4\nP@b4",
            "GameOverError: illegal move 2 at 2:1: the game is over\n",
        ),
    ],
)
def test_a_text_that_tells_no_game_is_refused_with_its_place(text: str, said: str) -> None:
    assert refusal(lambda: read(text, FOUR)).startswith(said)
