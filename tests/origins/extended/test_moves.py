import pytest
from games.formats.samples import random_positions, refusal

from plyboard.errors import UsageError
from plyboard.games.catalogue import game
from plyboard.games.extended import Extended
from plyboard.games.position import Position
from plyboard.origins.extended.moves import read, write

ASKED = Extended()


def test_moves_are_tuples_one_per_line() -> None:
    position = Position("extended").play("0", "7", "0p")

    assert write(position) == "(0, False)\n(7, False)\n(0, True)\n"
    assert read("\n (0, False)\n\n(7, False)\n(0, True)\n", ASKED).moves == position.moves


@pytest.mark.parametrize("spec", ["extended", "extended:rows=2,columns=12,pops=3"])
def test_every_position_of_random_games_comes_back_with_its_moves(spec: str) -> None:
    for position in random_positions(spec, 3):
        assert read(write(position), position.game).moves == position.moves


def test_moves_that_are_not_known_cannot_be_written() -> None:
    with pytest.raises(
        UsageError, match=r"^no moves at extended-moves: .* the moves that led to it$"
    ):
        write(Position("extended:rows=1", "1....... 2 6,6"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "NotationError: no moves at 1:1: got nothing; expected moves, or startpos for none"),
        (
            "(0, False)\n(1000, True)",
            "NotationError: not a move at 2:1: got '(1000, True)'; expected a move; this is",
        ),
        (
            "(0, False) (1, False)",
            "NotationError: not a move at 1:1: got '(0, False) (1, False)'; expected (column,",
        ),
        (
            "(8, False)",
            "NotationError: not a move at 1:1: got '(8, False)'; expected a column from 0 to 7",
        ),
        (
            "(0, False)\n(0, True)",
            "IllegalMoveError: illegal move 0p at 2:1: player 2 pops only odd columns\n",
        ),
        ("(0, True)", "IllegalMoveError: illegal move 0p at 1:1: column 0 is empty\n"),
        (
            "startpos\n(0, True)",
            "NotationError: not a move at 2:1: got '(0, True)'; expected nothing after startpos",
        ),
    ],
)
def test_a_text_that_tells_no_game_is_refused_with_its_place(text: str, said: str) -> None:
    assert refusal(lambda: read(text, ASKED)).startswith(said)


def test_a_pop_with_none_left_is_illegal() -> None:
    said = refusal(lambda: read("(0, False)\n(1, False)\n(0, True)", game("extended:pops=0")))

    assert said.startswith("IllegalMoveError: illegal move 0p at 3:1: player 1 has no pops left")
