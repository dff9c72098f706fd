"""The perfect agent: it keeps what it has, and takes the shortest way."""

from __future__ import annotations

import random

import pytest

from plyboard.agents import agent
from plyboard.errors import PlyboardError, UsageError
from plyboard.games import Position
from plyboard.search.solver import Solver

PERFECT = agent("perfect:hash=1")
SOLVER = Solver(mebibytes=1)


def opened(seed: int, discs: int = 22) -> Position:
    """Return a position of so many discs, reached by chance, in which the game goes on."""
    chance = random.Random(seed)
    position = Position("connect-four")
    while len(position.moves) < discs:
        after = position.play(chance.choice(position.legal_actions()))
        position = Position("connect-four") if after.outcome() else after
    return position


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
            assert choice.values[choice.action] == score == max(choice.values.values())
            owed, action = score, choice.action
        else:
            action = chance.choice(position.legal_actions())
        position = position.play(action)

    assert result(position, me) >= (owed > 0) - (owed < 0)


@pytest.mark.parametrize("seed", range(12))
def test_two_of_them_end_the_game_when_the_score_says(seed: int) -> None:
    position = opened(seed)
    mover, score = position.mover, SOLVER.solve(position).score
    plies = SOLVER.plies_left(position, score)
    for _ in range(plies):
        position = position.play(PERFECT.choose(position).action)

    assert result(position, mover) == (score > 0) - (score < 0)


def test_it_wins_at_once_where_it_can() -> None:
    choice = PERFECT.choose(Position.read("121212"))

    assert choice.action == 0
    assert choice.values[0] == 18  # 17 of 21 discs are left


@pytest.mark.parametrize("seed", range(12))
def test_of_moves_alike_it_takes_the_one_nearest_to_the_centre(seed: int) -> None:
    choice = PERFECT.choose(opened(seed))
    best = [
        action for action, value in choice.values.items() if value == max(choice.values.values())
    ]

    assert choice.action == min(best, key=(3, 2, 4, 1, 5, 0, 6).index)


@pytest.mark.parametrize("spec", ["squatter", "connect-four:columns=16", "connect-four:line=3"])
def test_a_board_that_the_solver_cannot_do_is_refused(spec: str) -> None:
    with pytest.raises(UsageError, match=r"^cannot solve "):
        PERFECT.choose(Position(spec))


def test_a_finished_game_has_no_move_to_choose() -> None:
    with pytest.raises(PlyboardError, match="the game is over"):
        PERFECT.choose(Position.read("1212121"))
