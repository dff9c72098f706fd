import json

import pytest
from games.formats.samples import random_positions, refusal

from plyboard.errors import UsageError
from plyboard.games.catalogue import game
from plyboard.games.conniption import Conniption
from plyboard.games.position import Position
from plyboard.origins.conniption.tuples import read, write

ASKED = Conniption()
START = (
    '{"board": [[], [], [], [], [], [], []], '
    '"player1Turn": true, "flipsRem": [4, 4], "flippable": true}'
)


def told(**changes: object) -> str:
    """Spell the start with some values changed; None leaves a key out."""
    values = json.loads(START) | changes
    return json.dumps({key: value for key, value in values.items() if value is not None})


def columns(*discs: str) -> list[list[bool]]:
    """Return columns of truth values, W for true; those not given are empty."""
    return [[disc == "W" for disc in column] for column in (*discs, *[""] * 7)][:7]


def test_the_start_has_seven_empty_columns() -> None:
    assert write(Position("conniption")) == START + "\n"


def test_columns_are_told_from_the_bottom() -> None:
    position = Position("conniption").play("1", "1", "f2")

    assert write(position) == (
        '{"board": [[false, true], [true], [], [], [], [], []], '
        '"player1Turn": false, "flipsRem": [3, 4], "flippable": true}\n'
    )


def test_every_position_of_random_games_comes_back() -> None:
    for position in random_positions("conniption", 20):
        assert read(write(position), ASKED) == position


def test_keys_may_come_in_any_order_and_lines_be_broken_anywhere() -> None:
    position = Position("conniption").play("1", "1f")
    values = json.loads(write(position))
    text = json.dumps(dict(reversed(values.items())), indent=2)

    assert read(text, ASKED) == position
    assert read(json.dumps(values, separators=(",", ":")), ASKED) == position


def test_the_board_has_its_usual_size_whatever_was_asked_for() -> None:
    assert read(START, game("conniption:columns=9,flips=2")).game == ASKED


@pytest.mark.parametrize("moves", ["", "1", "1 1", "1 1 2", "3 3 3 3 3 3", "1 2 3 4 5 6 7"])
def test_a_bare_tuple_of_columns_is_a_board_on_which_nobody_has_flipped(moves: str) -> None:
    position = Position("conniption").play(*moves.split())
    board = json.loads(write(position))["board"]

    assert read(str(tuple(tuple(column) for column in board)), ASKED) == position


def test_a_state_in_which_the_opponent_of_true_began_is_read_with_the_colours_exchanged() -> None:
    for position in random_positions("conniption", 20):
        if position.is_over:  # a last turn that a flip cut short does not show who began
            continue
        values = json.loads(write(position))
        values["board"] = [[not disc for disc in column] for column in values["board"]]
        values["player1Turn"] = not values["player1Turn"]
        values["flipsRem"].reverse()
        assert read(json.dumps(values), ASKED) == position
    assert read(told(player1Turn=False), ASKED) == Position("conniption")
    assert read("((), (), (), (False,), (), (), ())", ASKED) == Position("conniption").play("4")


def test_a_position_of_another_game_cannot_be_written() -> None:
    with pytest.raises(UsageError) as caught:
        write(Position("conniption:flips=2"))

    assert str(caught.value) == (
        "wrong game at conniption-tuples: got 'conniption:flips=2'; "
        "expected conniption of the usual size"
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no state at 1:1: got nothing; expected { or ("),
        ("[[], [], [], [], [], [], []]", "no state at 1:1: got '[' (U+005B); expected { or ("),
        ("{}", "no key at 1:2: got '}' (U+007D); expected a key in quotes"),
        ("{board: []}", "no key at 1:2: got 'board'; expected a key in quotes"),
        (
            told(parent=1),
            "unknown key at 1:101: got 'parent'; "
            "expected one of board, player1Turn, flipsRem, flippable",
        ),
        (
            told(children=[]),
            "unknown key at 1:101: got 'children'; "
            "expected one of board, player1Turn, flipsRem, flippable",
        ),
        (
            told(resMove="f4"),
            "unknown key at 1:101: got 'resMove'; "
            "expected one of board, player1Turn, flipsRem, flippable",
        ),
        (
            told(Board=[]),
            "unknown key at 1:101: got 'Board'; "
            "expected board (of board, player1Turn, flipsRem, flippable)",
        ),
        (
            START[:-1] + ', "flippable": true}',
            "key given twice at 1:101: got 'flippable'; expected each key once",
        ),
        (told(board=None), "missing key at 1:60: got '}' (U+007D); expected \"board\""),
        (told(player1Turn=None), "missing key at 1:78: got '}' (U+007D); expected \"player1Turn\""),
        (told(flipsRem=None), "missing key at 1:79: got '}' (U+007D); expected \"flipsRem\""),
        (told(flippable=None), "missing key at 1:80: got '}' (U+007D); expected \"flippable\""),
        (told(board=[[]] * 6), "wrong board at 1:11: got '6 items'; expected 7 items"),
        (told(board=[[]] * 8), "wrong board at 1:40: got '[' (U+005B); expected 7 items"),
        (
            told(board=columns("WBWBWBW")),
            "wrong column at 1:52: got 'true'; expected at most 6 items",
        ),
        (told(board=[[1]] + [[]] * 6), "no disc at 1:13: got '1' (U+0031); expected true or false"),
        (
            told(board=[["True"]] + [[]] * 6),
            "no disc at 1:13: got '\"True\"'; expected true or false",
        ),
        (told(board=[[None]] + [[]] * 6), "no disc at 1:13: got 'null'; expected true or false"),
        (
            told(board=[[[True]]] + [[]] * 6),
            "no disc at 1:13: got '[' (U+005B); expected true or false",
        ),
        (told(board=[True] + [[]] * 6), "no column at 1:12: got 'true'; expected ["),
        (told(board=7), "no board at 1:11: got '7' (U+0037); expected ["),
        (told(player1Turn=1), "no player1Turn at 1:56: got '1' (U+0031); expected true or false"),
        (told(flippable="yes"), "no flippable at 1:95: got '\"yes\"'; expected true or false"),
        (
            told(flipsRem=[5, 4]),
            "no flips at 1:75: got '5' (U+0035); expected 0 or 1 or 2 or 3 or 4",
        ),
        (told(flipsRem=[4, -1]), "no flips at 1:78: got '-1'; expected 0 or 1 or 2 or 3 or 4"),
        (told(flipsRem=[1.5, 4]), "no flips at 1:75: got '1.5'; expected 0 or 1 or 2 or 3 or 4"),
        (told(flipsRem=[True, 4]), "no flips at 1:75: got 'true'; expected 0 or 1 or 2 or 3 or 4"),
        (told(flipsRem=[4]), "wrong flipsRem at 1:74: got '1 item'; expected 2 items"),
        (told(flipsRem=[4, 4, 4]), "wrong flipsRem at 1:81: got '4' (U+0034); expected 2 items"),
        (
            START + "\n" + START,
            "text after the end at 2:1: got '{' (U+007B); expected nothing more",
        ),
        (START[:-1], "no state at 1:99: got nothing; expected , or }"),
        (
            START.replace("[4, 4]", "[4, 4,]"),
            "wrong flipsRem at 1:80: got ']' (U+005D); expected 2 items",
        ),
        ("[" * 4096, "no state at 1:1: got '[' (U+005B); expected { or ("),
        ('{"board": ' + "[" * 4096, "no disc at 1:13: got '[' (U+005B); expected true or false"),
        ("(" * 4096, "no disc at 1:3: got '(' (U+0028); expected True or False"),
        ("((), (), (), (), (), ())", "wrong board at 1:1: got '6 items'; expected 7 items"),
        (
            "((), (), (), (), (), (), (), ())",
            "wrong board at 1:30: got '(' (U+0028); expected 7 items",
        ),
        ("((True), (), (), (), (), (), ())", "no column at 1:7: got ')' (U+0029); expected ,"),
        (
            "((True, False,), (), (), (), (), (), ())",
            "no disc at 1:15: got ')' (U+0029); expected True or False",
        ),
        ("((true,), (), (), (), (), (), ())", "no disc at 1:3: got 'true'; expected True or False"),
        ("([], (), (), (), (), (), ())", "no column at 1:2: got '[' (U+005B); expected ("),
        (
            "((), (), (), (), (), (), ()) True",
            "text after the end at 1:30: got 'True'; expected nothing more",
        ),
        (
            "((), (), (), (), (), (), __import__('os'))",
            "no column at 1:26: got '__import__'; expected (",
        ),
    ],
)
def test_a_text_that_is_no_state_is_refused_with_its_place(text: str, said: str) -> None:
    assert refusal(lambda: read(text, ASKED)) == "NotationError: " + said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (told(flippable=False), "noflip, and yet B moved last and has used no flip"),
        (told(board=columns("W"), player1Turn=False, flipsRem=[1, 4]), "W used 3 flips in 1 turns"),
        (told(board=columns("WW")), "2 W and 0 B with W to move; W began"),
        (told(board=columns("BB")), "0 W and 2 B with W to move; W began"),
        ("((True, True), (), (), (), (), (), ())", "2 W and 0 B with B to move; W began"),
    ],
)
def test_a_state_that_no_game_reaches_is_refused(text: str, said: str) -> None:
    assert refusal(lambda: read(text, ASKED)) == (
        f"UnreachableError: unreachable position at conniption: {said}"
    )
