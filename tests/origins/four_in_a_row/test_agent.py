"""The agent jericho: 3000 branches a move, in any game."""

from __future__ import annotations

import pytest

from plyboard.agents import Budget, agent, open_bot
from plyboard.errors import GameOverError
from plyboard.games import Position
from plyboard.origins.four_in_a_row.agent import JerichoAgent
from plyboard.search.common.events import EventKind


def test_without_a_limit_it_grows_3000_branches() -> None:
    position = Position("connect-four")
    choice = agent("jericho").choose(position)
    again = agent("jericho:simulations=3000").choose(position)

    assert choice.simulations == 3000
    assert (choice.action, choice.values) == (again.action, again.values)


def test_the_tighter_limit_counts() -> None:
    jericho = agent("jericho:simulations=100")

    assert jericho.choose(Position("connect-four"), Budget(simulations=50)).simulations == 50
    assert jericho.choose(Position("connect-four"), Budget(simulations=500)).simulations == 100


@pytest.mark.parametrize("spec", ["conniption", "extended", "squatter", "connect-four:columns=9"])
def test_it_plays_every_game(spec: str) -> None:
    choice = agent("jericho:simulations=100,hash=1").choose(Position(spec))

    assert choice.action in Position(spec).legal_actions()


@pytest.mark.parametrize("seed", range(5))
def test_it_beats_chance(seed: int) -> None:
    position, jericho = Position("connect-four"), agent("jericho:hash=8,keep=yes")
    while (outcome := position.outcome()) is None:
        mover = jericho if position.mover == seed % 2 else agent("random")
        budget = Budget(seed=1000 * seed + len(position.moves))
        position = position.apply_action(mover.choose(position, budget).action)

    assert outcome.winner == seed % 2


def test_it_keeps_its_tree_if_that_is_wished() -> None:
    position = Position("connect-four")
    for keep, known in (("no", 1), ("yes", 7)):
        jericho = open_bot(f"jericho:keep={keep},hash=8", "connect-four")
        line = jericho.think(position).line
        again = jericho.think(position.apply_action(*line[:2]), Budget(simulations=1))

        assert len(again.values) == known


def test_it_explains_itself_by_its_branches() -> None:
    told = JerichoAgent().explain(Position("connect-four"), Budget(simulations=200))
    events = list(told.events or ())

    assert [event.kind for event in events].count(EventKind.SIMULATION) == 200
    assert told.nodes == [event.kind for event in events].count(EventKind.NODE)


def test_a_finished_game_has_no_move_to_choose() -> None:
    with pytest.raises(GameOverError, match="the game is over"):
        agent("jericho").choose(Position.read("1212121"))
