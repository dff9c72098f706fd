"""Finding the moves between two positions, and the node of a tree after them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from plyboard.games import Position
from plyboard.games.rules import Rules, State

MOST_PAIRS = 5000  # of a move and a reply; where there are more, only one move is looked for


def actions_since(old: State, position: Position) -> tuple[int, ...] | None:
    """Return the actions played since a state; None if the position does not know of it."""
    actions: list[int] = []
    while position.state != old:
        if position.before is None or position.last_action is None:
            return None
        actions.append(position.last_action)
        position = position.before
    return tuple(reversed(actions))


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
    if len(after) ** 2 > MOST_PAIRS:
        return None
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
