"""Every evaluation is in one list, and a game from outside can bring its own."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import pytest

from plyboard.agents import agent
from plyboard.conformance.loading import load_game
from plyboard.errors import UsageError
from plyboard.evaluate import (
    EVALUATIONS,
    Evaluation,
    best_evaluation,
    evaluation_of,
    evaluations_of,
)
from plyboard.evaluate.evaluation import Weights
from plyboard.games import Position, game
from plyboard.games.catalogue import GAMES
from plyboard.games.rules import State
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import count
from plyboard.search.common.budget import Budget

pytestmark = pytest.mark.kernels

BEST = {
    "connect-four": "threat-parity",
    "conniption": "flip-potential",
    "extended": "patterns",
    "squatter": "ring-potential",
}
CENTRE, LAST_CORNER = 4, 8
TicTacToe: Any = type(load_game("examples/tic_tac_toe.py:TicTacToe"))


class CornerTicTacToe(TicTacToe):  # type: ignore[misc]
    """Noughts and crosses with an evaluation of its own: it wants the last corner."""

    @cached_property
    def evaluations(self) -> tuple[Evaluation, ...]:
        corner, mover = Word(1 << LAST_CORNER), self.rules.mover

        @kernel
        def evaluate(state: State, weights: Weights) -> int:
            lead = count(state[0] & corner) - count(state[1] & corner)
            return int(weights[0] * (-lead if mover(state) else lead))

        return (Evaluation("corner", evaluate, weights=np.array([3])),)


class UnevaluatedTicTacToe(TicTacToe):  # type: ignore[misc]
    """Noughts and crosses with an empty list of evaluations."""

    evaluations = ()


def test_every_game_of_ours_has_its_best_evaluation_in_the_list() -> None:
    assert {kind.name: best_evaluation(game(kind.name)).name for kind in GAMES} == BEST


@pytest.mark.parametrize("name", EVALUATIONS)
def test_an_evaluation_has_the_name_under_which_it_is_listed(name: str) -> None:
    listed = EVALUATIONS[name]
    kind = next(kind for kind in GAMES if issubclass(kind, listed.game))
    position = Position(kind.name)
    found = evaluation_of(position.game, name)

    assert found.name == name
    assert found is listed.make(position.game)
    assert isinstance(found.value(position.state), int)
    assert listed.about


def test_a_game_without_evaluations_is_valued_by_its_score() -> None:
    for each in (TicTacToe(), UnevaluatedTicTacToe()):
        assert [found.name for found in evaluations_of(each)] == ["score-lead"]


def test_the_engine_uses_the_evaluation_that_a_game_brings() -> None:
    own, without, engine = CornerTicTacToe(), TicTacToe(), agent("engine:depth=1,hash=1")

    chosen = engine.choose(Position(own), Budget())

    assert best_evaluation(own) is own.evaluations[0]
    assert (chosen.action, chosen.value) == (LAST_CORNER, 3)
    assert engine.choose(Position(without), Budget()).action == CENTRE
    assert [each.name for each in evaluations_of(own)] == ["corner", "score-lead"]


def test_an_unknown_evaluation_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(UsageError) as refused:
        evaluation_of(game("squatter"), "patterns")

    assert str(refused.value) == (
        "no such evaluation of squatter: got 'patterns'; "
        "expected ring-potential, score-lead, captured-cells"
    )
