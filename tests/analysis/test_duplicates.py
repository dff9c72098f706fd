"""What symmetries saved and which the root rules out, against slow index maps, in every format."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from io import StringIO

import pytest
from rich.console import Console

from plyboard.analysis.duplicates import Duplicates, duplicate_facts, duplicate_lines, duplicates
from plyboard.analysis.trees.to_dot import dot
from plyboard.analysis.trees.to_html import page_facts
from plyboard.analysis.trees.to_json import as_json
from plyboard.analysis.trees.to_rich import rich_tree
from plyboard.analysis.trees.to_text import text
from plyboard.analysis.trees.tree import SearchTree
from plyboard.analysis.trees.tree_builder import build_tree
from plyboard.games import Position
from plyboard.origins.squatter.agent import SquatterAgent
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice
from plyboard.search.counting.perft import perft

# Where the program took the piece of a cell [y, x] from, n being the last row and column.
MAPS: dict[str, Callable[[int, int, int], tuple[int, int]]] = {
    "left-right mirror": lambda y, x, n: (y, n - x),
    "top-bottom mirror": lambda y, x, n: (n - y, x),
    "main diagonal mirror": lambda y, x, _: (x, y),
    "other diagonal mirror": lambda y, x, n: (n - x, n - y),
    "quarter turn": lambda y, x, n: (x, n - y),
    "half turn": lambda y, x, n: (n - y, n - x),
    "three-quarter turn": lambda y, x, n: (n - x, y),
}


def some_position(seed: int) -> Position:
    chance, position = random.Random(seed), Position("squatter")
    for _ in range(chance.randrange(5)):
        position = position.apply_action(chance.choice(position.legal_actions()))
    return position


def explained(position: Position, depth: int = 2) -> tuple[Choice, Duplicates]:
    choice = SquatterAgent(hash=1).explain(position, Budget(depth=depth))
    found = duplicates(position, choice)
    assert found is not None
    return choice, found


@pytest.mark.parametrize("seed", range(20))
def test_the_root_rules_out_what_lays_one_colour_on_the_other(seed: int) -> None:
    position = some_position(seed)
    rows = [row.upper() for row in position.picture().rows]
    last = len(rows) - 1
    pieces = {
        (y, x): symbol for y, row in enumerate(rows) for x, symbol in enumerate(row)
        if symbol in "WB"
    }  # fmt: skip
    _, found = explained(position)

    assert [each.name for each in found.symmetries] == list(MAPS)
    for each in found.symmetries:
        turned = {MAPS[each.name](y, x, last): symbol for (y, x), symbol in pieces.items()}
        shared = {
            position.move_text(y * len(rows) + x) for (y, x) in pieces
            if turned.get((y, x), pieces[y, x]) != pieces[y, x]
        }  # fmt: skip
        assert (each.saved is None) == bool(shared)
        assert (each.conflict in shared) if shared else each.conflict is None
        assert each.keeps_root == (turned == pieces)


@pytest.mark.parametrize("seed", range(6))
def test_nodes_searched_and_saved_are_those_of_plain_minimax(seed: int) -> None:
    position = some_position(seed)
    told = duplicate_facts(explained(position)[1])
    saved = told["same"]["nodes"] + sum(each["nodes"] for each in told["symmetries"])

    assert told["nodes"] + saved == told["plain_nodes"]
    assert told["plain_nodes"] == sum(perft(position, ply) for ply in range(told["depth"] + 1))


def in_rich(tree: SearchTree) -> str:
    paper = StringIO()
    Console(file=paper, width=200).print(rich_tree(tree))
    return paper.getvalue()


SHOWN: dict[str, Callable[[SearchTree], str]] = {
    "text": lambda tree: "\n".join(text(tree)),
    "rich": in_rich,
    "dot": lambda tree: "\n".join(dot(tree)),
    "html": lambda tree: "\n".join(page_facts(tree, "squatter")["duplicates"]),
}


@pytest.mark.parametrize("form", SHOWN)
def test_every_format_shows_all_of_it(form: str) -> None:
    position = Position.read("squatter c3 d4")
    choice, found = explained(position)
    told = SHOWN[form](build_tree(position, choice, plies=1))

    assert all(line in told for line in duplicate_lines(found))
    assert "half turn: ruled out, W and B would share c3" in told
    assert "main diagonal mirror: saved 570 nodes by 75 duplicates, the root has it" in told


def test_json_has_the_numbers() -> None:
    position = Position.read("squatter c3 d4")
    choice, found = explained(position)
    told = json.loads("\n".join(as_json(build_tree(position, choice))))

    assert told["duplicates"] == duplicate_facts(found)
    assert sum(each["ruled_out"] for each in told["duplicates"]["symmetries"]) == 2


def test_other_searches_have_nothing_to_tell() -> None:
    assert duplicates(Position("squatter"), Choice(0)) is None
