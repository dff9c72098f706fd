"""The agent squatter: four plies of minimax, each position once."""

from __future__ import annotations

import random

import pytest

from plyboard.agents import agent
from plyboard.errors import GameOverError, UsageError
from plyboard.games import Position
from plyboard.origins.squatter.agent import SquatterAgent
from plyboard.search.common.budget import Budget
from plyboard.search.common.events import EventKind

RING = "++++++/++W+++/+W++++/++W+++/+B++B+/++++++ W"  # d3 closes a loop round c3
THREAT = "++++++/++B+++/+B++++/++B+++/+W++W+/++++++ W"  # it does so for Black


def test_it_closes_a_loop_that_it_sees() -> None:
    position = Position("squatter", RING)
    choice = SquatterAgent(hash=1).choose(position)

    assert position.move_text(choice.action) == "d3"
    assert (choice.value, choice.depth) == (1, 4)


def test_it_stops_the_other_from_closing_one() -> None:
    position = Position("squatter", THREAT)

    choice = SquatterAgent(hash=1).choose(position)

    assert position.move_text(choice.action) == "d3"
    assert [value for value in choice.values.values() if value >= 0] == [choice.value] == [0]


def test_it_tells_what_each_symmetry_saved() -> None:
    choice = SquatterAgent(hash=1).choose(Position("squatter"), Budget(depth=3))

    assert choice.savings.plain_nodes == 1 + 36 + 36 * 35 + 36 * 35 * 34
    assert len(choice.savings.turned) == 7


def test_of_moves_alike_it_takes_the_cell_that_promises_most() -> None:
    position = Position("squatter", "++++++/+W++++/++++++/++++++/++++B+/++++++ W")

    choice = SquatterAgent(hash=1).choose(position, Budget(depth=2))

    assert set(choice.values.values()) == {0}
    assert position.move_text(choice.action) == "c3"


@pytest.mark.parametrize(
    ("spec", "budget", "depth"),
    [
        ("squatter:depth=2,hash=1", Budget(), 2),
        ("squatter:hash=1", Budget(depth=1), 1),
        ("squatter:hash=1", Budget(depth=6), 4),
    ],
)
def test_the_smaller_of_its_depth_and_the_budget_counts(
    spec: str, budget: Budget, depth: int
) -> None:
    position = Position("squatter", RING)

    assert agent(spec).choose(position, budget).depth == depth
    assert SquatterAgent(budget=Budget(), hash=1).choose(position).depth == 4


def test_it_wins_against_chance() -> None:
    wins = 0
    for seed in range(10):
        chance, position = random.Random(seed), Position("squatter")
        while position.outcome() is None:
            if position.mover == seed % 2:
                action = SquatterAgent(hash=1).choose(position, Budget(depth=2)).action
            else:
                action = chance.choice(position.legal_actions())
            position = position.apply_action(action)
        outcome = position.outcome()
        assert outcome is not None
        wins += outcome.winner == seed % 2

    assert wins >= 8


def test_it_explains_what_it_would_choose() -> None:
    position = Position("squatter")
    player = SquatterAgent(budget=Budget(depth=2), hash=1)

    told, chosen = player.explain(position), player.choose(position)

    assert (told.action, told.value, told.nodes) == (chosen.action, chosen.value, chosen.nodes)
    assert told.events is not None
    assert EventKind.DUPLICATE in {event.kind for event in told.events}


def test_other_games_and_ended_ones_are_refused() -> None:
    with pytest.raises(UsageError, match="wrong game for squatter: got connect-four; expected squ"):
        agent("squatter").choose(Position("connect-four"), Budget())
    over = Position("squatter:size=3", "WBW/BWB/WBW B")
    with pytest.raises(GameOverError, match="the game is over"):
        agent("squatter").choose(over, Budget())
