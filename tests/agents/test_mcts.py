"""The agent mcts: it plays every game, and beats chance."""

from __future__ import annotations

import pytest

from plyboard.agents import Agent, Budget, agent, open_bot
from plyboard.agents.mcts import Mcts
from plyboard.errors import GameOverError
from plyboard.games import Position
from plyboard.search.common.events import EventKind


def winner(first: Agent, second: Agent, seed: int) -> int | None:
    """Return who wins a game of Connect Four, 0 or 1, or None."""
    position = Position("connect-four")
    while (outcome := position.outcome()) is None:
        mover = first if position.mover == 0 else second
        budget = Budget(seed=1000 * seed + len(position.moves))
        position = position.apply_action(mover.choose(position, budget).action)
    return outcome.winner


@pytest.mark.parametrize("seed", range(10))
def test_2000_simulations_beat_chance_first_and_second(seed: int) -> None:
    mcts, chance = agent("mcts:simulations=2000,hash=8"), agent("random")

    assert winner(mcts, chance, seed) == 0
    assert winner(chance, mcts, seed) == 1


def test_more_simulations_beat_fewer() -> None:
    many, few = agent("mcts:simulations=3000,hash=8"), agent("mcts:simulations=30,hash=8")
    games = [winner(many, few, seed) for seed in range(6)]

    assert games.count(0) >= 5


@pytest.mark.parametrize("spec", ["conniption", "extended", "squatter", "connect-four:columns=12"])
def test_it_plays_every_game(spec: str) -> None:
    choice = agent("mcts:simulations=100,hash=1").choose(Position(spec))

    assert choice.action in Position(spec).legal_actions()
    assert choice.simulations == 100


def test_without_a_limit_it_runs_the_usual_number_of_simulations() -> None:
    assert agent("mcts").choose(Position("connect-four")).simulations == 20_000


def test_the_tighter_limit_counts() -> None:
    mcts = agent("mcts:simulations=100")

    assert mcts.choose(Position("connect-four"), Budget(simulations=50)).simulations == 50
    assert mcts.choose(Position("connect-four"), Budget(simulations=500)).simulations == 100


def test_more_exploration_spreads_the_simulations() -> None:
    position = Position("connect-four")
    deep, wide = (
        agent(f"mcts:simulations=2000,exploration={hundredths}").choose(position).depth
        for hundredths in (20, 500)
    )

    assert deep > wide


def test_it_keeps_its_tree_if_that_is_wished() -> None:
    position = Position("connect-four")
    for keep, known in (("no", 1), ("yes", 7)):
        mcts = open_bot(f"mcts:keep={keep},hash=8", "connect-four")
        line = mcts.think(position, Budget(simulations=2000)).line
        again = mcts.think(position.apply_action(*line[:2]), Budget(simulations=1))

        assert len(again.values) == known


def test_it_explains_itself_by_its_simulations() -> None:
    position = Position("connect-four")
    told = Mcts().explain(position, Budget(simulations=200))
    events = list(told.events or ())

    assert told.action == Mcts().choose(position, Budget(simulations=200)).action
    assert [event.kind for event in events].count(EventKind.SIMULATION) == 200


def test_a_finished_game_has_no_move_to_choose() -> None:
    with pytest.raises(GameOverError, match="the game is over"):
        agent("mcts").choose(Position.read("1212121"))
