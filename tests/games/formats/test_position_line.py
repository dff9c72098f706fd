import pytest
from games.formats.samples import random_positions, refusal

from plyboard.games.catalogue import game
from plyboard.games.formats.position_line import read, write
from plyboard.games.position import Position

SPECS = [
    "connect-four",
    "connect-four:columns=5,rows=1,line=3",
    "conniption:columns=3,rows=4,flips=2",
    "extended:rows=2,columns=4,pops=2",
    "squatter:size=4",
]


def test_a_position_is_its_spec_and_its_text() -> None:
    position = Position("connect-four:rows=2").play("4", "4", "5")

    assert write(position) == "connect-four:rows=2 ...o.../...xx.. o\n"


@pytest.mark.parametrize("spec", SPECS)
def test_every_position_of_random_games_comes_back(spec: str) -> None:
    for position in random_positions(spec, 8):
        assert read(write(position), position.game) == position


def test_the_text_names_its_game_whatever_was_asked_for() -> None:
    position = Position("squatter:size=3").play("a1")

    assert read(write(position), game("connect-four")) == position


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "",
            "NotationError: no position at 1:1: got nothing; "
            "expected a spec, a blank and a position text",
        ),
        (
            "chess 8/8 w",
            "NotationError: wrong spec at 1:1: unknown game: got 'chess'; expected one of",
        ),
        ("Connect-5 ... x", "NotationError: wrong spec at 1:1: unknown game: got 'Connect-5';"),
        (
            "connect-four:columns=99 . x",
            "NotationError: wrong spec at 1:1: wrong value at columns: got '99';",
        ),
        ("connect-four", "NotationError: no position at 1:14: got nothing;"),
        ("connect-four 4455", "NotationError: no position at 1:14: got '4455';"),
        (
            "\n connect-four:rows=1 ..z.... x",
            "NotationError: no cell at 2:24: got 'z' (U+007A); expected one of .xo",
        ),
        (
            "connect-four:rows=1 ..x.... y",
            "NotationError: no player at 1:29: got 'y' (U+0079); expected x or o",
        ),
        (
            "connect-four:rows=1 ..x.... x",
            "UnreachableError: unreachable position at mover: got 'x' with 1 discs",
        ),
        (
            "connect-four:rows=2 x....../....... o",
            "NotationError: floating disc at 1:21, row 1 from the top, column 1 from the left: ",
        ),
        ("connect-four:rows=1 ..x....  o", "NotationError: no position at 1:21: got '..x....  o';"),
        (
            "connect-four:rows=1 ..x.... o\nx",
            "NotationError: one line too many at 2:1: got 'x' (U+0078);",
        ),
        (
            "connect-four:rows=1 ..xxx.. o",
            "UnreachableError: unreachable position at connect-four:rows=1: 3 x and 0 o",
        ),
        (
            "squatter:size=3 -++/+++/+++ W",
            "NotationError: captured cell on the border at 1:17, a1: got '-' (U+002D); "
            "expected +, W or B",
        ),
    ],
)
def test_a_line_that_is_none_is_refused_with_its_place(text: str, said: str) -> None:
    assert refusal(lambda: read(text, game("connect-four"))).startswith(said)
