"""Agents cross processes as their settings."""

from __future__ import annotations

import copy
import pickle
from multiprocessing import get_context
from operator import methodcaller

import pytest

from plyboard.agents import Budget, agent
from plyboard.agents.catalogue import our_agents
from plyboard.games import Position

CHEAP = {
    "random": "random", "playouts": "playouts:games=20", "engine": "engine:nodes=500,hash=1",
    "perfect": "perfect:nodes=500,hash=1", "alice": "alice:depth=2",
    "conniption": "conniption:depth=2", "expectimax": "expectimax:depth=1,hash=1",
    "extended": "extended:depth=2,hash=1", "squatter": "squatter:depth=1,hash=1",
    "mcts": "mcts:simulations=50,hash=1,keep=yes", "jericho": "jericho:simulations=20,hash=1",
}  # fmt: skip


def position_for(name: str) -> Position:
    game = (our_agents()[name].games or ("conniption",))[0]
    return Position(game)


@pytest.mark.parametrize("name", our_agents())
def test_an_agent_that_has_played_comes_back_as_its_settings(name: str) -> None:
    player = agent(CHEAP[name])
    fresh = pickle.dumps(player)
    choice = player.choose(position_for(name), Budget(seed=1))
    text = pickle.dumps(player)

    assert len(text) == len(fresh)
    assert pickle.loads(text) == copy.deepcopy(player) == player
    assert pickle.loads(pickle.dumps(choice)) == choice


def test_an_agent_chooses_the_same_in_a_spawned_process() -> None:
    position, player, budget = Position("squatter"), agent(CHEAP["mcts"]), Budget(seed=5)
    choice = player.choose(position, budget)
    with get_context("spawn").Pool(1) as pool:
        told = pool.apply(methodcaller("choose", position, budget), (player,))

    assert (told.action, told.value, told.nodes) == (choice.action, choice.value, choice.nodes)
