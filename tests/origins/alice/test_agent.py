"""The agent alice: what the Alice-and-Bill program would play, and why."""

from __future__ import annotations

import pytest

from plyboard.agents import agent
from plyboard.agents.catalogue import explainer, explainers
from plyboard.errors import GameOverError, SpecError, UsageError
from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.origins.alice.agent import Alice
from plyboard.origins.alice.columns import read
from plyboard.search.common.budget import Budget

EXAMPLE = read("e\nabba\nbaa\ne\nabbaab\nab\nb\n", ConnectFour())


def test_it_looks_four_plies_ahead_and_finds_the_win() -> None:
    choice = agent("alice").choose(EXAMPLE, Budget())

    assert (choice.action, choice.value, choice.depth) == (3, 1000, 4)
    assert choice.events is None


@pytest.mark.parametrize(
    ("spec", "budget", "depth"),
    [
        ("alice", Budget(), 4),
        ("alice:depth=6", Budget(), 6),
        ("alice:depth=6", Budget(depth=2), 2),
        ("alice", Budget(depth=6), 4),
        ("alice", Budget(nodes=10**6), 4),
    ],
)
def test_the_smaller_of_its_depth_and_the_budget_counts(
    spec: str, budget: Budget, depth: int
) -> None:
    assert agent(spec).choose(EXAMPLE, budget).depth == depth


def test_an_agent_without_limits_of_its_own_still_has_a_depth() -> None:
    assert Alice(budget=Budget()).choose(EXAMPLE, Budget(nodes=10**6)).depth == 4


def test_ties_go_to_the_lowest_column() -> None:
    assert agent("alice:depth=1").choose(Position("connect-four"), Budget()).action == 0


def test_strict_lines_give_another_value() -> None:
    position = Position.read("connect-four 57771314")
    values = [
        agent(f"alice:depth=1,strict={word}").choose(position, Budget()).value
        for word in ("no", "yes")
    ]

    assert values == [4, 5]


def test_it_explains_what_it_would_choose() -> None:
    told, chosen = Alice().explain(EXAMPLE), Alice().choose(EXAMPLE)

    assert (told.action, told.line, told.nodes) == (chosen.action, chosen.line, chosen.nodes)
    assert told.events is not None
    assert told.events.dropped == 0


def test_other_games_and_ended_ones_are_refused() -> None:
    with pytest.raises(UsageError, match="wrong game for alice: got squatter; expected connect"):
        agent("alice").choose(Position("squatter"), Budget())
    with pytest.raises(GameOverError):
        agent("alice").choose(Position.read("connect-four 1212121"), Budget())
    with pytest.raises(SpecError, match="expected one of no, yes"):
        agent("alice:strict=1")


def test_agents_that_explain_are_found_by_their_game() -> None:
    assert "alice" in explainers("connect-four")
    assert "alice" not in explainers("squatter")
    assert explainer("alice:depth=2", "connect-four").name == "alice"
    with pytest.raises(
        UsageError, match=r"no explanation from random: got 'random'; expected .*alice"
    ):
        explainer("random", "connect-four")
