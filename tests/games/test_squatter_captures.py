"""Captures of Squatter in words and for programs: what the slow rules say of the same move."""

from __future__ import annotations

import random
import re

import pytest
from oracles.compare import STEERED
from oracles.squatter import Squatter as Oracle
from oracles.squatter import name

from plyboard.errors import UsageError
from plyboard.games import Position
from plyboard.games.squatter_captures import capture_facts, capture_lines, last_capture

RING = "squatter c2 a1 b3 a2 d3 a3 c4"


@pytest.mark.parametrize("size", [5, 6, 8])
def test_the_cells_told_are_those_that_the_slow_rules_capture(size: int) -> None:
    oracle, found = Oracle(size=size), 0
    for seed in range(20):
        chance = random.Random(seed)
        position, slow = Position(f"squatter:size={size}"), oracle.start()
        while position.legal_moves():
            move = STEERED["squatter"](oracle, slow, list(position.legal_moves()), chance)
            before, slow = slow, oracle.play(slow, move)
            position = position.play(move)
            captured = {name(cell) for cell in slow.land[before.mover] - before.land[before.mover]}
            told = capture_facts(position, last_capture(position))

            assert set(told["captured"]) == captured
            assert told["move"] == move
            assert bool(told["loops"]) == bool(captured)
            found += bool(captured)

    assert found >= 5


def test_every_walk_and_the_loop_are_drawn() -> None:
    position = Position.read(RING)
    told = "\n".join(capture_lines(position, last_capture(position)))

    assert "walk 1 from c3: shut in after 1 cell\n    a  b  c" in told
    assert "walk 2 from d4: reaches the edge at f4 after 3 cells" in told
    assert "loop closed by c4: c2 d3 c4 b3\ncaptured: c3\n" in told
    assert re.search(r"^ 3  \.  #  \*  #  \.  \.$", told, re.MULTILINE)
    assert " 4  .  .  #  1  .  3\n 5  .  .  .  .  2  ." in told


def test_a_move_that_captures_nothing_says_so() -> None:
    position = Position.read("squatter c2")

    *_, last = capture_lines(position, last_capture(position))
    assert last == "c2 captures nothing"
    assert capture_facts(position, last_capture(position))["loops"] == []


def test_other_games_and_positions_without_a_last_move_are_refused() -> None:
    with pytest.raises(UsageError, match="got 'connect-four'; expected a position of squatter"):
        last_capture(Position.read("connect-four 4"))
    with pytest.raises(UsageError, match="expected moves"):
        last_capture(Position("squatter"))
