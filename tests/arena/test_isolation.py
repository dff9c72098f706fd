"""Promise A1: misbehaving programs inside a tournament cost only their own games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from agents.programs.misbehaviours import CASES
from arena.isolation import (
    MOST_GROWTH,
    IsolationReport,
    Seen,
    check_beside,
    check_game,
    check_limits,
    check_workers,
    play_tournament,
)

from plyboard.arena.game_task import GameResult, GameTask
from plyboard.arena.play_game import play_game

GENEROUS = 5.0  # seconds past the limit on a busy machine; isolation.py measures the promise
CASE = {case.name: case for case in CASES}


def test_misbehaving_programs_cost_only_their_own_games(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    check_limits(tmp_path)
    cases = [CASE["sleep"], CASE["leave_a_grandchild"]]
    found = play_tournament(cases, "connect-four", 1, 1, tmp_path)

    assert not found.mistakes
    assert found.longest < GENEROUS
    assert found.played == {"sleep": 2, "leave_a_grandchild": 2}
    assert found.beside == 6


def test_the_check_of_a_tournament_finds_what_is_not_as_promised() -> None:
    task = GameTask(0, 0, "random", "random", "connect-four")
    result, found = play_game(task), IsolationReport()
    check_beside(task, replace(result, fault="crash: it was killed"), found)
    check_beside(task, replace(result, plies=1), found)
    check_game(CASE["fail"], honest(task), replace(result, result="1-0", reason="line"), found)
    check_game(CASE["fail"], honest(task), lost(result, "fault", "timeout: late"), found)
    check_game(CASE["sleep"], honest(task), lost(result, "time", "timeout: late"), found)

    assert [line.partition(":")[0] for line in found.mistakes] == [
        "game 0, random and random", "game 0, random and random", "game 0, fail", "game 0, fail",
    ]  # fmt: skip
    assert found.late == ["game 0, sleep: 1.700 s past the limit"]

    seen = {number: Seen(result, 7, 100.0 + 11 * number, number) for number in (0, 1)}
    other = IsolationReport()
    check_workers(seen, 1, other)
    assert other.mistakes == ["game 1: 1 processes are left"]
    assert other.growth["worker 1"] > MOST_GROWTH
    assert not other.is_good


def honest(task: GameTask) -> GameTask:
    from arena.isolation import HONEST

    return replace(task, first=HONEST)


def lost(result: GameResult, reason: str, detail: str) -> GameResult:
    """Return a game that the second player has lost."""
    return replace(result, result="1-0", reason=reason, fault=detail, seconds=(0.0, 2.0))
