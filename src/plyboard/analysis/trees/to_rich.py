"""A search tree in colour, for the terminal."""

from __future__ import annotations

from rich.text import Text
from rich.tree import Tree as RichTree

from plyboard.analysis.duplicates import duplicate_lines, duplicates
from plyboard.analysis.trees.to_text import node_notes
from plyboard.analysis.trees.tree import Bound, Node, SearchTree
from plyboard.games.picture import COLOURS

STYLES = tuple(f"{ink} on {fill}" for fill, ink in COLOURS)  # by who has moved
GUIDE, BEST_GUIDE = "dim", "bold green"


def rich_tree(tree: SearchTree) -> RichTree:
    """Return the tree for Rich: the principal variation in bold, pruned moves struck out."""
    root = RichTree(heading(tree), guide_style=GUIDE)
    _add(tree, tree.root, root)
    found = duplicates(tree.position, tree.choice)
    if found is not None:
        first, *others = duplicate_lines(found)
        branch = root.add(Text(first), guide_style=GUIDE)
        for line in others:
            branch.add(Text(line, style="dim"))
    return root


def heading(tree: SearchTree) -> Text:
    """Return the game, the player to move, and the best move with its value."""
    game = tree.position.game
    return Text.assemble(
        (game.title, "bold"), f": {game.players[tree.position.mover]} to move, best ",
        (tree.position.move_text(tree.choice.action), "bold"), f" ({tree.verdict() or 'no value'})",
    )  # fmt: skip


def _add(tree: SearchTree, node: Node, branch: RichTree) -> None:
    for child in node.children.values():
        guide = BEST_GUIDE if child.is_best else GUIDE
        _add(tree, child, branch.add(label(tree, child), guide_style=guide))
    pruned = tree.pruned(node)
    if node.window and pruned:
        alpha, beta = (tree.bound_text(number) for number in node.window)
        text = Text(" ".join(pruned), style="dim strike")
        text.append(Text(f"  pruned: alpha {alpha}, beta {beta}", style="dim not strike"))
        branch.add(text)


def label(tree: SearchTree, node: Node) -> Text:
    """Return the player, the move, its value and notes."""
    game = tree.position.game
    text = Text(style="bold" if node.is_best else "")
    text.append(f"{game.players[node.maker]}: {tree.move_text(node)}", style=STYLES[node.maker])
    value = tree.value(node)
    if value:
        sign = "" if node.bound is Bound.EXACT else node.bound.value
        name = "score " if node.simulations and tree.has_scores else ""
        text.append(f"  {name}{sign}{value}", style=_style(tree, node))
    for note in node_notes(tree, node):
        text.append(f"  {note}", style="dim")
    return text


def _style(tree: SearchTree, node: Node) -> str:
    worth = tree.sign(node)
    return "green" if worth > 0 else "magenta" if worth < 0 else ""
