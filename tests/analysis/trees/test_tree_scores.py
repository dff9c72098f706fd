"""Trees of jericho: the sum of scores decides, and every format shows it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from io import StringIO

import pytest
from oracles.jericho import grow
from rich.console import Console

from plyboard.analysis.trees.to_dot import dot
from plyboard.analysis.trees.to_html import page_facts
from plyboard.analysis.trees.to_json import as_json
from plyboard.analysis.trees.to_rich import rich_tree
from plyboard.analysis.trees.to_text import text
from plyboard.analysis.trees.tree import Node, SearchTree
from plyboard.analysis.trees.tree_builder import build_tree
from plyboard.games import Position
from plyboard.origins.four_in_a_row.agent import JerichoAgent
from plyboard.origins.four_in_a_row.jericho import JerichoSearch
from plyboard.search.common.budget import Budget
from plyboard.search.common.events import Events

POSITIONS = (
    "connect-four",
    "connect-four 44",
    "connect-four 4455",
    "connect-four:columns=4,rows=4 1122",
    "conniption 4 4f",
    "extended:rows=3,columns=4,pops=1 1",
    "squatter:size=4 b2",
)
CASES = [(position, seed) for position in POSITIONS for seed in range(4)]
SIMULATIONS = 400
Scores = dict[str, float]


@cache
def tree_of(position: str, seed: int) -> SearchTree:
    start = Position.read(position)
    choice = JerichoAgent(hash=8).explain(start, Budget(simulations=SIMULATIONS, seed=seed))
    return build_tree(start, choice, plies=2)


def in_text(tree: SearchTree) -> Scores:
    found = (re.match(r"A1: (\S+); score=(\S+), \d+ games?, mean=", line) for line in text(tree))
    return {match[1]: float(match[2]) for match in found if match}


def in_rich(tree: SearchTree) -> Scores:
    paper = StringIO()
    Console(file=paper, width=200).print(rich_tree(tree))
    line = re.compile(r"^[├└┗┣]\S+ \w: (\S+)  score (\S+)  \d+ games?, mean ", re.MULTILINE)
    return {match[1]: float(match[2]) for match in line.finditer(paper.getvalue())}


def in_json(tree: SearchTree) -> Scores:
    facts = json.loads("\n".join(as_json(tree)))
    return {each["move"]: each["value"] for each in facts["tree"]["children"]}


def in_dot(tree: SearchTree) -> Scores:
    lines = list(dot(tree))
    first = {line.split()[2].rstrip(";") for line in lines if line.startswith("  n0 -> ")}
    box = re.compile(r'  (n\d+) \[label="\w: (\S+)\\nscore (\S+)\\n\d+ games?, mean ')
    found = (box.match(line) for line in lines)
    return {match[2]: float(match[3]) for match in found if match and match[1] in first}


def in_html(tree: SearchTree) -> Scores:
    return {each["m"]: float(each["v"]) for each in page_facts(tree, "jericho")["root"]["c"]}


@pytest.mark.parametrize("shown", [in_text, in_rich, in_json, in_dot, in_html])
@pytest.mark.parametrize(("position", "seed"), CASES)
def test_the_move_with_the_highest_score_is_the_one_that_was_chosen(
    position: str, seed: int, shown: Callable[[SearchTree], Scores]
) -> None:
    tree = tree_of(position, seed)
    scores = shown(tree)

    assert len(scores) == len(tree.root.children) > 1
    assert max(scores, key=lambda move: scores[move]) == tree.position.move_text(tree.choice.action)


def below(node: Node, path: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Node]]:
    yield path, node
    for child in node.children.values():
        yield from below(child, (*path, child.action))


@pytest.mark.parametrize(("position", "seed"), CASES)
def test_the_score_of_each_node_is_that_of_the_slow_search(position: str, seed: int) -> None:
    tree = tree_of(position, seed)
    slow, _ = grow(tree.position, SIMULATIONS, seed)
    right = {path: facts for path, facts in slow.all().items() if len(path) <= 2}

    told = {path: (node.score, node.simulations) for path, node in below(tree.root)}
    assert told.keys() == right.keys()
    for path, (score, visits) in right.items():
        assert told[path][0] == pytest.approx(score)
        assert told[path][1] == visits


def test_means_alone_would_choose_another_move_somewhere() -> None:
    def by_mean(tree: SearchTree) -> int:
        return max(tree.root.children.values(), key=tree.mean).action

    assert any(by_mean(tree_of(*case)) != tree_of(*case).choice.action for case in CASES)


def test_the_best_reply_comes_first() -> None:
    tree = tree_of("connect-four 4455", 0)
    first = next(iter(tree.root.children.values()))
    replies = [node.score for node in first.children.values()]

    assert first.action == tree.choice.action
    assert replies == sorted(replies)


def test_scores_that_differ_never_look_alike() -> None:
    tree = tree_of("connect-four 44", 0)
    one, other, *_ = tree.root.children.values()
    before = other.score
    other.score = one.score - 2**-30
    try:
        assert tree.value(one) != tree.value(other)
    finally:
        other.score = before


def test_a_search_without_room_for_its_events_still_shows_what_decided() -> None:
    position, events = Position("connect-four"), Events(room=200)
    choice = JerichoSearch(8).search(position, Budget(simulations=SIMULATIONS), events)
    tree = build_tree(position, choice)

    assert not tree.is_whole
    assert {each.action: each.score for each in tree.root.children.values()} == {
        action: value for action, value in choice.values.items() if action in tree.root.children
    }
