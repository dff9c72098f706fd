"""A search tree as plain text, one line for each move searched or pruned.

A is the player to move at the root, B the other one, or they have other names. The number counts
the moves from there.

    A1: 2
    |-B2: 4; h=-3
    |-B2: pruning 5, 6, 7; alpha=-1, beta=-3
    first move: 2
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from plyboard.analysis.duplicates import duplicate_lines, duplicates
from plyboard.analysis.trees.tree import Bound, Node, SearchTree, ValueSource
from plyboard.games import Position

PLAYERS = ("A", "B")


def text(tree: SearchTree, names: Sequence[str] = PLAYERS) -> Iterator[str]:
    """Yield the lines: each node before its children, pruned moves after them.

    The first name is that of the player to move at the root.
    """
    yield from _below(tree, tree.root, names)
    found = duplicates(tree.position, tree.choice)
    if found is not None:
        yield from duplicate_lines(found)
    yield f"first move: {tree.position.move_text(tree.choice.action)}"


def symbols(position: Position) -> Sequence[str]:
    """Return the symbols of the player to move and the other one; A and B if they are digits."""
    first, second = position.game.players
    if first.isdigit() or second.isdigit():  # could be mistaken for the number of the move
        return PLAYERS
    return (first, second) if position.mover == 0 else (second, first)


def _below(tree: SearchTree, node: Node, names: Sequence[str]) -> Iterator[str]:
    for child in node.children.values():
        move = tree.move_text(child)
        yield f"{_label(tree, node, names)}{move}{''.join(_notes(tree, child))}"
        yield from _below(tree, child, names)
    pruned = tree.pruned(node)
    if node.window and pruned:
        alpha, beta = (tree.bound_text(number) for number in node.window)
        moves = ", ".join(pruned)
        yield f"{_label(tree, node, names)}pruning {moves}; alpha={alpha}, beta={beta}"


def _label(tree: SearchTree, node: Node, names: Sequence[str]) -> str:
    """Return what precedes a move at a node: the player to move, and the number of the move."""
    name = names[0 if node.mover == tree.root.mover else 1]
    return f"{'|-' * node.ply}{name}{node.ply + 1}: "


def _notes(tree: SearchTree, node: Node) -> Iterator[str]:
    """Yield the notes of a node."""
    if node.source is ValueSource.LEAF:
        yield f"; h={tree.value(node)}"
    elif node.source is ValueSource.TABLE:
        sign = "=" if node.bound is Bound.EXACT else node.bound.value
        yield f"; h{sign}{tree.value(node)} from the table"
    elif node.source is ValueSource.DUPLICATE:
        yield f"; {symmetry_text(tree, node)}"
    elif node.source is ValueSource.MEAN:
        yield f"; mean={tree.value(node)}"
    elif node.source is ValueSource.SIMULATED:
        score = f"score={tree.value(node)}, " if tree.has_scores else ""
        yield f"; {score}{tree.games(node)}, mean={tree.mean(node):+.3f}"
    elif node.is_skipped:
        yield "; not looked into"
    if node.hidden:
        yield f"; {node.hidden} more below"


def symmetry_text(tree: SearchTree, node: Node) -> str:
    """Return the note of a duplicate, with its symmetry."""
    symmetries = tree.position.game.rules.symmetries
    if 0 < node.symmetry <= len(symmetries):
        return f"seen before, by {symmetries[node.symmetry - 1].name}"
    return "seen before"


def node_notes(tree: SearchTree, node: Node) -> list[str]:
    """Return how a node got its value, and what is not shown below it, in a few words."""
    notes = {
        ValueSource.LEAF: tree.ending(node) or "guess",
        ValueSource.TABLE: "from the table",
        ValueSource.DUPLICATE: symmetry_text(tree, node),
        ValueSource.MEAN: "mean of all replies",
        ValueSource.SIMULATED: _games(tree, node),
    }
    found = [notes[node.source]] if node.source in notes else ["not looked into"] * node.is_skipped
    return [*found, f"{node.hidden} more below"] if node.hidden else found


def _games(tree: SearchTree, node: Node) -> str:
    if not node.simulations:
        return ""
    return f"{tree.games(node)}{f', mean {tree.mean(node):+.3f}' * tree.has_scores}"
