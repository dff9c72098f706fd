"""The perfect agent: it keeps what it has, takes the shortest way, and keeps to its budget."""

from __future__ import annotations

import random

import pytest

from plyboard.agents import agent
from plyboard.errors import PlyboardError, UsageError
from plyboard.games import Position
from plyboard.search.common.budget import Budget, SearchMonitor
from plyboard.search.common.choice import WIN, plies_to_end
from plyboard.search.solver.solver import Solver

PERFECT = agent("perfect:hash=1")
SOLVER = Solver(mebibytes=1)


def opened(seed: int, discs: int = 22) -> Position:
    """Return a position of so many discs, reached by chance, in which the game goes on."""
    chance = random.Random(seed)
    position = Position("connect-four")
    while len(position.moves) < discs:
        after = position.apply_action(chance.choice(position.legal_actions()))
        position = Position("connect-four") if after.outcome() else after
    return position


def value(position: Position, score: int) -> float:
    """Return a score on the scale that all agents share."""
    plies = SOLVER.plies_left(position, score)
    return 0 if score == 0 else WIN - plies if score > 0 else plies - WIN


def result(position: Position, player: int) -> int:
    outcome = position.outcome()
    assert outcome is not None
    return 0 if outcome.winner is None else 1 if outcome.winner == player else -1


@pytest.mark.parametrize("seed", range(12))
def test_it_loses_no_value_against_random_play(seed: int) -> None:
    chance = random.Random(seed)
    position = opened(seed)
    me = position.mover
    owed = SOLVER.solve(position).score
    while position.outcome() is None:
        if position.mover == me:
            score = SOLVER.solve(position).score
            choice = PERFECT.choose(position)

            assert score >= owed
            assert choice.exact
            assert choice.value == value(position, score) == max(choice.values.values())
            assert choice.values[choice.action] == choice.value
            owed, action = score, choice.action
        else:
            action = chance.choice(position.legal_actions())
        position = position.apply_action(action)

    assert result(position, me) >= (owed > 0) - (owed < 0)


@pytest.mark.parametrize("seed", range(12))
def test_two_of_them_end_the_game_when_the_score_says(seed: int) -> None:
    position = opened(seed)
    mover, score = position.mover, SOLVER.solve(position).score
    plies = SOLVER.plies_left(position, score)
    for _ in range(plies):
        position = position.apply_action(PERFECT.choose(position).action)

    assert result(position, mover) == (score > 0) - (score < 0)


def test_it_wins_at_once_where_it_can() -> None:
    choice = PERFECT.choose(Position.read("121212"))

    assert choice.action == 0
    assert choice.values[0] == WIN - 1
    assert plies_to_end(choice.value) == 1


def test_it_opens_by_the_book() -> None:
    choice = PERFECT.choose(Position("connect-four"))

    assert (choice.action, choice.nodes, choice.exact) == (3, 0, True)
    assert [plies_to_end(choice.values[action]) for action in range(7)] == [
        40, 42, None, 41, None, 42, 40,
    ]  # fmt: skip


def test_a_win_in_three_is_worth_less_than_one_at_once() -> None:
    """Three in the middle of the bottom row, open on both sides, or about to be."""
    choice = PERFECT.choose(Position.read("4455"))

    assert plies_to_end(choice.value) == 3
    assert choice.line[0] == choice.action
    assert choice.values[0] < choice.value


def test_a_short_budget_gives_the_move_of_which_most_is_proved() -> None:
    position = Position.read("13712")
    choice = PERFECT.choose(position, Budget(nodes=7_000))

    assert not choice.exact
    assert choice.action in position.legal_actions()
    assert 0 < choice.nodes < 8_000
    assert set(choice.values) == set(position.legal_actions())


def test_its_own_limit_is_kept_too() -> None:
    choice = agent("perfect:hash=1,nodes=7000").choose(Position.read("13712"))

    assert choice.nodes < 8_000


def test_time_ends_it() -> None:
    assert not PERFECT.choose(Position.read("13712"), Budget(seconds=0.05)).exact


def test_a_watch_ends_it() -> None:
    monitor = SearchMonitor()
    monitor.stop()

    choice = PERFECT.choose(Position.read("13712"), Budget(monitor=monitor))

    assert not choice.exact
    assert choice.nodes < 1_000


def test_the_same_budget_gives_the_same_choice() -> None:
    position, budget = Position.read("13712"), Budget(nodes=50_000)
    first, again = (PERFECT.choose(position, budget) for _ in range(2))

    assert (first.action, first.values, first.nodes) == (again.action, again.values, again.nodes)


@pytest.mark.parametrize("seed", range(12))
def test_of_moves_alike_it_takes_the_one_nearest_to_the_centre(seed: int) -> None:
    choice = PERFECT.choose(opened(seed))
    best = [
        action for action, value in choice.values.items() if value == max(choice.values.values())
    ]

    assert choice.action == min(best, key=(3, 2, 4, 1, 5, 0, 6).index)


def test_a_game_that_is_not_connect_four_is_refused() -> None:
    with pytest.raises(UsageError, match=r"^wrong game for perfect: got squatter; expected c"):
        PERFECT.choose(Position("squatter"))


@pytest.mark.parametrize("spec", ["connect-four:columns=16", "connect-four:line=3"])
def test_a_board_that_the_solver_cannot_do_is_refused(spec: str) -> None:
    with pytest.raises(UsageError, match=r"^cannot solve "):
        PERFECT.choose(Position(spec))


def test_a_finished_game_has_no_move_to_choose() -> None:
    with pytest.raises(PlyboardError, match="the game is over"):
        PERFECT.choose(Position.read("1212121"))
