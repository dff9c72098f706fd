"""Traps: moves that short-sighted replies make better, and that give little away."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from plyboard.evaluate import best_evaluation
from plyboard.games import Position
from plyboard.search.alpha_beta import deepen
from plyboard.search.boundary import words
from plyboard.search.budget import Budget, Watch
from plyboard.search.choice import Choice
from plyboard.search.control import FREE, control_of
from plyboard.search.expected import Expected, reader_of
from plyboard.search.hopes import hopeful
from plyboard.search.traps import GIVEN, GLANCE, trapping

RING = "++++++/++W+++/+W++++/++W+++/+B++B+/++++++ W"  # d3 closes a loop round c3
NODES = 1_000_000
OPENING = 1  # one in which alpha-beta draws


def trapped(position: Position, budget: Budget) -> Choice:
    reader = reader_of(position.game)
    assert reader is not None
    return trapping(position, best_evaluation(position.game), reader, budget, 4)


def alpha_beta(position: Position, budget: Budget) -> Choice:
    return deepen(position, best_evaluation(position.game), budget, 4)


def replies_of(position: Position) -> Expected:
    reader = reader_of(position.game)
    assert reader is not None
    return Expected(position.game.rules, reader)


def after_reply(position: Position, action: int) -> Position:
    """Return the position after an action and the reply to expect, or after the last action."""
    reply, _ = replies_of(position).after(words(position.state), action, control_of(FREE))
    return position.play(action) if reply < 0 else position.play(action).play(reply)


def opening(seed: int, plies: int) -> Position:
    """Return a position after random moves, the last four of them with replies to expect."""
    chance, position = random.Random(seed), Position("squatter")
    for _ in range(plies - 4):
        position = position.play(chance.choice(position.legal_actions()))
    for _ in range(2):
        position = after_reply(position, chance.choice(position.legal_actions()))
    return position


@pytest.mark.parametrize("seed", range(6))
def test_the_move_is_not_clearly_worse_than_that_of_alpha_beta(seed: int) -> None:
    position = opening(seed, 5 + seed)
    evaluation = best_evaluation(position.game)
    glance = deepen(position, evaluation, Budget(nodes=int(NODES * GLANCE)), 4)

    choice = trapped(position, Budget(nodes=NODES))

    assert choice.depth == glance.depth
    assert choice.value >= glance.value - GIVEN
    if choice.action != glance.action:
        after = position.play(choice.action)
        seen = -deepen(after, evaluation, Budget(depth=glance.depth - 1), 4).value
        assert choice.value <= seen + 1e-9


def test_some_moves_are_not_those_of_alpha_beta() -> None:
    positions = [opening(seed, 7) for seed in range(6)]
    budget = Budget(nodes=NODES)

    moves = [trapped(each, budget).action for each in positions]

    plain = [deepen(each, best_evaluation(each.game), budget, 4).action for each in positions]
    assert moves != plain


def with_other_reply(position: Position) -> Position:
    """Return a position after another reply than the last one."""
    before = position.undo()
    other = next(each for each in before.legal_actions() if each != position.last_action)
    return before.play(other)


def strange(position: Position) -> Position:
    """Return a position after an action and a reply that was not to be expected."""
    return with_other_reply(after_reply(position, position.legal_actions()[0]))


def test_after_two_replies_not_to_expect_it_hopes_for_any_error() -> None:
    position, budget = strange(strange(opening(1, 6))), Budget(nodes=20_000)

    choice = trapped(position, budget)

    hoped = hopeful(position, best_evaluation(position.game), budget, 4)
    assert replace(choice, seconds=0) == replace(hoped, seconds=0)
    assert choice.nodes != alpha_beta(position, budget).nodes


@pytest.mark.parametrize(
    "led_to",
    [
        lambda: Position("squatter", opening(1, 6).text()),
        lambda: strange(Position("squatter")),
        lambda: strange(opening(1, 6)),
    ],
    ids=["no reply is known", "one, not to be expected", "one, after another to be expected"],
)
def test_before_it_knows_the_opponent_it_plays_as_alpha_beta_does(
    led_to: Callable[[], Position],
) -> None:
    position, budget = led_to(), Budget(nodes=20_000)

    choice = trapped(position, budget)

    assert replace(choice, seconds=0) == replace(alpha_beta(position, budget), seconds=0)


def test_the_same_nodes_give_the_same_choice_and_no_more_are_spent() -> None:
    position = opening(1, 6)

    first, second = (trapped(position, Budget(nodes=NODES)) for _ in range(2))

    assert (first.action, first.value, first.line, first.nodes) == (
        second.action, second.value, second.line, second.nodes,
    )  # fmt: skip
    assert NODES * GLANCE < first.nodes <= NODES
    assert first.line[0] == first.action


def test_a_loop_that_can_be_closed_is_closed() -> None:
    choice = trapped(Position("squatter", RING), Budget(nodes=20_000))

    assert Position("squatter").game.write(choice.action) == "d3"
    assert choice.value >= 1


def test_what_was_chosen_is_told_last_and_a_stop_is_heard() -> None:
    told: list[Choice] = []
    position = opening(1, 6)
    choice = trapped(position, Budget(nodes=NODES, watch=Watch(told.append)))
    stopped = Watch()
    stopped.stop()

    early = trapped(position, Budget(nodes=NODES, watch=stopped))

    assert told[-1] == choice
    assert early.action in position.legal_actions()
    assert early.nodes < NODES * GLANCE


def test_it_beats_those_replies_where_alpha_beta_draws() -> None:
    assert [final_lead(trap=trap) for trap in (False, True)] == [0, 1]


def final_lead(*, trap: bool) -> int:
    """Play a game against the replies to expect, and return the points that we are ahead by."""
    position = opening(OPENING, 6)
    evaluation, budget = best_evaluation(position.game), Budget(nodes=NODES)
    while position.outcome() is None:
        chosen = trapped(position, budget) if trap else deepen(position, evaluation, budget, 4)
        position = after_reply(position, chosen.action)
    first, second = position.scores() or (0, 0)
    return first - second
