from __future__ import annotations

import json

from plyboard.agents import Budget
from plyboard.arena.game_task import GameResult, GameTask
from plyboard.play.clock import TimeControl


def test_a_task_survives_json() -> None:
    task = GameTask(
        number=3,
        pair=1,
        first="engine:level=2",
        second="random",
        game="connect-four:columns=8",
        opening=("4", "4", "5"),
        seed=17,
        budget=Budget(nodes=1000, depth=3),
        control=TimeControl(2.5, 0.25),
        rules="course",
    )

    assert GameTask.of(json.loads(json.dumps(task.facts()))) == task


def test_a_task_without_limits_survives_json() -> None:
    task = GameTask(0, 0, "random", "random", "squatter")

    assert GameTask.of(json.loads(json.dumps(task.facts()))) == task


def test_a_result_survives_json() -> None:
    result = GameResult(
        7, "0-1", "fault", (3, 4), 12, "[Game ...]", (100, 0), (0.5, 0.25), "raised ValueError"
    )

    assert GameResult.of(json.loads(json.dumps(result.facts()))) == result


def test_the_score_is_that_of_the_first_player() -> None:
    results = [
        GameResult(0, text, "line", None, 9, "", (0, 0), (0.0, 0.0))
        for text in ("1-0", "1/2-1/2", "0-1", "*")
    ]

    assert [each.score for each in results] == [1.0, 0.5, 0.0, None]
    assert [each.winner for each in results] == [0, None, 1, None]
