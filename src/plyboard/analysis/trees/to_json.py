"""A search tree as JSON: nested objects, one for each node."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from plyboard.analysis.duplicates import duplicate_facts as duplicate_facts
from plyboard.analysis.duplicates import duplicates
from plyboard.analysis.trees.tree import Node, SearchTree, ValueSource
from plyboard.games.game import spec_of


def as_json(tree: SearchTree) -> Iterator[str]:
    """Yield the tree as JSON; values are for the player to move at the root."""
    game, choice = tree.position.game, tree.choice
    facts: dict[str, Any] = {
        "game": spec_of(game),
        "position": tree.position.text(),
        "player": game.players[tree.position.mover],
        "first_move": tree.position.move_text(choice.action),
        "line": [tree.move_text(node) for node in tree.best_line()],
        "value": choice.value,
        "depth": tree.depth or choice.depth,
        "nodes": choice.nodes,
        "simulations": choice.simulations,
        "shown_plies": tree.plies,
        "complete": tree.is_whole,
    }
    found = duplicates(tree.position, tree.choice)
    if found is not None:
        facts["duplicates"] = duplicate_facts(found)
    facts["tree"] = node_facts(tree, tree.root)
    yield json.dumps(facts, indent=1)


def node_facts(tree: SearchTree, node: Node) -> dict[str, Any]:
    """Return the data of a node and its subtree, without keys that do not apply."""
    facts = _own_facts(tree, node)
    if node.window is not None and (pruned := tree.pruned(node)):
        alpha, beta = (_number(tree, tree.bound_text(number), number) for number in node.window)
        facts["pruned"] = {"moves": pruned, "alpha": alpha, "beta": beta}
    if node.children:
        facts["children"] = [node_facts(tree, child) for child in node.children.values()]
    return facts


def _own_facts(tree: SearchTree, node: Node) -> dict[str, Any]:
    position = tree.position_of(node)
    facts: dict[str, Any] = {}
    if node.parent is not None:
        facts["move"] = tree.move_text(node)
        facts["player"] = position.game.players[node.maker]
    facts["position"] = position.text()
    if node.simulations:
        facts |= {"simulations": node.simulations, "value": tree.mean(node)}
        if tree.has_scores:  # the sum decides
            facts |= {"value": node.score, "mean": tree.mean(node)}
    elif node.number is not None:
        facts |= {
            "value": _number(tree, tree.number_text(node.number), node.number),
            "bound": node.bound.value or None,
        }
    facts["how"] = node.source.value
    if node.source is ValueSource.DUPLICATE:
        facts["symmetry"] = node.symmetry
    for name, value, usual in (
        ("visits", node.visits, 1), ("hidden", node.hidden, 0), ("best", node.is_best, False),
        ("outcome", tree.ending(node), ""),
    ):  # fmt: skip
        if value != usual:
            facts[name] = value
    return facts


def _number(tree: SearchTree, told: str, number: int) -> float | str:
    """Return a number, or its text if it is a forced win or loss or infinite."""
    return number / tree.scale if told.lstrip("-")[0].isdigit() else told
