"""Builds the tree of a search from its events.

The tree shows one iteration of iterative deepening, by default the last finished one. If a node was
searched again, the last time counts; simulations add up. Where the search chooses by the sum of
scores, that sum is the value.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from plyboard.analysis.trees.tree import Bound, Node, SearchTree, ValueSource
from plyboard.errors import UsageError
from plyboard.games import Position
from plyboard.search.common.choice import Choice
from plyboard.search.common.events import EventKind, Events

Log = NDArray[np.int64]
VISITS = 10  # a first estimate of how often a node is reached


def build_tree(
    position: Position,
    choice: Choice,
    depth: int | None = None,
    plies: int | None = None,
    most: int | None = None,
) -> SearchTree:
    """Return the tree of a choice that has its events.

    `depth` selects an iteration of iterative deepening, `plies` limits the plies shown, and `most`
    limits the number of nodes by showing fewer plies.
    """
    events = choice.events
    if events is None:
        raise UsageError("no events", got="a choice alone", expected="that of an explained search")
    log, shown_depth, is_whole = _round(events, choice, depth)
    made = log[log[:, 0] == EventKind.NODE, 1]
    deepest = _deepest(made, plies, most and most * VISITS)
    root = TreeBuilder(log, deepest, position).build()
    if most is not None:  # each node now counts once
        fitting = _deepest(np.array([node.ply for node in root.walk()]), deepest, most)
        if fitting < deepest:
            deepest, root = fitting, TreeBuilder(log, fitting, position).build()
    if events.halves:
        _order_by_score(root, choice)
    _mark_best(root, choice)
    _bound(root, root.mover)
    scale, halves = events.scale, events.halves
    return SearchTree(position, choice, root, shown_depth, deepest, is_whole, scale, halves)


def _round(events: Events, choice: Choice, depth: int | None) -> tuple[Log, int, bool]:
    """Return the events of one iteration, its depth, and whether they are complete."""
    log = events.log[: len(events)]
    starts = np.flatnonzero(log[:, 0] == EventKind.ITERATION).tolist()
    if not starts:
        if depth is not None:
            raise UsageError(
                f"no round of depth {depth}", got="one search", expected="one that deepens"
            )
        return log, 0, events.dropped == 0
    ends = [*starts[1:], len(log)]
    depths = [int(log[start, 3]) for start in starts]
    whole = [True] * (len(starts) - 1) + [events.dropped == 0]
    if depth is not None and depth not in depths:
        known = ", ".join(map(str, depths))
        raise UsageError(f"no round of depth {depth}", got=f"'{depth}'", expected=f"one of {known}")
    wanted = [
        index for index in range(len(starts))
        if (depths[index] == depth if depth else depths[index] <= choice.depth and whole[index])
    ]  # fmt: skip
    chosen = wanted[-1] if wanted else len(starts) - 1
    return log[starts[chosen] + 1 : ends[chosen]], depths[chosen], whole[chosen]


def _deepest(made: NDArray[np.int64], plies: int | None, most: int | None) -> int:
    """Return the deepest ply to show, given the plies of all moves."""
    counts = np.bincount(made)
    deepest = len(counts) - 1 if plies is None else min(plies, len(counts) - 1)
    if most is not None:
        fitting = int(np.searchsorted(np.cumsum(counts), most, side="right")) - 1
        deepest = min(deepest, max(fitting, 1))
    return max(deepest, 0)


class TreeBuilder:
    """Builds the nodes from the events of one iteration."""

    def __init__(self, log: Log, deepest: int, position: Position) -> None:
        self.log, self.deepest, self.rules = log, deepest, position.game.rules
        self.adds_up = bool((log[:, 0] == EventKind.SIMULATION).any())
        self.root = Node(-1, 0, position.mover, visits=1, state=position.state)
        self.path = [self.root]

    def build(self) -> Node:
        """Apply all events and return the root."""
        for kind, ply, action, value, alpha, beta in self.log.tolist():
            if kind == EventKind.SIMULATION:
                self._simulated(ply, action, value)
            elif ply > self.deepest:
                if kind == EventKind.NODE:
                    self._hide(ply, action)
            elif kind == EventKind.NODE:
                self._enter(ply, action)
            else:
                node = self._at(ply, action)
                if node is not None:
                    self._note(node, kind, value, alpha, beta)
        if self.adds_up:
            for node in self.root.walk():
                games = sorted(node.children.items(), key=lambda item: -item[1].simulations)
                node.children = dict(games)
        return self.root

    def _hide(self, ply: int, action: int) -> None:
        """Count a move that is too deep to show."""
        node = self.path[-1]
        node.hidden += 1
        if ply == node.ply + 1:
            node.tried |= 1 << action

    def _enter(self, ply: int, action: int) -> Node | None:
        """Go to a child of a node on the current path; None if its parent is not there."""
        if ply == 0:
            self.path = [self.root]
            return self.root
        if ply > len(self.path):
            return None
        del self.path[ply:]
        parent = self.path[-1]
        parent.window = None
        node = parent.children.get(action)
        if node is None:
            node = parent.children[action] = self._child(parent, action)
        elif not self.adds_up:
            fresh = Node(action, ply, node.mover, parent, visits=node.visits, state=node.state)
            node = parent.children[action] = fresh
        node.visits += 1
        self.path.append(node)
        return node

    def _child(self, parent: Node, action: int) -> Node:
        """Return a new node after a move; its state is found only if the mover depends on it."""
        ply, rules = parent.ply + 1, self.rules
        if rules.alternates:
            return Node(action, ply, 1 - parent.mover, parent)
        state = rules.play(parent.state, action)
        return Node(action, ply, rules.mover(state), parent, state=state)

    def _at(self, ply: int, action: int) -> Node | None:
        if ply == 0 or (ply < len(self.path) and self.path[ply].action == action):
            del self.path[ply + 1 :]
            return self.path[-1]
        return self._enter(ply, action)

    def _note(self, node: Node, kind: int, value: int, alpha: int, beta: int) -> None:
        sign = 1 if node.mover == self.root.mover else -1
        window = (alpha, beta) if sign == 1 else (-beta, -alpha)
        if kind == EventKind.DUPLICATE:
            node.source, node.symmetry = ValueSource.DUPLICATE, value
            return
        node.number = sign * value
        if kind == EventKind.LEAF:
            node.source = ValueSource.LEAF
        elif kind == EventKind.EXPECTATION:
            node.source = ValueSource.MEAN
        elif kind == EventKind.TABLE_HIT:
            node.source, node.bound = ValueSource.TABLE, _known(node.number, window)
        elif kind == EventKind.CUTOFF:
            node.source, node.window = ValueSource.SEARCHED, window
        elif kind == EventKind.RETURNED and node.source is ValueSource.OPEN:
            node.source = ValueSource.SEARCHED

    def _simulated(self, plies: int, action: int, result: int) -> None:
        """Back up the result of a game of so many plies along the current path."""
        if len(self.path) == 1:
            self._enter(1, action)
        for node in self.path:
            node.source = ValueSource.SIMULATED
            node.simulations += 1
            node.total += result
            node.score += result / 2 ** max(plies - 1 - node.ply, 0)
        self.path = [self.root]


def _order_by_score(root: Node, choice: Choice) -> None:
    """Sort the moves of each node, the best for its mover first.

    The scores of the root's moves come from the choice, as the log of events may be incomplete.
    """
    for action, child in root.children.items():
        child.score = choice.values.get(action, child.score)
    for node in root.walk():
        is_mine = node.mover == root.mover
        best_first = sorted(node.children.values(), key=lambda child: child.score, reverse=is_mine)
        node.children = {child.action: child for child in best_first}


def _known(number: int, window: tuple[int, int]) -> Bound:
    """Return the bound of a value from the table; without a window it is exact."""
    if window[0] >= window[1]:
        return Bound.EXACT
    if number >= window[1]:
        return Bound.LOWER
    return Bound.UPPER if number <= window[0] else Bound.EXACT


def _bound(node: Node, player: int) -> None:
    """Set the bounds of searched nodes, from the leaves up.

    After a cutoff the value is a lower bound for the mover. Otherwise the bound is that of the best
    move; if no move is known to reach the value, it is an upper bound.
    """
    for child in node.children.values():
        _bound(child, player)
    if node.source is not ValueSource.SEARCHED or node.number is None:
        return
    if node.is_skipped:  # by mate distance: no win is so near, or no loss
        node.bound = Bound.UPPER if node.number > 0 else Bound.LOWER
        return
    is_mine = node.mover == player
    low, high = (Bound.LOWER, Bound.UPPER) if is_mine else (Bound.UPPER, Bound.LOWER)
    reached = [
        child.bound for child in node.children.values()
        if child.number is not None
        and (child.number >= node.number if is_mine else child.number <= node.number)
    ]  # fmt: skip
    if node.window is not None:
        node.bound = low
    elif node.hidden or Bound.UNKNOWN in reached:
        node.bound = Bound.UNKNOWN
    elif Bound.EXACT in reached:
        node.bound = Bound.EXACT
    else:
        node.bound = low if low in reached else high


def _mark_best(root: Node, choice: Choice) -> None:
    """Mark the principal variation, as far as it is in the tree."""
    node: Node | None = root
    for action in choice.line or (choice.action,):
        node = node.children.get(action) if node else None
        if node:
            node.is_best = True
    first = root.children.get(choice.action)
    if root.number is None and first is not None and first.number is not None:
        root.source, root.number = (
            ValueSource.SEARCHED,
            first.number,
        )  # not every search logs its root
