"""Hints, values and reasons at the prompt."""

from __future__ import annotations

import threading

import pytest
from terminal.desk import played, players_of

from plyboard.analysis.scale import expected, percent
from plyboard.games import Position
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import ValuedMove
from plyboard.session.hints import (
    DEFAULT_BUDGET,
    Advice,
    Adviser,
    eval_lines,
    hint_budget,
    why_lines,
    worth,
)
from plyboard.session.players import HUMAN, Player
from plyboard.terminal.prompt.game_prompt import GamePrompt
from plyboard.terminal.prompt.keyboard import Keyboard

BY_HAND = (Player(HUMAN), Player(HUMAN))


def said(lines: str, moves: str, spec: str = "connect-four") -> list[str]:
    """Return what is said after the first prompt, without the boards."""
    _, out = played(lines, spec, moves=moves, players=BY_HAND)
    return out.partition("> ")[2].splitlines()


def test_a_hint_names_the_move_that_wins_and_why_says_so() -> None:
    lines = said("hint\nwhy\n", "1 2 1 2 1 2")

    assert lines[1] == "Suggested move: 1, win in 1 ply, proved"
    assert lines[3].startswith("1: wins")


def test_why_without_a_hint_is_about_the_last_move() -> None:
    lines = said("why\n", "1 2 1 2 1 3")

    assert lines[1].startswith("3: lets the opponent finish the line in column 1,")


def test_why_after_a_hint_and_a_move_is_about_the_move() -> None:
    _, out = played("hint\n3\nwhy\n", moves="1 2 1 2 1", players=BY_HAND)

    assert "Suggested move: 1, " in out
    assert "\n3: lets the opponent finish the line in column 1," in out


def test_why_before_the_first_move_says_what_to_do() -> None:
    assert said("why\n", "")[1] == "There is no move to explain yet; hint suggests one."


def test_a_game_that_is_over_has_no_hint_but_its_last_move_has_reasons() -> None:
    def wait_to_type(game_prompt: GamePrompt) -> None:  # until what was asked is answered
        game_prompt._monitor.keyboard = Keyboard(None)

    moves = "1 2 1 2 1 2 1"
    _, out = played(
        "hint\neval\nwhy\n", moves=moves, players=players_of(), typed=True, prepare=wait_to_type
    )

    assert "The game is over: there is no move left to suggest.\n" in out
    assert "The game is over: there is nothing left to evaluate.\n" in out
    assert "1: wins" in out


def test_eval_lists_the_moves_the_best_first() -> None:
    lines = said("eval\n", "1 2 1 2 1 2")

    assert lines[1] == "value for x: win in 1 ply, proved"
    assert lines[2].split() == ["move", "value", "best", "line"]
    assert lines[3].split()[:4] == ["1", "win", "in", "1"]
    assert len(lines) == 3 + 7 + 1  # the prompt, the value, the headings, the moves, the prompt


def test_of_many_moves_the_others_are_counted() -> None:
    position = Position("squatter")
    moves = [ValuedMove(action, 0.5, (action,), depth=3) for action in range(36)]
    lines = list(eval_lines(position, moves))

    assert lines[0] == "value for W: +0.5 points, estimated by looking 3 plies ahead"
    assert lines[1] == "move  value        best line"
    assert lines[2] == "  a1  +0.5 points  a1"
    assert lines[-1] == "and 29 more, worth no more than these"


def scored(value: float, depth: int) -> str:
    """Return the expected score of a value at the start of Connect Four."""
    return percent(expected(Position("connect-four"), ValuedMove(3, value, (3,), depth)))


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (ValuedMove(3, 999_995.0, (3,), exact=True), "win in 5 plies (3 of your moves), proved"),
        (ValuedMove(3, 0.0, (3,), exact=True), "draw, proved"),
        (
            ValuedMove(3, -0.25, (3,), depth=8),
            f"an expected score of {scored(-0.25, 8)}, estimated by looking 8 plies ahead",
        ),
        (
            ValuedMove(3, 2.0, (3,), depth=1),
            f"an expected score of {scored(2.0, 1)}, estimated by looking 1 ply ahead",
        ),
        (ValuedMove(3, 2.0, (3,)), f"an expected score of {scored(2.0, 0)}"),
    ],
)
def test_what_a_move_is_worth_is_said_with_how_it_is_known(move: ValuedMove, text: str) -> None:
    assert worth(Position("connect-four"), move) == text


def test_why_gives_the_value_of_a_move_that_forces_nothing() -> None:
    position = Position("connect-four")
    moves = [ValuedMove(3, 2.0, (3,), depth=8), ValuedMove(2, 0.0, (2,), depth=8)]

    assert list(why_lines(position, 3, moves)) == [
        "4: it forces nothing that the search can see; no other move has a better value: an "
        f"expected score of {scored(2.0, 8)}, estimated by looking 8 plies ahead"
    ]
    assert list(why_lines(position, 2, moves)) == [
        f"3: it forces nothing that the search can see; an expected score of {scored(0.0, 8)}, "
        "estimated by looking 8 plies ahead",
        f"4: has the best value: an expected score of {scored(2.0, 8)}, estimated by looking "
        "8 plies ahead",
    ]


def test_the_same_position_is_not_valued_twice() -> None:
    adviser, valued = Adviser(Budget(depth=2)), list[list[ValuedMove]]()

    def note(moves: list[ValuedMove]) -> Advice:
        valued.append(moves)
        return Advice(())

    def ask(position: Position) -> None:
        ended = threading.Event()
        adviser.ask(position, note, ended.set)
        assert ended.wait(60)
        assert adviser.take() == Advice(())
        assert not adviser.is_asked

    position = Position("connect-four")
    ask(position)
    ask(position)
    ask(position.play("4"))
    adviser.close()

    assert len(valued[0]) == 7
    assert valued[1] is valued[0]
    assert valued[2] is not valued[0]


def test_a_hint_takes_as_long_as_a_move_of_the_agent() -> None:
    assert hint_budget(BY_HAND) == DEFAULT_BUDGET
    assert hint_budget((Player(HUMAN), Player("engine", Budget(seconds=4.0, seed=3)))) == (
        Budget(seconds=4.0)
    )
