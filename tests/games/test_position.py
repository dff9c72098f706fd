"""The friendly object: a value that plays, tells and shows."""

from __future__ import annotations

import gc
import random
import sys

import pytest
from hypothesis import given
from hypothesis.strategies import integers, lists, sampled_from

from plyboard import Position as TopPosition
from plyboard.errors import (
    GameOverError,
    IllegalMoveError,
    NotationError,
    PlyboardError,
    UsageError,
)
from plyboard.games import GAMES, Position, game
from plyboard.games.connect_four import ConnectFour
from plyboard.games.rules import State

pytestmark = pytest.mark.kernels

SPECS = [
    "connect-four", "connect-four:columns=4,rows=4", "conniption:columns=4,rows=4,flips=9",
    "extended:rows=3,columns=4,pops=2", "squatter:size=4", "connect-four:columns=16,rows=16",
]  # fmt: skip


def after(moves: str) -> Position:
    return Position("connect-four").play(*moves)


def random_position(spec: str, seed: int) -> Position:
    chance, position = random.Random(f"{spec} {seed}"), Position(spec)
    for _ in range(chance.randint(0, 60)):
        if not position.legal_moves():
            break
        position = position.play(chance.choice(position.legal_moves()))
    return position


def test_a_disc_lands_on_top_of_the_last_one() -> None:
    above, below = after("44").board().splitlines()[-2:]

    assert (above, below) == (". . . o . . .", ". . . x . . .")


def test_play_leaves_the_position_as_it_was() -> None:
    start = Position("connect-four")
    start.play("4")

    assert start.moves == ()
    assert start == Position("connect-four")


def test_undo_goes_back_as_far_as_moves_are_known() -> None:
    assert after("445").undo() == after("44")
    for start in (Position("connect-four"), Position("connect-four", after("445").text())):
        with pytest.raises(UsageError) as caught:
            start.undo()
        assert str(caught.value) == "cannot undo: no move led to this position"


def test_positions_are_equal_by_value_however_they_came_about() -> None:
    assert after("1425") == after("1524") == Position("connect-four", after("1425").text())
    assert len({after("1425"), after("1524"), after("14")}) == 2
    assert after("1") != Position("connect-four:columns=8").play("1")
    assert after("1") != "x"


def test_a_win_is_told_with_its_line() -> None:
    outcome = after("1212121").outcome()

    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (0, "line")
    assert sorted(outcome.line) == [(2, 0), (3, 0), (4, 0), (5, 0)]


@pytest.mark.parametrize(
    ("spec", "moves", "is_over", "winner"),
    [
        ("connect-four", "121212", False, None),
        ("connect-four", "1212121", True, 0),
        ("connect-four", "21213141", True, 1),
        ("connect-four:columns=2,rows=1", "12", True, None),
    ],
)
def test_a_position_tells_whether_the_game_is_over_and_who_won(
    spec: str, moves: str, is_over: bool, winner: int | None
) -> None:
    position = Position(spec).play(moves)

    assert position.is_over is is_over
    assert position.winner == winner


@pytest.mark.parametrize("spec", SPECS)
def test_a_game_is_over_when_it_has_an_outcome(spec: str) -> None:
    for seed in range(40):
        position = random_position(spec, seed)
        assert position.is_over is (position.outcome() is not None)


def test_an_illegal_move_says_why_and_shows_the_board() -> None:
    with pytest.raises(IllegalMoveError) as caught:
        after("444444").play("4")

    assert str(caught.value).startswith("illegal move 4: column 4 is full; open: 1 2 3 5 6 7\n1 2")


def test_a_move_after_the_end_is_refused() -> None:
    with pytest.raises(GameOverError, match="illegal move 5: the game is over"):
        after("1212121").play("5")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "8",
        "4x",
        "-1",
        "4 ",
        " 4",
        "4\n",
        "\uff14",
        "\u00b2",
        "\u0663",
        "1_0",
        "+4",
        "4.0",
        "a",
    ],
)
def test_a_text_that_is_no_move_is_refused(text: str) -> None:
    with pytest.raises(NotationError, match="not a move at move: got "):
        after("").play(text)


def test_a_number_is_no_move_and_a_text_no_action() -> None:
    assert after("").apply_action(3, 2) == after("43")
    with pytest.raises(UsageError) as caught:
        after("").play(3)  # type: ignore[arg-type]
    assert str(caught.value) == (
        "not a move: got the number 3; expected text such as '1'; "
        "apply_action takes the number of an action"
    )
    with pytest.raises(UsageError, match="not a move: got the number with 16610 bits; expected"):
        after("").play(10**5000)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="not a move: got NoneType; expected text such as 'a1'"):
        Position("squatter").play(None)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="not an action: got '3'; expected a number; play takes"):
        after("").apply_action("3")  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="not an action: got NoneType; expected a number"):
        after("").apply_action(None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("spec", "moves", "wrong", "reason"),
    [
        ("conniption", ["4f"], "f4", "no flip right after a flip"),
        ("conniption:flips=1", [], "f4f", "flips needed: 2; left: 1"),
        ("conniption", ["1"] * 6, "1", "column 1 is full; open: 2 3 4 5 6 7"),
        ("extended", ["1"], "0p", "player 2 pops only odd columns"),
        ("extended", [], "2p", "column 2 is empty"),
        ("extended:pops=0", ["0", "1"], "0p", "player 1 has no pops left"),
        ("squatter", ["a1"], "a1", "a1 holds a piece"),
    ],
)
def test_a_refusal_names_the_rule(spec: str, moves: list[str], wrong: str, reason: str) -> None:
    with pytest.raises(IllegalMoveError, match=f"illegal move {wrong}: {reason}"):
        Position(spec).play(*moves).play(wrong)


@pytest.mark.parametrize("spec", SPECS)
def test_no_illegal_action_is_played_from_any_position(spec: str) -> None:
    for seed in range(60):
        position = random_position(spec, seed)
        state, text, legal = position.state, position.text(), set(position.legal_actions())
        for action in (*range(-2, position.game.rules.actions + 3), 1000):
            if action in legal:
                position.apply_action(action)
                continue
            with pytest.raises(IllegalMoveError):
                position.apply_action(action)
        assert (position.state, position.text()) == (state, text)


@pytest.mark.parametrize("spec", SPECS)
@given(seed=integers(0, 10**6))
def test_text_round_trips_and_undo_is_the_inverse_of_play(spec: str, seed: int) -> None:
    position = random_position(spec, seed)

    assert Position(spec, position.text()) == position
    assert Position.read(f"{spec} {position.text()}") == position
    assert hash(Position(spec, position.text())) == hash(position)
    for action in position.legal_actions()[:2]:
        assert position.apply_action(action).undo() == position


@given(lists(sampled_from("./xoWBwb+-120 ,4f\n\x00é"), max_size=80).map("".join))
def test_any_text_is_a_position_or_is_refused_in_one_way(text: str) -> None:
    for kind in GAMES:
        try:
            position = Position.read(f"{kind.name} {text}")
        except PlyboardError:
            continue
        assert Position(position.game, position.text()) == position


def test_moves_may_be_run_together_on_boards_of_one_digit() -> None:
    assert Position.read("connect-four 4455") == Position.read("4455") == after("4455")
    assert Position.read("connect-four:columns=12 10 11").moves == ("10", "11")


@pytest.mark.parametrize(
    ("spec", "text", "moves"),
    [
        ("connect-four", "4455", "4 4 5 5"),
        ("connect-four", "4 4,5, 5", "4 4 5 5"),
        ("connect-four:columns=9", "99", "9 9"),
        ("connect-four:columns=10", "10", "10"),
        ("connect-four:columns=10", "1 10 1", "1 10 1"),
        ("conniption", "44", "4 4"),
        ("conniption", "4 f4", "4 f4"),
        ("extended", "070", "0 7 0"),
        ("extended", "0 7 0p", "0 7 0p"),
        ("squatter", "a1 c4", "a1 c4"),
    ],
)
def test_a_text_may_hold_several_moves(spec: str, text: str, moves: str) -> None:
    position = Position(spec).play(text)

    assert position.moves == tuple(moves.split())
    assert position == Position.read(f"{spec} {text}")


@pytest.mark.parametrize(
    ("spec", "text", "said"),
    [
        ("connect-four", "4458", "not a move at move 4: got '8' (U+0038); expected [1-7]"),
        ("connect-four", "44 55", "not a move at move 1: got '44'; expected [1-7]"),
        ("connect-four:columns=10", "44", "not a move at move: got '44'; expected 1 to 10"),
        ("conniption", "44f", "not a move at move: got '44f'; expected f?[1-7]f?"),
        ("connect-four", "4444444", "illegal move 4: column 4 is full; open: 1 2 3 5 6 7"),
        ("connect-four", "1" * 70_000, "text too long: got 70000 characters; expected at most"),
    ],
)
def test_a_wrong_move_among_several_is_named(spec: str, text: str, said: str) -> None:
    with pytest.raises(PlyboardError) as caught:
        Position(spec).play(text)

    assert caught.value.first_line.startswith(said)


def test_moves_of_several_digits_need_a_separator() -> None:
    class Numbered(ConnectFour):
        """Connect Four with the columns 10 to 16."""

        names = ("10", "11", "12", "13", "14", "15", "16")

        def parse_move(self, state: State, text: str) -> int:
            column = str(self.names.index(text) + 1) if text in self.names else "?"
            return super().parse_move(state, column)

        def format_move(self, _state: State, action: int) -> str:
            return self.names[action]

    assert Position(Numbered()).play("10", "16").moves == ("10", "16")
    assert Position(Numbered()).play("10 16").moves == ("10", "16")
    with pytest.raises(NotationError):
        Position(Numbered()).play("1016")


def test_a_notebook_gets_an_svg_that_reads_without_colour() -> None:
    svg = after("1212121")._repr_svg_()

    assert svg.startswith("<svg ")
    assert svg.count(">x</text>") == 4
    assert svg.count(">o</text>") == 3
    assert svg.count('stroke="#7CFC9A"') == 4  # the line
    assert svg.count("stroke-dasharray") == 1  # the last move
    assert "x . . . . . ." in svg  # the description, for those who listen


def test_territory_is_drawn_in_two_ways() -> None:
    svg = Position("squatter", "++B+++/+B-B++/++BW++/++W-W+/+++W++/++++++ W").svg()

    assert svg.count('fill="#d8d0c0"') == 1
    assert svg.count('fill="#6f6a62"') == 1


def test_positions_are_shown_as_they_can_be_made_again() -> None:
    position = after("4")

    assert eval(repr(position), {"Position": Position}) == position


def test_the_package_offers_position_at_the_top() -> None:
    assert TopPosition is Position


def test_games_are_values_too() -> None:
    assert game("connect-four") == ConnectFour() == game("connect-four:columns=7")


def test_legal_actions_leave_nothing_behind() -> None:
    position = Position("connect-four")
    gc.collect()
    before = sys.getallocatedblocks()

    for _ in range(1000):
        position.legal_actions()

    assert sys.getallocatedblocks() - before < 500


@pytest.mark.parametrize("sign", [1, -1])
def test_an_action_of_5000_digits_is_refused_like_any_other(sign: int) -> None:
    with pytest.raises(IllegalMoveError, match="no action with 16610 bits: expected 0 to 6"):
        Position("connect-four").apply_action(sign * 10**5000)


def test_a_printed_position_has_the_notes_and_the_player_to_move() -> None:
    lines = str(Position("conniption").play("4", "f4")).splitlines()

    assert lines[-2:] == ["flips left: W 4, B 3; a flip may come first", "next: W"]
    assert str(after("1212121")).endswith("\ngame over: x wins")
