"""The greedy random player: takes a win or points in one move, else plays at random."""

from __future__ import annotations

import pytest

from plyboard.agents import Budget, agent
from plyboard.games import Position

BEGINNER = "random:greedy=yes"


@pytest.mark.parametrize("seed", range(5))
def test_a_win_in_one_move_is_taken(seed: int) -> None:
    choice = agent(BEGINNER).choose(Position.read("121212"), Budget(seed=seed))

    assert choice.action == 0


def test_a_threat_is_not_seen() -> None:
    position = Position.read("12121")  # the first player threatens to win in column 1
    actions = {agent(BEGINNER).choose(position, Budget(seed=seed)).action for seed in range(40)}

    assert actions == set(position.legal_actions())


@pytest.mark.parametrize("seed", range(5))
def test_points_are_taken_at_once(seed: int) -> None:
    position = Position("extended")
    while len(position.moves) < 30 and not position.is_over:
        leads = {}
        for action in position.legal_actions():
            first, second = position.apply_action(action).scores() or (0, 0)
            leads[action] = second - first if position.mover else first - second
        action = agent(BEGINNER).choose(position, Budget(seed=seed)).action

        assert leads[action] == max(leads.values())
        position = position.apply_action(action)


def test_the_same_seed_gives_the_same_move() -> None:
    position = Position("squatter")
    moves = [agent(BEGINNER).choose(position, Budget(seed=seed)).action for seed in range(20)]

    assert len(set(moves)) > 5
    assert moves == [
        agent(BEGINNER).choose(position, Budget(seed=seed)).action for seed in range(20)
    ]
