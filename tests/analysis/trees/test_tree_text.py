"""The printed tree: line for line what a naive printer prints."""

from __future__ import annotations

import random

import pytest
from analysis.samples import example_tree, left, node, noted, odd_tree, played_tree
from oracles import alice_tree

from plyboard.analysis.trees.to_text import text
from plyboard.analysis.trees.tree_builder import build_tree
from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.origins.alice.columns import read, write
from plyboard.origins.alice.open_lines import open_lines
from plyboard.origins.alice.textbook import textbook_alpha_beta
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice
from plyboard.search.common.events import Events

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
    choice = textbook_alpha_beta(
        position, open_lines(), Budget(depth=plies), won=1000, events=events
    )
    return list(text(build_tree(position, choice)))


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
            position, after = after, after.apply_action(chance.choice(after.legal_actions()))
    plies = chance.randint(1, 4)

    assert ours(position, plies) == theirs(position, plies)


def test_what_other_searches_note() -> None:
    assert list(text(odd_tree())) == [
        "A1: 1; h<=5 from the table",
        "A1: 7; seen before, by mirror",
        "A1: 4; mean=2",
        "|-B2: 2; h=3",
        "A1: 3",
        "|-B2: 2; h=-7",
        "|-B2: pruning 1, 3, 4, 5, 6, 7; alpha=2, beta=-7",
        "first move: 4",
    ]


def test_a_node_that_the_search_left_at_once() -> None:
    log = noted([node(1, 3), node(2, 5), left(2, 5, 4), left(1, 3, -4)])
    tree = build_tree(Position("connect-four"), Choice(3, events=log))

    assert list(text(tree))[1] == "|-B2: 6; not looked into"


def test_games_that_were_simulated() -> None:
    assert list(text(played_tree())) == [
        "A1: 4; 3 games, mean=+0.333",
        "|-B2: 4; 1 game, mean=+1.000",
        "A1: 3; 1 game, mean=-1.000",
        "first move: 4",
    ]


def test_fewer_plies_count_what_is_below() -> None:
    lines = list(text(example_tree(plies=1)))

    assert lines[0] == "A1: 1; 150 more below"
    assert len(lines) == 6 + 2 + 1
