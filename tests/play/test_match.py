"""A match is a value: nothing that happens changes one that is there."""

from __future__ import annotations

import math

import pytest

from plyboard.errors import (
    GameOverError,
    IllegalMoveError,
    NotationError,
    PlyboardError,
    UsageError,
)
from plyboard.games import Position
from plyboard.play.match import REASONS, End, Heading, Match, Result, Turn


def after(moves: str, spec: str = "connect-four") -> Match:
    match = Match.of(Position(spec), Heading("Alice", "Bill"))
    for move in moves.split(" ") if " " in moves else moves:
        match = match.play(move)
    return match


WON = after("4455667")


def test_to_play_leaves_the_match_as_it_was() -> None:
    before = after("44")
    before.play("5")

    assert before == after("44")
    assert before != before.play("5")


def test_a_match_knows_its_moves_and_positions() -> None:
    match = after("445")

    assert match.position.moves == ("4", "4", "5")
    assert [len(position.moves) for position in match.positions] == [0, 1, 2, 3]
    assert [turn.action for turn in match.turns] == [3, 3, 4]
    assert match.mover == 1
    assert (match.end, match.result) == (None, Result.OPEN)


def test_the_rules_end_a_match() -> None:
    assert WON.end == End(Result.FIRST, "line")
    assert after("1 2", "connect-four:columns=2,rows=1").end == End(Result.DRAW, "full")


def test_a_match_tells_whether_it_is_over_and_who_won() -> None:
    lost, drawn = after("44").lost(0, "time"), after("1 2", "connect-four:columns=2,rows=1")
    left = after("44").ended(Result.OPEN, "abandoned")
    told = [(each.is_over, each.winner) for each in (after("44"), WON, lost, drawn, left)]

    assert told == [(False, None), (True, 0), (True, 1), (True, None), (True, None)]


def test_nothing_can_be_played_after_the_end() -> None:
    for match in (WON, after("44").lost(0, "resignation")):
        with pytest.raises(GameOverError, match="the match is over"):
            match.play("1")
        with pytest.raises(GameOverError, match="the match is over"):
            match.lost(0, "time")


@pytest.mark.parametrize("move", ["8", "x", "", "44"])
def test_a_text_that_is_no_move_is_refused(move: str) -> None:
    with pytest.raises(NotationError):
        after("4").play(move)


def test_a_number_is_no_move_and_a_text_no_action() -> None:
    assert after("4").apply_action(3) == after("44")
    with pytest.raises(UsageError, match=r"not a move: got the number 3; .*apply_action takes"):
        after("4").play(3)  # type: ignore[arg-type]
    with pytest.raises(UsageError, match="not an action: got '3'; expected a number; play takes"):
        after("4").apply_action("3")  # type: ignore[arg-type]


def test_legality_is_decided_before_the_outcome() -> None:
    board = "......./......./......./......./.W.W..B/WBWB..B W 4,3"
    allowed = Match.of(Position("conniption", f"{board} flip"))
    forbidden = Match.of(Position("conniption", f"{board} noflip"))

    assert allowed.play("f5").end == End(Result.FIRST, "line")
    with pytest.raises(IllegalMoveError, match="no flip right after a flip"):
        forbidden.play("f5")


def test_undo_goes_back_as_far_as_there_is_something() -> None:
    assert WON.undo() == after("445566")
    assert WON.undo(3) == after("4455")
    assert WON.undo(7) == after("")
    assert WON.undo(0) == WON
    assert after("44").lost(0, "time").undo() == after("4")
    with pytest.raises(
        UsageError, match="cannot undo: got 8; expected at most 7, the turns so far"
    ):
        WON.undo(8)
    with pytest.raises(
        UsageError, match="cannot undo: got 1; expected at most 0, the turns so far"
    ):
        after("").undo()


def test_every_ply_can_be_returned_to() -> None:
    for ply in range(8):
        assert WON.at(ply) == after("4455667"[:ply])
    assert WON.at(8) is WON


def test_a_match_may_start_anywhere_and_forgets_what_was_before() -> None:
    match = Match.of(Position("connect-four").play("4", "4"))

    assert match.position.moves == ()
    assert match.play("4").position.moves == ("4",)


def test_a_match_that_starts_at_the_end_is_over() -> None:
    assert Match.of(WON.position).end == End(Result.FIRST, "line")


@pytest.mark.parametrize("result", list(Result))
@pytest.mark.parametrize("reason", [*REASONS, "line", "full", ""])
def test_a_match_ends_only_for_a_reason_that_fits_its_result(result: Result, reason: str) -> None:
    if result in REASONS.get(reason, ()):
        assert after("4").ended(result, reason).end == End(result, reason)
    else:
        with pytest.raises(PlyboardError, match="wrong reason"):
            after("4").ended(result, reason)


def test_who_loses_does_not_win() -> None:
    assert after("4").lost(0, "time").result.winner == 1
    assert after("4").lost(1, "time").result.winner == 0
    assert after("4").ended(Result.DRAW, "agreed").result.winner is None


def test_a_turn_can_be_lost_only_where_the_game_allows_it() -> None:
    match = after("3 4", "extended").lose_turn("too late")

    assert match.mover == 1
    assert match.position.board() == after("3 4", "extended").position.board()
    assert match.play("4").lose_turn("").play("4").mover == 0
    with pytest.raises(IllegalMoveError, match="no turn can be lost in connect-four"):
        after("44").lose_turn("too late")


def test_variations_are_checked_move_by_move() -> None:
    line = (Turn(2), Turn(2, variations=((Turn(5),),)))
    match = after("4").play("4", Turn(None, variations=(line,)))

    assert match.turns[1].variations == (line,)
    wrong = [(Turn(9),), (), (Turn(None),), (Turn(2, variations=((Turn(-1),),)),), (Turn(3),) * 6]
    for bad in wrong:
        with pytest.raises(PlyboardError):
            after("4").play("4", Turn(None, variations=(bad,)))


def test_variations_may_not_lie_too_deep() -> None:
    def nested(depth: int) -> tuple[Turn, ...]:
        return (Turn(0, variations=(nested(depth - 1),) if depth > 1 else ()),)

    after("4").play("4", Turn(None, variations=(nested(8),)))
    with pytest.raises(PlyboardError, match="variations too deep"):
        after("4").play("4", Turn(None, variations=(nested(9),)))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Turn(1, left=-0.001),
        lambda: Turn(1, left=math.nan),
        lambda: Turn(1, left=1e7),
        lambda: Turn(1, left=0.00015),
        lambda: Turn(1, left=True),
        lambda: Turn(1, value=math.nan),
        lambda: Turn(1, value=math.inf),
        lambda: Turn(1, value=1e9),
        lambda: Turn(1, comment="x" * 2001),
        lambda: Turn(1, comment="\ud800"),
        lambda: Heading(first="x" * 201),
        lambda: Heading(second="\udfff"),
        lambda: Heading(date="2023-02-29"),
        lambda: Heading(date="20230228"),
        lambda: Heading(date="\uff12023-02-2"),
        lambda: Heading(seed=-1),
        lambda: Heading(seed=2**63),
        lambda: End(Result.DRAW, "agreed", "\ud800"),
    ],
)
def test_evidence_that_no_record_could_hold_is_refused(wrong: object) -> None:
    assert callable(wrong)
    with pytest.raises(PlyboardError, match=r"got .*; expected"):
        wrong()


def test_a_value_of_5000_digits_is_refused_like_any_other() -> None:
    with pytest.raises(
        UsageError, match="wrong value: got 'with 16610 bits'; expected -1000000 to"
    ):
        Turn(0, value=10**5000)
