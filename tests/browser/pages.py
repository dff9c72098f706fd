"""Pages of trees for the tests, each with the same tree as JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyboard.agents.catalogue import explainer
from plyboard.analysis.trees.to_html import html
from plyboard.analysis.trees.to_json import as_json
from plyboard.analysis.trees.tree_builder import build_tree
from plyboard.games import Position

Facts = dict[str, Any]
PATIENCE = 120  # seconds
PLIES = 13  # more than are set in
BEGINNINGS = {
    "connect-four": "44535",
    "conniption": "4 4f 5 f6f",
    "extended": "3 4 2 4",
    "squatter": "c2 a1 b3 a2 d3 a3 c4 a4 e2 a5 e3 a6 e4 b6 e5 c6 f1 d6",
}
BUDGETS = {
    "engine": "depth=2",
    "alice": "depth=3",
    "conniption": "depth=2",
    "expectimax": "depth=2",
    "extended": "depth=3",
    "squatter": "depth=2",
    "mcts": "simulations=100",
    "jericho": "simulations=12",
}


@dataclass(frozen=True)
class TreePage:
    """A page in a file, and what it should show."""

    path: Path
    facts: Facts  # the tree as JSON

    @property
    def nodes(self) -> list[Facts]:
        """Return all nodes in the order of the page."""
        return list(walk(self.facts["tree"]))

    @property
    def first_rows(self) -> list[Facts]:
        """Return the nodes that are seen when it opens: those beside the best line."""
        return list(walk(self.facts["tree"], only_best=True))

    def position(self, node: Facts) -> Position:
        """Return the position of a node."""
        return Position(self.facts["game"], node["position"])


def walk(node: Facts, *, only_best: bool = False) -> Iterator[Facts]:
    """Yield a node and those below it, or only those below the best line."""
    yield node
    if "move" in node and only_best and not node.get("best"):
        return
    for child in node.get("children", ()):
        yield from walk(child, only_best=only_best)


def make_page(game: str, agent: str, folder: Path) -> TreePage:
    """Let an agent search, in a process of its own: small searches end sooner than compiling."""
    path = folder / "tree.html"
    subprocess.run(
        [sys.executable, __file__, game, agent, str(path)],
        env=os.environ | {"PLYBOARD_JIT": "off"},
        check=True,
        timeout=PATIENCE,
    )
    return TreePage(path, json.loads(path.with_suffix(".json").read_text("utf-8")))


def write_page(game: str, agent: str, name: str) -> None:
    """Write a page, and its tree as JSON beside it."""
    position = Position.read(f"{game} {BEGINNINGS[game]}")
    tree = build_tree(position, explainer(agent, game).explain(position), plies=PLIES)
    Path(name).write_text(html(tree, agent), "utf-8")
    Path(name).with_suffix(".json").write_text("\n".join(as_json(tree)), "utf-8")


if __name__ == "__main__":
    write_page(*sys.argv[1:])
