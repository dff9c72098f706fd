from __future__ import annotations

from dataclasses import replace

import pytest
from agents.misbehaving import Quitter, Raiser
from memory import held_after_games

from plyboard.agents import Budget, catalogue
from plyboard.agents.catalogue import AgentEntry
from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.play_game import play_game
from plyboard.errors import SpecError, UsageError
from plyboard.play.clock import TimeControl
from plyboard.play.record import read_record

TASK = GameTask(
    5,
    2,
    "mcts",
    "engine:level=4",
    "connect-four:columns=5,rows=4",
    ("3", "3", "1"),
    seed=11,
    budget=Budget(simulations=40, nodes=200),
)


@pytest.fixture
def bad_agents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(catalogue.AGENTS, "raiser", AgentEntry(Raiser, "raises"))
    monkeypatch.setitem(catalogue.AGENTS, "quitter", AgentEntry(Quitter, "ends its process"))


def without_times(result: GameResult) -> GameResult:
    return replace(result, seconds=(0.0, 0.0))


def test_a_game_starts_after_its_opening_and_is_in_the_record() -> None:
    result = play_game(TASK)

    match = read_record(result.record)
    assert match.positions[3].moves == ("3", "3", "1")
    assert match.heading.players == ("mcts", "engine:level=4")
    assert match.heading.seed == 11
    assert (result.number, result.plies) == (5, len(match.turns))
    assert (result.result, result.reason) == (match.result.value, match.end and match.end.reason)
    assert min(result.nodes) > 0
    assert min(result.seconds) > 0
    assert result.points is None
    assert result.fault == ""


def test_the_same_task_gives_the_same_game_whatever_was_played_before() -> None:
    alone = play_game(TASK)
    play_game(replace(TASK, seed=12, first="engine:level=4", second="mcts"))

    assert without_times(play_game(TASK)) == without_times(alone)


def test_another_seed_gives_another_game() -> None:
    records = {play_game(replace(TASK, first="random", seed=seed)).record for seed in range(4)}

    assert len(records) == 4


def test_a_game_with_points_has_them_in_its_result() -> None:
    task = GameTask(0, 0, "random", "random", "extended:columns=4,rows=4", seed=3)
    result = play_game(task)

    match = read_record(result.record)
    assert result.points == match.position.scores()


@pytest.mark.usefixtures("bad_agents")
def test_an_agent_that_raises_loses_its_game_with_the_reason() -> None:
    task = GameTask(0, 0, "random", "raiser", "connect-four")
    first, second = play_game(task), play_game(replace(task, first="raiser", second="random"))

    assert (first.result, second.result) == ("1-0", "0-1")
    assert first.reason == second.reason == "fault"
    assert "raised" in first.fault
    assert "OwnError" in first.fault


@pytest.mark.usefixtures("bad_agents")
def test_an_agent_that_ends_its_process_loses_only_its_game() -> None:
    result = play_game(GameTask(0, 0, "random", "quitter", "connect-four"))

    assert (result.result, result.reason) == ("1-0", "fault")
    assert "exit code 7" in result.fault


def test_an_agent_that_is_not_here_is_an_error_and_no_loss() -> None:
    with pytest.raises(SpecError, match="unknown agent: got 'nobody'"):
        play_game(GameTask(0, 0, "random", "nobody", "connect-four"))


def test_a_clock_is_in_the_record_and_nobody_loses_by_compiling() -> None:
    task = replace(TASK, budget=Budget(nodes=200), control=TimeControl(20.0, 0.5))
    result = play_game(task)

    match = read_record(result.record)
    lefts = [turn.left for turn in match.turns[3:]]
    assert result.reason in ("line", "full board", "full")
    assert all(left is not None and left > 10 for left in lefts)


def test_in_the_course_a_late_move_loses_only_the_turn() -> None:
    board = "extended:rows=3,columns=4,pops=2"
    task = GameTask(
        0, 0, "extended", "random", board, control=TimeControl(0.001, per_move=True), rules="course"
    )
    result = play_game(task)

    assert "turn lost (TLE)" in result.record
    assert result.fault == ""


def test_unknown_rules_are_an_error() -> None:
    with pytest.raises(UsageError, match="unknown rules at --rules: got 'curse'"):
        play_game(replace(TASK, rules="curse"))


def test_memory_does_not_grow_with_the_games() -> None:
    few, many = held_after_games("playouts:games=2", "random", "connect-four:columns=4,rows=4")

    assert many < few + 3_000  # 30 bytes a game: less than any object that it could leave
