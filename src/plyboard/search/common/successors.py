"""Finding the moves between two positions, and the node of a tree after them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from plyboard.games.rules import Rules, State


def actions_between(rules: Rules, old: State, new: State) -> tuple[int, ...] | None:
    """Return the one or two actions from one state to another; None if there are none.

    The result is empty if the states are equal.
    """
    if old == new:
        return ()
    after = [(action, rules.play(old, action)) for action in rules.ordered_actions(old)]
    for action, state in after:
        if state == new:
            return (action,)
    for action, state in after:
        for reply in rules.ordered_actions(state):
            if rules.play(state, reply) == new:
                return (action, reply)
    return None


class ChildNode(Protocol):
    """A node of a search tree with the action that leads to it."""

    @property
    def action(self) -> int:
        """The action that leads to it."""

    @property
    def node(self) -> int:
        """The index of the node."""


def node_after(
    actions: tuple[int, ...], children: Callable[[int], Iterable[ChildNode]]
) -> int | None:
    """Return the index of the node after some actions from the root; None if there is none."""
    node = 0
    for action in actions:
        found = next((child for child in children(node) if child.action == action), None)
        if found is None:
            return None
        node = found.node
    return node
