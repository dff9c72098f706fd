"""A look at the next turn of Conniption tells what playing every turn tells."""

from __future__ import annotations

import random
from typing import Any

import pytest
from oracles.minimax import passed, winning

from plyboard.evaluate.evaluation import QUIET, THREATENED
from plyboard.evaluate.immediate_wins import immediate_wins
from plyboard.games import Position
from plyboard.games.conniption import Conniption
from plyboard.kernel import compiled, jit_is_on, kernel
from plyboard.kernel.wide import wide
from plyboard.search.common.boundary import words

pytestmark = pytest.mark.kernels

SPECS = [
    "conniption", "conniption:flips=1", "conniption:columns=5,rows=4,flips=2",
    "conniption:columns=10,rows=8,flips=9", "conniption:columns=4,rows=4",
]  # fmt: skip
GAMES = 40 if jit_is_on() else 3


@pytest.mark.parametrize("spec", SPECS)
def test_it_tells_wins_and_threats_as_playing_every_turn_does(spec: str) -> None:
    chance, seen = random.Random(spec), set()
    for _ in range(GAMES):
        position = Position(spec)
        assert isinstance(position.game, Conniption)
        immediate_win = immediate_wins(position.game)
        while position.outcome() is None:
            wins, told = winning(position), immediate_win(position.state, True)
            alone = immediate_win(position.state, False)

            if wins:
                assert told in wins
                assert alone == told
            else:
                assert told == (THREATENED if winning(passed(position)) else QUIET)
                assert alone == QUIET
            seen.add(min(told, 0))
            position = position.apply_action(chance.choice(position.legal_actions()))
    assert seen == {0, QUIET, THREATENED}


@pytest.mark.parametrize(
    ("moves", "only_win"),
    [
        ("f3f 4 f1f 4 4 f6", "2"),
        ("4f 2f 3f 6f 1 2f", "2f"),
        ("6 f6 f6f 1f 6f 6", "f6"),
        ("5 f3f 4 f6f 7f 5", "f6f"),
    ],
)
def test_a_win_is_found_in_each_of_the_four_forms_of_a_turn(moves: str, only_win: str) -> None:
    position = Position("conniption").play(*moves.split())
    assert isinstance(position.game, Conniption)

    told = immediate_wins(position.game)(position.state, False)

    assert position.move_text(told) == only_win


def test_compiled_it_tells_the_same() -> None:
    position = Position("conniption")
    assert isinstance(position.game, Conniption)
    immediate_win, load = immediate_wins(position.game), wide(len(position.state)).load

    @kernel
    def entry(state: Any, both_players: bool) -> int:
        return immediate_win(load(state, 0), both_players)

    run, chance = compiled(entry), random.Random(5)
    for _ in range(10 * GAMES):
        if position.outcome() is not None:
            position = Position("conniption")
        for both_players in (False, True):
            assert run(words(position.state), both_players) == immediate_win(
                position.state, both_players
            )
        position = position.apply_action(chance.choice(position.legal_actions()))
