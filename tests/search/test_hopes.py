"""Hopes: of moves that are alike, the one after which most replies go wrong."""

from __future__ import annotations

import random
from collections.abc import Sequence
from fractions import Fraction

import pytest

from plyboard.evaluate import best_evaluation
from plyboard.games import Position
from plyboard.search.alpha_beta import deepen
from plyboard.search.budget import Budget, Watch
from plyboard.search.choice import Choice
from plyboard.search.hopes import ALIKE, GAIN, GLANCE, MOST, hopeful

NODES = 400_000
SPLIT = (14, 1, 21, 19, 27, 9, 8)  # alpha-beta draws then with many who play by chance
GAME = 4  # one in which it does


def hoped(position: Position, budget: Budget) -> Choice:
    return hopeful(position, best_evaluation(position.game), budget, 4)


def after_chance(seed: int, free: int) -> Position:
    """Return a position after random moves, with so many cells free at most."""
    chance, position = random.Random(seed), Position("squatter:size=4")
    while position.outcome() is None and len(position.legal_actions()) > free:
        position = position.play(chance.choice(position.legal_actions()))
    return position


def lead(position: Position) -> int:
    """Return the points that the player to move is ahead by."""
    first, second = position.scores() or (0, 0)
    return second - first if position.mover else first - second


def minimax(position: Position) -> int:
    """Return what the player to move gets at the end if both play best."""
    if position.outcome() is not None:
        return lead(position)
    return max(-minimax(position.play(each)) for each in position.legal_actions())


def mean(position: Position, action: int) -> Fraction:
    """Return the mean over all replies of what the player to move gets, errors being capped."""
    after, now = position.play(action), lead(position)
    ends = [minimax(after.play(reply)) - now for reply in after.legal_actions()]
    return Fraction(sum(min(max(each, -MOST), MOST) for each in ends), len(ends))


@pytest.mark.parametrize("seed", range(40))
def test_near_the_end_it_is_the_best_mean_of_the_moves_that_keep_the_value(seed: int) -> None:
    position = after_chance(seed, 6)
    legal, value = position.legal_actions(), minimax(position)
    keeping = [each for each in legal if -minimax(position.play(each)) == value]

    choice = hoped(position, Budget(nodes=NODES))

    assert choice.exact
    assert choice.value == value
    assert choice.action in keeping
    going_on = [each for each in keeping if position.play(each).outcome() is None]
    if abs(value - lead(position)) < GAIN and choice.action in going_on:
        assert mean(position, choice.action) == max(mean(position, each) for each in going_on)


@pytest.mark.parametrize("seed", range(6))
def test_the_move_is_as_good_as_that_of_alpha_beta(seed: int) -> None:
    position, chance = Position("squatter"), random.Random(seed)
    for _ in range(8):
        position = position.play(chance.choice(position.legal_actions()))
    evaluation = best_evaluation(position.game)
    glance = deepen(position, evaluation, Budget(nodes=int(NODES * GLANCE)), 4)

    choice = hoped(position, Budget(nodes=NODES))

    assert choice.value >= glance.value - ALIKE
    if choice.depth == glance.depth and choice.action != glance.action:
        after = position.play(choice.action)
        seen = -deepen(after, evaluation, Budget(depth=glance.depth - 1), 4).value
        assert choice.value <= seen + 1e-9


def test_the_same_nodes_give_the_same_choice_and_no_more_are_spent() -> None:
    position = played(SPLIT)

    first, second = (hoped(position, Budget(nodes=NODES)) for _ in range(2))

    assert (first.action, first.value, first.line, first.nodes) == (
        second.action, second.value, second.line, second.nodes,
    )  # fmt: skip
    assert NODES * GLANCE < first.nodes <= NODES
    assert first.line[0] == first.action


@pytest.mark.parametrize("nodes", [1, 2, 40, 1000])
def test_a_little_is_enough_for_a_legal_move(nodes: int) -> None:
    position = played(SPLIT)

    choice = hoped(position, Budget(nodes=nodes))

    assert choice.action in position.legal_actions()


def test_what_was_chosen_is_told_last_and_a_stop_is_heard() -> None:
    told: list[Choice] = []
    position = played(SPLIT)
    choice = hoped(position, Budget(nodes=NODES, watch=Watch(told.append)))
    stopped = Watch()
    stopped.stop()

    early = hoped(position, Budget(nodes=NODES, watch=stopped))

    assert told[-1] == choice
    assert early.action in position.legal_actions()
    assert early.nodes < NODES * GLANCE


def test_it_beats_chance_where_alpha_beta_draws() -> None:
    assert [leads_at_the_end(hopes=hopes) for hopes in (False, True)] == [0, 1]


def played(actions: Sequence[int]) -> Position:
    position = Position("squatter")
    for action in actions:
        position = position.play(action)
    return position


def leads_at_the_end(*, hopes: bool) -> int:
    """Play on from a split board against chance, and return the points that we are ahead by."""
    position, chance = played(SPLIT), random.Random(GAME)
    us, evaluation, budget = position.mover, best_evaluation(position.game), Budget(nodes=NODES)
    while position.outcome() is None:
        if position.mover != us:
            position = position.play(chance.choice(position.legal_actions()))
        elif hopes:
            position = position.play(hoped(position, budget).action)
        else:
            position = position.play(deepen(position, evaluation, budget, 4).action)
    first, second = position.scores() or (0, 0)
    return second - first if us else first - second
