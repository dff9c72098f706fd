"""The engine: the same choice for the same nodes, proved values kept, weaker when asked."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import replace
from typing import Any

import pytest
from play.between import games_between

from plyboard.agents import Budget, SearchMonitor, agent, our_agents
from plyboard.agents.catalogue import explainer
from plyboard.agents.levels import levels_of
from plyboard.errors import GameOverError, SpecError, UsageError
from plyboard.games import GAMES, Position
from plyboard.games import game as find_game
from plyboard.games.level import DEFAULT_LEVELS
from plyboard.search.common.choice import WIN, plies_to_end, told
from plyboard.search.solver.solver import Solver

SPECS = [kind.name for kind in GAMES] + ["connect-four:columns=9,rows=7"]


@pytest.mark.parametrize("spec", SPECS)
def test_it_plays_every_game_and_repeats_itself(spec: str) -> None:
    position = Position(spec)
    engine = agent("engine:nodes=3000,hash=2")
    for _ in range(6):
        choice = engine.choose(position)
        again = engine.choose(position)

        assert choice.action in position.legal_actions()
        assert (choice.action, choice.value, choice.nodes) == (
            again.action, again.value, again.nodes,
        )  # fmt: skip
        position = position.apply_action(choice.action)


def test_early_positions_come_from_the_book() -> None:
    choice = agent("engine").choose(Position("connect-four"))

    assert choice.action == 3
    assert choice.value == WIN - 41
    assert choice.nodes == 0
    assert [told(choice.values[column]) for column in range(4)] == [
        "loss in 40", "loss in 42", "0", "win in 41",
    ]  # fmt: skip


@pytest.mark.parametrize("seed", range(10))
def test_in_connect_four_it_keeps_what_it_has(seed: int) -> None:
    chance = random.Random(seed)
    position = Position("connect-four")
    while len(position.moves) < 16:
        after = position.apply_action(chance.choice(position.legal_actions()))
        position = Position("connect-four") if after.outcome() else after
    solver = Solver(mebibytes=8)
    value = solver.solve(position, weak=True).score

    choice = agent("engine:nodes=20000000,hash=16").choose(position)

    after = position.apply_action(choice.action)
    outcome = after.outcome()
    kept = 1 if outcome else -solver.solve(after, weak=True).score
    assert kept == value


def test_a_win_that_is_seen_is_played_at_once() -> None:
    choice = agent("engine:nodes=10000").choose(Position.read("121212"))

    assert choice.action == 0
    assert plies_to_end(choice.value) == 1
    assert choice.exact


def test_with_a_depth_alone_it_is_alpha_beta() -> None:
    choice = agent("engine:depth=5").choose(Position.read("4545"))

    assert choice.depth == 5
    assert len(choice.line) >= 1


@pytest.mark.parametrize("moves", ["c2 e1 a4 d2 b3 c4 d3", "a1 b1 c3 f6 d4 a6 b2 e5"])
def test_the_moves_that_led_to_a_position_make_no_difference(moves: str) -> None:
    position = Position.read(f"squatter {moves}")
    bare, budget = Position("squatter", position.text()), Budget(nodes=100_000)
    engine = agent("engine:hash=4")

    assert replace(engine.choose(position, budget), seconds=0) == replace(
        engine.choose(bare, budget), seconds=0
    )


def test_a_watch_that_was_stopped_gets_a_legal_move() -> None:
    monitor = SearchMonitor()
    monitor.stop()
    position = Position.read("44444")

    choice = agent("engine").choose(position, Budget(monitor=monitor))

    assert choice.action in position.legal_actions()


def test_it_explains_itself_by_events() -> None:
    choice = explainer("engine:depth=2", "conniption").explain(Position("conniption"))

    assert choice.events is not None
    assert choice.events.total > 28


@pytest.mark.parametrize("spec", SPECS)
def test_higher_levels_look_further_and_play_fewer_random_moves(spec: str) -> None:
    levels = levels_of(find_game(spec))
    limits = [(level.nodes or math.inf, -level.random_percent) for level in levels]

    assert len(levels) == len(DEFAULT_LEVELS) == 10
    assert "any legal move" in levels[0].about
    for (nodes, slips), (more_nodes, fewer_slips) in itertools.pairwise(limits):
        assert nodes <= more_nodes
        assert slips <= fewer_slips
    assert len(set(limits)) == 10
    assert levels[9].about == "full strength within its seconds, depth or nodes"
    assert f"the best of {DEFAULT_LEVELS[8].nodes:,} nodes" == DEFAULT_LEVELS[8].about


@pytest.mark.parametrize("spec", ["connect-four", "extended"])
def test_the_last_level_is_the_full_engine(spec: str) -> None:
    position = Position(spec)
    for _ in range(4):
        budget = Budget(nodes=5000)
        full, last = (agent(f"engine:level={n}").choose(position, budget) for n in (0, 10))

        assert replace(last, seconds=0) == replace(full, seconds=0)
        position = position.apply_action(position.legal_actions()[0])


@pytest.mark.parametrize("spec", ["connect-four", "conniption", "extended", "squatter"])
def test_the_first_level_loses_to_a_beginner(spec: str) -> None:
    lost = [
        played.winner == 1
        for played in games_between(
            agent("engine:level=1"), agent("random:greedy=yes"), spec, 30, openings=2
        )
        if played.winner is not None
    ]

    assert sum(lost) > len(lost) / 2


@pytest.mark.parametrize("spec", ["connect-four", "squatter"])
def test_a_high_level_beats_a_low_one(spec: str) -> None:
    players = (agent("engine:level=8"), agent("engine:level=1"))
    points = 0.0
    for seed in range(10):
        position, swap = Position(spec), seed % 2
        while position.outcome() is None:
            mover = players[position.mover ^ swap]
            position = position.apply_action(mover.choose(position, Budget(seed=seed)).action)
        outcome = position.outcome()
        assert outcome is not None
        points += 0.5 if outcome.winner is None else float(outcome.winner == swap)

    assert points >= 8


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("engin", "unknown agent: got 'engin'; expected engine"),
        ("engine:level=11", "wrong value at level: got '11'; expected a whole number from 0 to 10"),
        ("engine:seconds=0", "wrong value at seconds: got '0'; expected a number from 0.001"),
        ("engine:seconds=nan", "wrong value at seconds: got 'nan'"),
        ("engine:depth=0", "wrong value at depth: got '0'; expected a whole number from 1 to 200"),
        ("engine:nodes=1e6", "wrong value at nodes: got '1e6'"),
        ("engine:speed=1", "unknown setting at engine: got 'speed'; expected"),
        ("engine:depth=1,depth=2", "setting given twice at engine: got 'depth'"),
    ],
)
def test_a_wrong_spec_names_the_choices(spec: str, said: str) -> None:
    with pytest.raises(SpecError) as fault:
        agent(spec)

    assert said in str(fault.value)


@pytest.mark.parametrize(
    ("limits", "said"),
    [
        ({"seconds": 0}, "wrong seconds: got '0'; expected above 0"),
        ({"seconds": -1.0}, "wrong seconds: got '-1.0'"),
        ({"seconds": float("nan")}, "wrong seconds: got 'nan'"),
        ({"seconds": "x"}, "wrong seconds: got 'x'"),
        ({"seconds": float("inf")}, "wrong seconds: got 'inf'"),
        ({"depth": 0}, "wrong depth: got '0'; expected a whole number from 1 to 200"),
        ({"depth": 2.5}, "wrong depth: got '2.5'"),
        ({"nodes": True}, "wrong nodes: got 'True'"),
        ({"nodes": 10**5000}, "wrong nodes: got 'with 16610 bits'"),
        ({"simulations": 10**18}, "wrong simulations: got '1000000000000000000'"),
    ],
)
def test_a_wrong_budget_says_what_may_be_given(limits: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError) as fault:
        Budget(**limits)

    assert said in str(fault.value)


def test_of_two_budgets_the_smaller_limit_counts() -> None:
    small, large = Budget(depth=3, seed=5), Budget(depth=9, nodes=10)

    assert small.within(large) == Budget(depth=3, nodes=10, seed=5)
    assert Budget(seed=5).or_else(large) == Budget(depth=9, nodes=10, seed=5)
    assert small.or_else(large) == small


@pytest.mark.parametrize("name", [name for name, entry in our_agents().items() if not entry.games])
def test_a_finished_game_has_no_move_to_choose(name: str) -> None:
    over = Position.read("1212121")

    with pytest.raises(GameOverError, match="no move to choose: the game is over"):
        agent(name).choose(over)
