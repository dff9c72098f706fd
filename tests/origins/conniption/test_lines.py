"""Conniption's line and flip weights: the values known before, and an oracle that reads lines."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from oracles import conniption_lines as oracle

from plyboard.evaluate.evaluation import Weights
from plyboard.games import Position
from plyboard.games.conniption import Conniption
from plyboard.kernel import compiled, jit_is_on, kernel
from plyboard.kernel.wide import wide
from plyboard.origins.conniption.lines import conniption_lines

pytestmark = pytest.mark.kernels

GAMES = 40 if jit_is_on() else 4
EMPTY = "/".join(["......."] * 5)
KNOWN = [  # bottom rows, flips of White and Blue, and what White thinks of them
    ("....... W 4,4 flip", 150),
    ("...W... B 4,4 flip", 157),
    ("...B... W 4,4 flip", 143),
    ("WWW.... B 4,4 flip", 2165),
    ("BBB.... W 4,4 flip", -489),
    ("....... W 2,4 noflip", -4150),
]


@pytest.mark.parametrize(("text", "worth"), KNOWN)
def test_the_known_boards_are_worth_what_is_known(text: str, worth: int) -> None:
    position = Position("conniption", f"{EMPTY}/{text}")
    sign = 1 if position.mover == 0 else -1

    assert conniption_lines().value(position.state) == sign * worth


def test_three_in_a_column() -> None:
    rows = "......./......./......./B....../B....../B......"

    assert conniption_lines().value(Position("conniption", f"{rows} W 4,4 flip").state) == -489


def test_the_second_player_sees_the_same_in_the_other_colour() -> None:
    white = Position("conniption", f"{EMPTY}/WWB.... B 4,3 flip")
    blue = Position("conniption", f"{EMPTY}/BBW.... W 3,4 flip")

    assert conniption_lines(player=1).value(blue.state) == conniption_lines().value(white.state)


def positions(board: Conniption) -> list[Position]:
    """Return the positions of random games, up to the last but one."""
    found = []
    for seed in range(GAMES):
        chance, position = random.Random(seed), Position(board)
        while position.outcome() is None:
            found.append(position)
            position = position.apply_action(chance.choice(position.legal_actions()))
    return found


@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("board", [Conniption(), Conniption(12, 11, 9), Conniption(3, 5)], ids=repr)
def test_every_board_is_worth_what_reading_its_lines_finds(board: Conniption, player: int) -> None:
    evaluation = conniption_lines(board.columns, board.rows, player)
    evaluate, load = evaluation.evaluate, wide(len(board.rules.start)).load

    @kernel
    def ask(states: Any, row: int, weights: Weights) -> int:
        return evaluate(load(states[row], 0), weights)

    some, fast = positions(board), compiled(ask)
    states = np.array([position.state for position in some], dtype=np.uint64)
    for row, position in enumerate(some):
        flips, may_flip = board.facts(position.state)
        mine = (flips[player], flips[1 - player])
        names = (board.players[player], board.players[1 - player])
        expected = oracle.value(board.grid(position.state), *names, mine, may_flip)

        found = fast(states, row, evaluation.weights)
        assert found == (expected if position.mover == player else -expected)
