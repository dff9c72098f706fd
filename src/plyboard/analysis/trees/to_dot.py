"""A search tree as a Graphviz file for `dot -Tsvg`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from plyboard.analysis.duplicates import duplicate_lines, duplicates
from plyboard.analysis.trees.tree import Bound, Node, SearchTree

HEAD = """\
digraph tree {
  rankdir=LR; nodesep=0.08; ranksep=0.5;
  node [shape=box, style="rounded,filled", fontname="Helvetica", fontsize=11, fillcolor=white];
  edge [fontname="Helvetica", fontsize=10, color=gray50, arrowsize=0.6];"""
FILLS = ("#ffffff", "#d9d9d9")  # by who has moved


def dot(tree: SearchTree) -> Iterator[str]:
    """Yield the lines of a digraph: a box for each node, a dashed one for pruned moves."""
    numbers = count()
    root = next(numbers)
    game = tree.position.game
    yield HEAD
    title = f"{game.title}: {game.players[tree.position.mover]} to move"
    found = duplicates(tree.position, tree.choice)
    told = "".join(f"\n{line}" for line in duplicate_lines(found)) if found is not None else ""
    yield f"  n{root} [label={_quoted(title + told)}, penwidth=2];"
    yield from _below(tree, tree.root, root, numbers)
    yield "}"


def _below(tree: SearchTree, node: Node, name: int, numbers: count[int]) -> Iterator[str]:
    game = tree.position.game
    for child in node.children.values():
        other = next(numbers)
        player = node.mover
        label = _quoted(f"{game.players[player]}: {tree.move_text(child)}{_worth(tree, child)}")
        wide = ", penwidth=3, color=forestgreen" if child.is_best else ""
        yield f'  n{other} [label={label}, fillcolor="{FILLS[player]}"{wide}];'
        yield f"  n{name} -> n{other}{' [penwidth=3, color=forestgreen]' if child.is_best else ''};"
        yield from _below(tree, child, other, numbers)
    pruned = tree.pruned(node)
    if node.window and pruned:
        other = next(numbers)
        alpha, beta = (tree.bound_text(number) for number in node.window)
        label = _quoted(f"pruned {', '.join(pruned)}\nalpha {alpha}, beta {beta}")
        yield f'  n{other} [label={label}, style="rounded,dashed", fontcolor=gray40];'
        yield f"  n{name} -> n{other} [style=dashed];"


def _worth(tree: SearchTree, node: Node) -> str:
    value = tree.value(node)
    if node.simulations:
        score = f"\nscore {value}" if tree.has_scores else ""
        return f"{score}\n{tree.games(node)}, mean {tree.mean(node):+.3f}"
    sign = "" if node.bound is Bound.EXACT else node.bound.value
    return f"\n{sign}{value}" if value else ""


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
