"""Compiled searches take weights as an argument: other weights, the same code, another choice."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from plyboard.errors import UsageError
from plyboard.evaluate import best_evaluation
from plyboard.evaluate.evaluation import Evaluation
from plyboard.evaluate.patterns import (
    ENDINGS,
    SHAPE,
    PatternWeights,
    evaluation_by,
    learned_weights,
)
from plyboard.evaluate.window_potential import shares, window_potential
from plyboard.games import Position
from plyboard.games.extended import Extended
from plyboard.kernel import compilations
from plyboard.origins.alice.open_lines import open_lines
from plyboard.origins.alice.textbook import textbook_alpha_beta
from plyboard.origins.conniption.lines import conniption_lines
from plyboard.search.alpha_beta.duplicate_pruning import minimax_without_duplicates
from plyboard.search.alpha_beta.iterative_deepening import compiled_alpha_beta, deepen
from plyboard.search.alpha_beta.multi_pv import choice_of, value_moves
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice
from plyboard.search.expectimax import expectimax_search

pytestmark = pytest.mark.kernels

BUDGET = Budget(depth=2)
Search = Callable[[Position, Evaluation], Choice]
SEARCHES: dict[str, Search] = {
    "deepen": lambda position, evaluation: deepen(position, evaluation, BUDGET, 1),
    "value_moves": lambda position, evaluation: choice_of(
        value_moves(position, evaluation, BUDGET, 1)
    ),
    "textbook": lambda position, evaluation: textbook_alpha_beta(position, evaluation, BUDGET),
    "without_duplicates": lambda position, evaluation: minimax_without_duplicates(
        position, evaluation, BUDGET, 1
    ),
    "expectimax": lambda position, evaluation: expectimax_search(position, evaluation, BUDGET, 1),
}
OPENINGS = {
    "connect-four:columns=5,rows=4": "3 1 2",
    "conniption:columns=4,rows=4,flips=2": "2 2 1",
    "extended:rows=3,columns=4,pops=2": "1 1 0",
    "squatter:size=4": "b2 c3 c2",
}


def opened(spec: str) -> Position:
    return Position(spec).play(*OPENINGS[spec].split())


@pytest.mark.parametrize("search", SEARCHES)
def test_every_search_takes_other_weights_without_compiling_again(search: str) -> None:
    position, find = opened("connect-four:columns=5,rows=4"), SEARCHES[search]
    usual = best_evaluation(position.game)
    first, compiled = find(position, usual), len(compilations())

    doubled = find(position, usual.with_weights(2 * usual.weights))

    assert len(compilations()) == compiled
    assert first.value != 0
    assert doubled.value == pytest.approx(2 * first.value)


@pytest.mark.parametrize("spec", OPENINGS)
def test_other_weights_choose_another_move(spec: str) -> None:
    position = opened(spec)
    usual = best_evaluation(position.game)
    chosen, compiled = deepen(position, usual, Budget(depth=1), 1), len(compilations())

    other = deepen(position, usual.with_weights(-usual.weights), Budget(depth=1), 1)

    assert len(compilations()) == compiled
    assert (other.action, other.value) != (chosen.action, chosen.value)
    assert other.action != chosen.action


def test_patterns_with_other_weights_share_a_loop() -> None:
    game = Extended(3, 4, 2)
    none = PatternWeights(np.zeros(SHAPE, np.int16), np.zeros(ENDINGS, np.int16))
    learned, points = evaluation_by(game, learned_weights()), evaluation_by(game, none)
    position = opened("extended:rows=3,columns=4,pops=2")

    assert compiled_alpha_beta(game.rules, learned, False) is compiled_alpha_beta(
        game.rules, points, False
    )
    assert (position.mover, position.scores()) == (1, (2, 0))
    assert points.value(position.state) == -200 != learned.value(position.state)


@pytest.mark.parametrize(
    ("evaluation", "spec"),
    [
        (open_lines(5, 4), "connect-four:columns=5,rows=4"),
        (conniption_lines(4, 4), "conniption:columns=4,rows=4,flips=2"),
    ],
    ids=["open-lines", "conniption-lines"],
)
def test_doubled_weights_double_the_value(evaluation: Evaluation, spec: str) -> None:
    state = opened(spec).state
    value = evaluation.value(state)

    assert evaluation.with_weights(2 * evaluation.weights).value(state) == 2 * value != 0


def test_windows_of_one_length_can_weigh_more() -> None:
    state = opened("extended:rows=3,columns=4,pops=2").state
    usual = window_potential(4, 3)

    more = usual.with_weights(shares((0, 0, 3, 7, 30)))

    assert more.value(state) != usual.value(state)


def test_nobody_can_change_the_weights_of_an_evaluation() -> None:
    numbers = np.array([3, 1])
    evaluation = open_lines(4, 4).with_weights(numbers)
    numbers[0] = 9

    assert evaluation.weights.tolist() == [3, 1]
    with pytest.raises(ValueError, match="read-only"):
        evaluation.weights[0] = 9


@pytest.mark.parametrize("weights", [[1], [1, 2, 3], [[1, 2]]])
def test_wrong_weights_are_refused(weights: object) -> None:
    evaluation = open_lines(4, 4)

    with pytest.raises(UsageError, match=r"wrong weights of open-lines: got shape .*; expected"):
        evaluation.with_weights(weights)  # type: ignore[arg-type]


def test_weights_are_numbers_in_one_dimension() -> None:
    with pytest.raises(UsageError, match="wrong weights: got an array of int64 with 2 dimensions"):
        Evaluation("square", open_lines(4, 4).evaluate, weights=np.zeros((2, 2), np.int64))
