"""The agent conniption: as deep as its program, and no deeper than it is told."""

from __future__ import annotations

import random

import pytest

from plyboard.agents import agent
from plyboard.errors import GameOverError, UsageError
from plyboard.games import Position
from plyboard.origins.conniption.agent import ConniptionAgent
from plyboard.search.common.budget import Budget

START = Position("conniption")
QUIET = START.play("4", "4", "4", "5")  # nobody wins soon


@pytest.mark.parametrize(
    ("spec", "budget", "depth"),
    [
        ("conniption:depth=4", Budget(), 4),
        ("conniption:depth=4", Budget(depth=2), 2),
        ("conniption", Budget(depth=3), 3),
    ],
)
def test_the_smaller_of_its_depth_and_the_budget_counts(
    spec: str, budget: Budget, depth: int
) -> None:
    assert agent(spec).choose(QUIET, budget).depth == depth


def test_it_looks_six_plies_ahead_if_it_began_and_five_if_not() -> None:
    assert agent("conniption").choose(START, Budget()).depth == 6
    assert agent("conniption").choose(START.play("1"), Budget()).depth == 5


def test_it_takes_a_win_and_stops_one() -> None:
    won = START.play("1", "7", "2", "7", "3", "7")
    lost = START.play("1", "7", "2", "7", "3")

    assert won.move_text(agent("conniption:depth=4").choose(won, Budget()).action) == "4"
    assert lost.move_text(agent("conniption:depth=2").choose(lost, Budget()).action) in (
        "4",
        "7",
    )


def test_it_beats_chance() -> None:
    chance, thinker = random.Random(5), agent("conniption:depth=4")
    for me in (0, 1):
        position = START
        while position.outcome() is None:
            if position.mover == me:
                action = thinker.choose(position, Budget()).action
            else:
                action = chance.choice(position.legal_actions())
            position = position.apply_action(action)
        outcome = position.outcome()

        assert outcome is not None
        assert outcome.winner == me


def test_it_explains_what_it_would_choose() -> None:
    thinker = ConniptionAgent(budget=Budget(depth=3))
    told, chosen = thinker.explain(QUIET), thinker.choose(QUIET)

    assert (told.action, told.line, told.nodes) == (chosen.action, chosen.line, chosen.nodes)
    assert told.events is not None
    assert len(told.events) > told.nodes


def test_other_games_and_ended_ones_are_refused() -> None:
    with pytest.raises(UsageError, match="wrong game for conniption: got connect-four"):
        agent("conniption").choose(Position("connect-four"), Budget())
    over = START.play("1", "7", "2", "7", "3", "7", "4")
    with pytest.raises(GameOverError):
        agent("conniption").choose(over, Budget())
