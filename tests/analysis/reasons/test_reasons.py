"""Reasons say what they mean, each on a board of its own; what is false does not pass."""

from __future__ import annotations

from dataclasses import replace

import pytest
from oracles.reasons import Checker

from plyboard.analysis.moves import ValuedMove, valued_moves
from plyboard.analysis.reasons.reason import ReasonKind
from plyboard.analysis.reasons.registry import reasons, reasons_from
from plyboard.conformance.loading import load_game
from plyboard.errors import IllegalMoveError
from plyboard.games import Position
from plyboard.search.common.budget import Budget

SMALL, FLIPPED = "connect-four:columns=4,rows=4", "conniption:columns=4,rows=4,flips=2"
FEW = "extended:rows=3,columns=4,pops=2"
BOTH = "conniption ......./......./......./.W.W.../WBWB.../BWBWWBB B 4,4 flip"

ROWS = [
    (ReasonKind.WINS, "connect-four 415161", "7", "wins at once: the line 4-7 in row 1"),
    (ReasonKind.WINS, "connect-four 121212", "1", "wins at once: the line in column 1, rows 1-4"),
    (
        ReasonKind.WINS,
        "connect-four 1223343446",
        "4",
        "wins at once: the diagonal from column 1, row 1 to column 4, row 4",
    ),
    (ReasonKind.WINS, BOTH, "f1", "wins at once: the flip gives both a four, and the flipper wins"),
    (
        ReasonKind.LOSES,
        "conniption 3 3f 1f 4f 1f 6f 3 f5 2 2",
        "f3f",
        "loses at once: gives the opponent the line 2-6 in row 1",
    ),
    (
        ReasonKind.LETS_WIN,
        "connect-four 41516",
        "1",
        "lets the opponent finish the line 3-6 in row 1 by playing 3 (or 7)",
    ),
    (
        ReasonKind.STOPS,
        "connect-four 12121",
        "1",
        "must be played: stops the line in column 1, rows 1-4",
    ),
    (ReasonKind.NO_ANSWER, "connect-four 4455", "3", "makes two threats at once: 2 and 6"),
    (
        ReasonKind.NO_ANSWER,
        f"{SMALL} 4 3 2 4 1 3 3 3 1 1 4 4 2",
        "1",
        "wins next, whatever comes: by 2",
    ),
    (
        ReasonKind.THREATENS,
        "connect-four 1212",
        "1",
        "threatens the line in column 1, rows 1-4 by 1; only 1 stops it",
    ),
    (
        ReasonKind.WINS_BY_FORCE,
        f"{SMALL} 3 1 1 4 1 1 4 3 3 3",
        "4",
        "the only move that wins: by force in 5 plies: 4 4 2 2 2",
    ),
    (
        ReasonKind.LOSES_BY_FORCE,
        "connect-four 445",
        "7",
        "lets the opponent win by force in 4 plies: 7 3 3 6",
    ),
    (
        ReasonKind.MISSES_WIN,
        "connect-four 121212",
        "4",
        "misses the win at once by 1: the line in column 1, rows 1-4",
    ),
    (ReasonKind.MISSES_WIN, "connect-four 4455", "1", "misses a win in 3 plies: 3 5 2"),
    (
        ReasonKind.WINS_LATER,
        f"{FLIPPED} 3 f4f 1 3 1 3",
        "1",
        "wins in 7 plies, later than 2, which wins in 3 plies",
    ),
    (
        ReasonKind.ZUGZWANG,
        "connect-four 6365117642255163765557",
        "3",
        "gives x a threat at column 7, row 5 after 3 1 1 2 4: "
        "once the other columns are full, o must play below it",
    ),
    (
        ReasonKind.FACES_ZUGZWANG,
        "connect-four 642221125751764761326275",
        "1",
        "gives o a threat at column 4, row 4: "
        "once the other columns are full, x must play below it",
    ),
    (
        ReasonKind.KEEPS_DRAW,
        f"{SMALL} 4 4 1 4 3 3 4 2 1 3 3 1",
        "1",
        "keeps the draw: the only move that does",
    ),
    (
        ReasonKind.GIVES_DRAW_AWAY,
        f"{SMALL} 4 2 4 2 4 4 2 2 3",
        "3",
        "gives the draw away, which 1 keeps",
    ),
    (
        ReasonKind.HOLDS_OUT,
        f"{SMALL} 1 2 2 4 2 2 1 3 4",
        "3",
        "every move loses; this one in 6 plies, longer than after other moves",
    ),
    (ReasonKind.GAINS, "squatter c2 d1 b3 e3 d3 f2", "c4", "closes a loop of 1 cell"),
    (
        ReasonKind.GAINS,
        "squatter a3 f1 b2 f2 b4 f3 d2 f4 d4 f5 e3 f6",
        "c3",
        "closes two loops of 1 cell each",
    ),
    (
        ReasonKind.GAINS,
        "squatter a3 a1 b2 b1 b4 c1 d2 d1 e2 e1 d4 f1 e4 f2 f3 f5",
        "c3",
        "closes two loops of 1 and 2 cells",
    ),
    (ReasonKind.GAINS, "extended 0 0 1 1 2 2", "3", "makes a four and gains 15 points"),
    (
        ReasonKind.LETS_GAIN,
        "squatter c2 f1 b3 f2 d3",
        "f3",
        "lets the opponent gain 1 cell by c4; after c4 it is none",
    ),
    (
        ReasonKind.LETS_GAIN,
        "extended 0 0 1 1 2",
        "2",
        "lets the opponent gain 15 points by 3; after 3 it is at most 4 points",
    ),
    (
        ReasonKind.STOPS_GAIN,
        "squatter c2 f1 b3 f2 d3",
        "c4",
        "keeps the opponent from gaining 1 cell by c4, which all other moves allow",
    ),
    (ReasonKind.PASSES_UP, "squatter c2 f1 b3 f2 d3 f3", "a1", "passes up 1 cell by c4"),
    (ReasonKind.PASSES_UP, "extended 0 0 1 1 2 2", "7", "passes up 15 points by 3"),
    (ReasonKind.THREATENS_GAIN, "squatter c2 f1 b3 f2", "d3", "threatens to gain 1 cell by c4"),
    (
        ReasonKind.LOSES_POINTS,
        f"{FEW} 0 3 0p 3 3 3p 0 3 2 3p 1 2 2",
        "0",
        "loses 5 points against best play to the end: it ends at -5, 1 at 0",
    ),
    (
        ReasonKind.BEST_TO_END,
        f"{FEW} 0 2 3 0 3 0 0p 3p 2 1 3 3p 2",
        "1",
        "best to the end: it ends at +7",
    ),
    (
        ReasonKind.BEST_TO_END,
        f"{FEW} 3 0 3 3 0p 3p 3 2 1 1 1 0 0",
        "0",
        "keeps the draw to the end",
    ),
]


def found_at(text: str, move: str) -> tuple[Position, int, list[ValuedMove]]:
    """Return a position, a move, and what all moves are worth there."""
    position = Position.read(text)
    budget = Budget(depth=3 if position.game.name == "squatter" else 7)
    if len(position.moves) > 20:  # so late that the solver proves long wins
        budget = Budget(nodes=300_000)
    return position, position.parse_move(move), valued_moves(position, budget)


@pytest.mark.parametrize(("kind", "text", "move", "words"), ROWS)
def test_a_reason_is_told_and_holds(kind: ReasonKind, text: str, move: str, words: str) -> None:
    position, action, moves = found_at(text, move)

    found = [each for each in reasons_from(position, action, moves) if each.kind is kind]

    assert [reason.text for reason in found] == [words]
    Checker(position, action, 7).check(found[0])


def test_every_kind_of_reason_has_a_board() -> None:
    assert {row[0] for row in ROWS} == set(ReasonKind)


@pytest.mark.parametrize(("kind", "text", "move", "words"), ROWS)
def test_said_of_another_move_it_is_noticed(
    kind: ReasonKind, text: str, move: str, words: str
) -> None:
    position, action, moves = found_at(text, move)
    reason = next(each for each in reasons_from(position, action, moves) if each.kind is kind)
    others = [
        each.action
        for each in moves
        if words not in [found.text for found in reasons_from(position, each.action, moves)]
    ]

    assert others
    for other in others[:4]:
        with pytest.raises((AssertionError, ValueError)):
            Checker(position, other, 7).check(reason)


@pytest.mark.parametrize(("kind", "text", "move", "words"), ROWS)
def test_a_wrong_amount_is_noticed(kind: ReasonKind, text: str, move: str, words: str) -> None:
    position, action, moves = found_at(text, move)
    reason = next(each for each in reasons_from(position, action, moves) if each.kind is kind)
    checker = Checker(position, action, 7)
    for wrong in (reason.amount - 2, reason.amount + 2) if reason.amount else ():
        with pytest.raises((AssertionError, ValueError)):
            checker.check(replace(reason, amount=wrong))


def test_a_quiet_move_has_no_reasons() -> None:
    assert reasons(Position("connect-four"), 3, Budget(depth=4)) == []
    assert reasons(Position("squatter"), 14, Budget(depth=2)) == []


def test_the_weightiest_reason_comes_first_and_each_is_told_once() -> None:
    position = Position.read("connect-four 121212")

    found = reasons(position, 3, Budget(depth=4))

    assert [reason.kind for reason in found] == [ReasonKind.MISSES_WIN, ReasonKind.LETS_WIN]
    assert str(found[0]) == found[0].text


def test_values_that_are_known_already_give_the_same_reasons() -> None:
    position = Position.read("connect-four 4455")
    moves = valued_moves(position, Budget(depth=4))

    for action in position.legal_actions():
        known = reasons_from(position, action, moves)
        assert known == reasons(position, action, Budget(depth=4))


def test_an_illegal_move_has_no_reasons_but_an_error() -> None:
    with pytest.raises(IllegalMoveError, match="column 4 is full"):
        reasons(Position.read("444444"), 3, Budget(depth=1))


def test_a_game_of_somebody_else_has_reasons_too() -> None:
    game = load_game("examples/tic_tac_toe.py:TicTacToe")
    position = Position(game).play("a1", "b2", "b1", "c3")

    assert [str(each) for each in reasons(position, 2, Budget(depth=9))] == ["wins at once"]
