"""Trees as JSON: all of the tree, and values that can be counted with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from analysis.samples import EXAMPLE, example_tree, leaf, node, noted, odd_tree, played_tree

from plyboard.analysis.trees.to_json import as_json
from plyboard.analysis.trees.to_text import text
from plyboard.analysis.trees.tree import SearchTree
from plyboard.analysis.trees.tree_builder import build_tree
from plyboard.games import Position
from plyboard.search.alpha_beta.principal_variation import WON
from plyboard.search.common.choice import Choice


def facts_of(tree: SearchTree) -> dict[str, Any]:
    facts: dict[str, Any] = json.loads("\n".join(as_json(tree)))
    return facts


def walk(above: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield above
    for child in above.get("children", ()):
        yield from walk(child)


def test_the_example_has_all_that_the_text_has() -> None:
    facts = facts_of(example_tree())
    nodes = list(walk(facts["tree"]))
    pruned = [each["pruned"] for each in nodes if "pruned" in each]

    assert facts["first_move"] == "4"
    assert facts["line"] == ["4", "1", "4"]
    assert (facts["value"], facts["depth"], facts["nodes"]) == (1000, 4, 495)
    assert len(nodes) == 495
    assert sum(each["how"] == "leaf" for each in nodes) == 359
    assert len(pruned) == 84
    assert pruned[0] == {"moves": ["4", "6", "7"], "alpha": -7, "beta": -8}
    assert len(nodes) - 1 + len(pruned) == len(list(text(example_tree()))) - 1


def test_each_node_follows_from_the_one_above() -> None:
    tree = facts_of(example_tree())["tree"]

    assert Position("connect-four", tree["position"]) == EXAMPLE
    for each in walk(tree):
        before = Position("connect-four", each["position"])
        for child in each.get("children", ()):
            assert before.play(child["move"]).text() == child["position"]
            assert child["player"] == "xo"[before.mover]


def test_a_game_that_ends_says_how() -> None:
    endings = {
        (each["value"], each["outcome"])
        for each in walk(facts_of(example_tree())["tree"])
        if "outcome" in each
    }

    assert endings == {(1000, "x wins")}


def test_what_other_searches_note() -> None:
    known, twin, mean, cut = facts_of(odd_tree())["tree"]["children"]

    assert (known["how"], known["value"], known["bound"]) == ("known", 5, "<=")
    assert (twin["how"], twin["symmetry"]) == ("duplicate", 1)
    assert (mean["how"], mean["value"], mean["best"]) == ("mean", 2, True)
    assert cut["pruned"]["moves"] == ["1", "3", "4", "5", "6", "7"]


def test_games_that_were_simulated() -> None:
    first = facts_of(played_tree())["tree"]["children"][0]

    assert (first["move"], first["simulations"], first["value"]) == ("4", 3, 1 / 3)


def test_sure_wins_are_told_in_words() -> None:
    log = noted([node(1, 3), leaf(1, 3, 3 - WON)])
    facts = facts_of(build_tree(Position("connect-four"), Choice(3, events=log)))

    assert facts["tree"]["children"][0]["value"] == "win in 3"
