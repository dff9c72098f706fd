"""A search tree as HTML for a notebook: nested lists that open and close, without a script."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from html import escape

from plyboard.analysis.trees.to_rich import heading, label
from plyboard.analysis.trees.tree import Node, SearchTree

MOST_NODES = 200  # shown, those near the root first; `to_html` writes a page with all of them


def notebook_html(tree: SearchTree) -> str:
    """Return the board and the tree as an HTML element; all texts are escaped."""
    items = "\n".join(_items(tree, tree.root, _nearest(tree)))
    return (
        f"<div>\n<p>{escape(heading(tree).plain)}</p>\n{tree.position.svg()}"
        f"<ul>\n{items}\n</ul>\n</div>\n"
    )


def _nearest(tree: SearchTree) -> set[Node]:
    """Return the nodes to show: the root, and those that follow in breadth-first order."""
    found: set[Node] = set()
    queue = deque([tree.root])
    while queue and len(found) <= MOST_NODES:
        node = queue.popleft()
        found.add(node)
        queue.extend(node.children.values())
    return found


def _items(tree: SearchTree, node: Node, shown: set[Node]) -> Iterator[str]:
    """Yield a list item for each move of a node; the principal variation is bold and open."""
    children = [child for child in node.children.values() if child in shown]
    for child in children:
        text = escape(label(tree, child).plain)
        text = f"<b>{text}</b>" if child.is_best else text
        below = "\n".join(_items(tree, child, shown))
        is_open = " open" if child.is_best else ""
        if below:
            text = f"<details{is_open}><summary>{text}</summary>\n<ul>\n{below}\n</ul></details>"
        yield f"<li>{text}</li>"
    left = len(node.children) - len(children)
    if left:
        yield f"<li>{left} more</li>"
    pruned = tree.pruned(node)
    if node.window and pruned:
        alpha, beta = (escape(tree.bound_text(number)) for number in node.window)
        yield f"<li><s>{escape(' '.join(pruned))}</s> pruned: alpha {alpha}, beta {beta}</li>"
