"""The printed tree: line for line what a naive printer prints."""

from __future__ import annotations

import random

import pytest
from oracles import alice_tree

from plyboard.analysis.tree import build
from plyboard.analysis.tree_text import text
from plyboard.evaluate.open_lines import open_lines
from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.games.formats.alice_bill import read, write
from plyboard.search.budget import Budget
from plyboard.search.events import Events
from plyboard.search.plain import plain

EXAMPLE = "e\nabba\nbaa\ne\nabbaab\nab\nb\n"
FIRST_LINES = """\
A1: 1
|-B2: 1
|-|-A3: 1
|-|-|-B4: 1; h=-2
|-|-|-B4: 2; h=-2
|-|-|-B4: 3; h=-7
|-|-|-B4: 4; h=-4
|-|-|-B4: 6; h=-5
|-|-|-B4: 7; h=-7
|-|-A3: 2
|-|-|-B4: 1; h=-3
|-|-|-B4: 2; h=-4
|-|-|-B4: 3; h=-8
|-|-|-B4: pruning 4, 6, 7; alpha=-7, beta=-8""".splitlines()
GAMES = 25


def ours(position: Position, plies: int = 4) -> list[str]:
    events = Events()
    choice = plain(position, open_lines(), Budget(depth=plies), won=1000, events=events)
    return list(text(build(position, choice)))


def theirs(position: Position, plies: int = 4) -> list[str]:
    columns = [line.replace("e", "") for line in write(position).splitlines()]
    return alice_tree.printed(columns, plies)


def test_the_example() -> None:
    lines = ours(read(EXAMPLE, ConnectFour()))

    assert len(lines) == 578 + 1
    assert sum("pruning" in line for line in lines) == 84
    assert sum("; h=" in line for line in lines) == 359
    assert lines[: len(FIRST_LINES)] == FIRST_LINES
    assert lines[-1] == "first move: 4"
    assert lines == theirs(read(EXAMPLE, ConnectFour()))


@pytest.mark.parametrize(
    ("columns", "move"),
    [
        ("aabb/abba/baa/ab/abbaab/ab/b", 4),
        ("abb/baaab/aabbab/bbbaba/aabba/bbaaba/babbaa", 5),
    ],
)
def test_the_other_boards_that_the_program_came_with(columns: str, move: int) -> None:
    position = read(columns.replace("/", "\n"), ConnectFour())

    assert ours(position)[-1] == f"first move: {move}"
    assert ours(position) == theirs(position)


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_position_of_a_random_game_prints_the_same(seed: int) -> None:
    chance = random.Random(seed)
    position = after = Position("connect-four")
    for _ in range(chance.randint(0, 41)):  # often to the end, where few plies are left
        if after.outcome() is None:
            position, after = after, after.play(chance.choice(after.legal_actions()))
    plies = chance.randint(1, 4)

    assert ours(position, plies) == theirs(position, plies)
