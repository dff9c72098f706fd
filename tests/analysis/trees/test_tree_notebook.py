"""Trees in a notebook: nested lists without a script, and never many nodes."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest
from analysis.samples import example_tree, odd_tree, played_tree

from plyboard.analysis.trees.to_notebook import MOST_NODES
from plyboard.analysis.trees.tree import SearchTree


def shown(tree: SearchTree) -> ElementTree.Element:
    text = tree._repr_html_().replace("<details open>", '<details open="">')
    return ElementTree.fromstring(text)


@pytest.mark.parametrize("make", [odd_tree, played_tree, example_tree])
def test_every_tree_is_well_formed_and_small(make: object) -> None:
    assert callable(make)
    tree: SearchTree = make()
    found = shown(tree)

    assert found.find("{http://www.w3.org/2000/svg}svg") is not None
    assert "<script" not in tree._repr_html_()
    assert len(tree._repr_html_()) < 100_000


def test_the_nodes_nearest_to_the_root_are_shown_and_the_rest_counted() -> None:
    tree = example_tree()
    texts = ["".join(each.itertext()).split("\n")[0] for each in shown(tree).iter("li")]

    assert sum(1 for _ in tree.root.walk()) > MOST_NODES
    assert sum(": " in text and "pruned" not in text for text in texts) == MOST_NODES
    assert any(text.endswith(" more") for text in texts)
    assert any("pruned: alpha" in text for text in texts)
    assert len(shown(tree).findall("ul/li")) == len(tree.root.children)


def test_the_principal_variation_is_bold_and_open() -> None:
    tree = example_tree(plies=3)
    bold = [each.text or "" for each in shown(tree).iter("b")]
    moves = [tree.position.move_text(node.action) for node in tree.best_line()]

    assert [text.split(": ")[1].split()[0] for text in bold] == moves
    assert "<details open>" in tree._repr_html_()
