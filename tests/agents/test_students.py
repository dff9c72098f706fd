"""The agents of `examples/students` in a game without points; their page shows a tournament."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from boards import uncompiled

from plyboard.agents import Budget
from plyboard.games import Position

STUDENTS = Path(__file__).parents[2] / "examples" / "students"


@pytest.mark.parametrize("place", ["greedy:Greedy", "minimax:Minimax", "monte_carlo:MonteCarlo"])
def test_a_student_takes_a_win(place: str) -> None:
    file, name = place.split(":")
    agent = runpy.run_path(str(STUDENTS / f"{file}.py"))[name]()
    with uncompiled():
        position = Position("connect-four:columns=4,rows=4").play("1", "2", "1", "2", "1", "2")
        choice = agent.choose(position, Budget(seed=3))

    assert position.move_text(choice.action) == "1"
