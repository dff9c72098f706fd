"""Open lines: the values that were known before, and an oracle that walks from cell to cell."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import numpy as np
import pytest
from oracles import open_lines as oracle

from plyboard.evaluate.evaluation import Evaluation, Weights
from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.kernel import compiled, jit_is_on, kernel
from plyboard.kernel.wide import wide
from plyboard.origins.alice.columns import read
from plyboard.origins.alice.open_lines import open_lines
from plyboard.search.common.boundary import words

pytestmark = pytest.mark.kernels

GAMES = 40 if jit_is_on() else 4
BOARDS = (
    ConnectFour(),
    ConnectFour(16, 16),
    ConnectFour(5, 5, 2),
    ConnectFour(4, 1),  # from here on with the JIT off only
    ConnectFour(1, 8),
    ConnectFour(6, 5, 3),
    ConnectFour(8, 7, 5),
)
KNOWN = [  # pieces of Alice, who moves, and of Bill, column by column, with what it is worth to her
    ("e/abba/baa/e/abbaab/ab/b", -3),
    ("aabb/abba/baa/ab/abbaab/ab/b", -13),
    ("abb/baaab/aabbab/bbbaba/aabba/bbaaba/babbaa", -6),
]


def value_at(evaluation: Evaluation, position: Position) -> int:
    """Return the value of a position as compiled searches see it."""
    evaluate, load = evaluation.evaluate, wide(len(position.state)).load

    @kernel
    def ask(state: Any, weights: Weights) -> int:
        return evaluate(load(state, 0), weights)

    return int(compiled(ask)(words(position.state), evaluation.weights))


@cache
def positions(board: ConnectFour, games: int) -> list[Position]:
    """Return the positions of random games, up to the last but one."""
    found = []
    for seed in range(games):
        chance, position = random.Random(seed), Position(board)
        while position.outcome() is None:
            found.append(position)
            position = position.apply_action(chance.choice(position.legal_actions()))
    return found


def rows_and_players(position: Position) -> tuple[list[str], str, str]:
    players = position.game.players
    rows = position.text().split(" ")[0].split("/")
    return rows, players[position.mover], players[1 - position.mover]


@pytest.mark.parametrize(("columns", "worth"), KNOWN)
def test_the_known_boards_are_worth_what_is_known(columns: str, worth: int) -> None:
    position = read(columns.replace("/", "\n"), ConnectFour())

    assert value_at(open_lines(), position) == worth
    assert oracle.value(*rows_and_players(position)) == worth


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("board", BOARDS[:3] if jit_is_on() else BOARDS, ids=repr)
def test_every_board_is_worth_what_walking_finds(board: ConnectFour, strict: bool) -> None:
    evaluation = open_lines(board.columns, board.rows, board.line, strict)
    evaluate, load = evaluation.evaluate, wide(2 * board.board.words).load

    @kernel
    def ask(states: Any, row: int, weights: Weights) -> int:
        return evaluate(load(states[row], 0), weights)

    some = positions(board, GAMES)
    states = np.array([position.state for position in some], dtype=np.uint64)
    fast = compiled(ask)
    for row, position in enumerate(some):
        expected = oracle.value(*rows_and_players(position), board.line, strict=strict)

        assert fast(states, row, evaluation.weights) == expected, position.text()


def test_a_row_walled_in_by_the_edge_counts_unless_strict() -> None:
    position = Position("connect-four", "......./......./......./......./......./xx.o... o")

    assert value_at(open_lines(), position) == -1
    assert value_at(open_lines(strict=True), position) == 0


def test_a_row_of_three_is_no_row_of_two() -> None:
    position = Position("connect-four", "......./......./......./......./.oo..../.xxx... o")

    assert value_at(open_lines(), position) == 1 - 5
