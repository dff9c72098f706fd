"""Every move is worth what plain minimax says, at one depth, within the budget."""

from __future__ import annotations

import random

import pytest
from boards import uncompiled
from oracles.minimax import minimax

from plyboard.errors import GameOverError, UsageError
from plyboard.evaluate import best_evaluation
from plyboard.evaluate.score_lead import score_lead
from plyboard.games import Position
from plyboard.kernel import jit_is_on
from plyboard.search.alpha_beta.multi_pv import value_moves
from plyboard.search.common.budget import Budget, SearchMonitor
from plyboard.search.common.choice import WIN, Choice, ValuedMove

pytestmark = pytest.mark.kernels

GAMES = [
    ("connect-four:columns=5,rows=4", 5),
    ("connect-four", 4),
    ("conniption:columns=4,rows=4,flips=2", 3),
    ("extended:rows=3,columns=4,pops=2", 4),
    ("squatter:size=4", 3),
]


def middle(spec: str, seed: int) -> Position:
    """Return a position somewhere in a game, in which it goes on."""
    chance = random.Random(seed)
    position = Position(spec)
    for _ in range(chance.randrange(14)):
        after = position.apply_action(chance.choice(position.legal_actions()))
        if after.outcome() is None:
            position = after
    return position


def after_it(value: float, has_points: bool) -> float:
    """Return what a move is worth by what minimax says of the position after it."""
    if has_points or abs(value) < WIN - 300:
        return -value
    return 1 - value if value > 0 else -1 - value


@pytest.mark.parametrize("seed", range(6 if jit_is_on() else 1))
@pytest.mark.parametrize(("spec", "deepest"), GAMES)
def test_each_move_equals_plain_minimax(spec: str, deepest: int, seed: int) -> None:
    position, depth = middle(spec, seed), deepest if jit_is_on() else 2
    evaluation, has_points = best_evaluation(position.game), position.game.rules.has_points

    found = value_moves(position, evaluation, Budget(depth=depth), mebibytes=1)

    assert sorted(each.action for each in found) == list(position.legal_actions())
    assert [each.value for each in found] == sorted((each.value for each in found), reverse=True)
    for each in found:
        right = minimax(position.apply_action(each.action), depth - 1, evaluation)
        assert each.value == pytest.approx(after_it(float(right.value), has_points))
        assert each.depth == depth or each.exact
        assert each.exact == (not right.guessed or (not has_points and abs(each.value) > 9e5))
        assert each.line[0] == each.action
        position.apply_action(*each.line)  # it is legal to its end


def facts(moves: list[ValuedMove]) -> list[tuple[int, float, bool]]:
    return sorted((each.action, each.value, each.exact) for each in moves)


@pytest.mark.parametrize("spec", ["connect-four", "conniption", "squatter:size=4"])
def test_two_threads_find_the_same_values(spec: str) -> None:
    position, budget = middle(spec, 3), Budget(depth=4 if jit_is_on() else 2)
    evaluation = best_evaluation(position.game)

    one = value_moves(position, evaluation, budget, mebibytes=1)
    two = value_moves(position, evaluation, budget, mebibytes=1, threads=2)

    assert facts(one) == facts(two)


def test_a_node_budget_is_kept_and_repeats_itself() -> None:
    position, nodes = Position("conniption"), 20_000 if jit_is_on() else 300
    evaluation = best_evaluation(position.game)

    first = value_moves(position, evaluation, Budget(nodes=nodes), mebibytes=1)
    again = value_moves(position, evaluation, Budget(nodes=nodes), mebibytes=1)

    assert first == again
    assert sum(each.nodes for each in first) <= nodes + 200


def test_guesses_come_from_one_depth_even_if_the_budget_ends_within_the_next() -> None:
    position = Position("connect-four")
    evaluation = best_evaluation(position.game)
    for nodes in (8, 60, 700, 2000) if jit_is_on() else (8, 60):
        found = value_moves(position, evaluation, Budget(nodes=nodes), mebibytes=1)

        assert len({each.depth for each in found if not each.exact}) == 1


def test_it_ends_when_every_move_is_proved() -> None:
    position = Position.read("connect-four:columns=3,rows=3,line=3 2 2 1 3 1")

    with uncompiled():
        evaluation = best_evaluation(position.game)
        found = value_moves(position, evaluation, Budget(depth=200), mebibytes=1)

    assert all(each.exact for each in found)
    assert position.move_text(found[0].action) == "1"  # else the column of x is full


def test_a_watch_hears_of_each_depth_with_the_values_of_all_moves() -> None:
    position, heard = Position("connect-four"), list[Choice]()

    def listen(choice: Choice) -> None:
        heard.append(choice)
        if choice.depth == 3:
            monitor.stop()

    monitor = SearchMonitor(listen)
    found = value_moves(
        position, best_evaluation(position.game), Budget(monitor=monitor), mebibytes=1
    )

    assert [each.depth for each in heard] == [1, 2, 3]
    assert {each.depth for each in found} == {3}
    assert set(heard[-1].values) == set(position.legal_actions())


def test_a_search_that_is_stopped_before_it_begins_still_values_every_move() -> None:
    monitor, position = SearchMonitor(), Position("squatter")
    monitor.stop()

    found = value_moves(
        position, best_evaluation(position.game), Budget(monitor=monitor), mebibytes=1
    )

    assert {each.depth for each in found} == {1}
    assert len(found) == 36


def test_a_game_that_is_over_and_no_threads_are_refused() -> None:
    over, position = Position.read("1212121"), Position("connect-four")

    with pytest.raises(GameOverError, match="the game is over"):
        value_moves(over, score_lead(over.game.rules), Budget(depth=1))
    with pytest.raises(UsageError, match="got 0 threads and 64 MiB"):
        value_moves(position, score_lead(position.game.rules), Budget(depth=1), threads=0)
