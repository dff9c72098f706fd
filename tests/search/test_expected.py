"""The reply to expect: that of minimax some plies deep by points, the most promising first."""

from __future__ import annotations

import random

import pytest

from plyboard.evaluate.captured_cells import best_cells_first, captured_cells
from plyboard.games import Position, game
from plyboard.games.squatter import Squatter
from plyboard.kernel import jit_is_on
from plyboard.search.boundary import state_of, words
from plyboard.search.budget import Budget
from plyboard.search.control import FREE, LIMIT, NODES, control_of
from plyboard.search.distinct import without_duplicates
from plyboard.search.expected import Expected, Reader, reader_of

pytestmark = pytest.mark.kernels

BOARDS = [(4, 3), (5, 2)] + ([(5, 4), (6, 3)] if jit_is_on() else [])
GAMES = 12 if jit_is_on() else 3


def expected(size: int, depth: int) -> Expected:
    reader = reader_of(Squatter(size))
    assert reader is not None
    return Expected(Squatter(size).rules, Reader(reader.promise, depth))


def some_position(size: int, seed: int) -> Position:
    chance, position = random.Random(seed), Position(Squatter(size))
    for _ in range(chance.randrange(size * size - 3)):
        after = position.play(chance.choice(position.legal_actions()))
        position = position if after.outcome() else after
    return position


@pytest.mark.parametrize(("size", "depth"), BOARDS)
def test_it_is_the_reply_of_minimax_without_duplicates(size: int, depth: int) -> None:
    replies = expected(size, depth)
    for seed in range(GAMES):
        position = some_position(size, seed)
        action = random.Random(seed).choice(position.legal_actions())
        between = position.play(action)
        if between.outcome():
            continue
        order = best_cells_first(size, between.state)
        slow = without_duplicates(between, captured_cells(size), Budget(depth=depth), 1, order)

        reply, after = replies.after(words(position.state), action, control_of(FREE))

        assert reply == slow.action
        assert state_of(after) == between.play(reply).state


def test_a_game_that_is_over_has_no_reply() -> None:
    position = Position("squatter:size=3", "WBW/BWB/WB+ W")

    reply, after = expected(3, 2).after(words(position.state), 8, control_of(FREE))

    assert reply == -1
    assert state_of(after) == position.play(8).state


def test_a_search_at_its_limit_has_no_reply() -> None:
    control = control_of(FREE, 20)

    reply, _ = expected(4, 3).after(words(Position("squatter:size=4").state), 5, control)

    assert reply == -1
    assert control[NODES] == control[LIMIT] == 20


def test_only_squatter_has_a_reply_to_expect() -> None:
    assert [reader_of(game(each)) is None for each in ("squatter", "extended")] == [False, True]
