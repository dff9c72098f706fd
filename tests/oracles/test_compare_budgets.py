"""The check of searches that were cut off runs, and can fail."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from oracles.compare_budgets import ENOUGH, Search, Tally, check
from oracles.forced import gets, loses_within, wins_within
from plyboard.games import Position
from plyboard.search.common.choice import WIN, Choice

SMALL = [
    "connect-four:columns=4,rows=4",
    "conniption:columns=4,rows=4,flips=2",
    "extended:rows=3,columns=4,pops=2",
    "squatter:size=3",
]


def best(position: Position, plies: int, unfinished: int) -> int:
    """Return the best result of the player to move: every line, in plain Python."""
    if position.outcome() is not None:
        return position.game.rules.value(position.state)
    if plies == 0:
        return unfinished
    return max(
        -best(position.apply_action(action), plies - 1, -unfinished)
        for action in position.legal_actions()
    )


@pytest.mark.parametrize("spec", SMALL)
def test_forced_results_are_those_of_every_line(spec: str) -> None:
    chance = random.Random(spec)
    for _ in range(30):
        position = late(spec, chance)
        for plies in range(4):
            for points in (-2, -1, 0, 1, 2, 5):
                for hope in (False, True):
                    right = best(position, plies, 1000 if hope else -1000) >= points
                    assert gets(position, points, plies, hope=hope) == right, position


def late(spec: str, chance: random.Random) -> Position:
    """Return one of the last positions of a random game."""
    positions = [Position(spec)]
    while positions[-1].outcome() is None:
        positions.append(positions[-1].apply_action(chance.choice(positions[-1].legal_actions())))
    return chance.choice(positions[-6:-1])


def test_the_solver_answers_for_ends_that_are_far() -> None:
    position = Position("connect-four").play(*"4642332434166445")

    assert wins_within(position, 41) is False
    assert loses_within(position, 23) is False
    assert loses_within(position, 24) is True


X_WINS = "connect-four 445566"  # with 3 or 7 at once
O_DEFENDS = "connect-four 11223"  # only with 4
OPEN = "connect-four:columns=4,rows=4 ..../o.x./xoo./oxxx o"
DRAWN = "connect-four:columns=4,rows=4 .xox/oxox/xoxo/xoxo o"


@pytest.mark.parametrize(
    ("text", "choice", "fault"),
    [
        (X_WINS, {"action": 2, "value": WIN - 1, "depth": 1, "exact": True}, None),
        (X_WINS, {"action": 2, "value": WIN - 3, "depth": 3}, None),
        (X_WINS, {"action": 2, "value": WIN - 3, "depth": 0, "exact": True}, "end told too late"),
        (X_WINS, {"action": 0, "value": WIN - 1, "depth": 1}, "win of another move"),
        (X_WINS, {"action": 0, "value": 0.5, "depth": 1}, "overlooks a win in 1"),
        (X_WINS, {"action": 0, "value": 2 - WIN, "depth": 1}, "untrue loss"),
        (X_WINS, {"action": 9}, "illegal move"),
        (X_WINS, {"action": 2, "line": (3, 2)}, "line of another move"),
        (X_WINS, {"action": 2, "line": (2, 2)}, "illegal line"),
        (X_WINS, {"action": 0}, None),
        (O_DEFENDS, {"action": 3, "value": 2 - WIN, "depth": 2}, "untrue loss"),
        (O_DEFENDS, {"action": 0, "value": -1.5, "depth": 2}, "plays into a loss in 2"),
        (O_DEFENDS, {"action": 3, "value": WIN - 3, "depth": 3}, "untrue win"),
        (OPEN, {"action": 2, "value": 0.0, "depth": 1}, None),
        (OPEN, {"action": 1, "value": -0.2, "depth": 1}, "worse than the best before"),
        (DRAWN, {"action": 0, "value": 0.0, "depth": 1, "exact": True}, None),
        (DRAWN, {"action": 0, "value": 0.5, "depth": 1, "exact": True}, "untrue exact value"),
    ],
)
def test_each_kind_of_fault_is_seen(
    text: str, choice: Mapping[str, Any], fault: str | None
) -> None:
    search = Search("alpha-beta", Position.read(text, allow_unreachable=True), 30)

    assert check(search, Choice(**choice), Tally()) == fault


@pytest.mark.parametrize(
    ("action", "value", "fault"),
    [
        (4, 1.0, None),
        (6, 1.0, "exact value of another move"),
        (6, -19.0, "untrue exact value"),
        (4, 2.0, "untrue exact value"),
    ],
)
def test_an_exact_value_is_that_of_its_move(action: int, value: float, fault: str | None) -> None:
    position = Position.read("extended:rows=3,columns=4,pops=2 1122/1212/2211 1 1,0")
    search = Search("alpha-beta", position, 30)

    assert check(search, Choice(action, value, depth=1, exact=True), Tally()) == fault


def test_a_search_that_had_nodes_enough_has_done_a_depth() -> None:
    search = Search("alpha-beta", Position("connect-four"), ENOUGH)

    assert check(search, Choice(3), Tally()) == "no depth done"
    assert check(replace(search, nodes=3), Choice(3), Tally()) is None
