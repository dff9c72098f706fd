"""The tree of a search, built from its events.

All values are for the player to move at the root. The tree shows one iteration of iterative
deepening, by default the last finished one. If a node was searched again, the last time counts;
simulations add up. Where the search chooses by the sum of scores, that sum is the value.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from plyboard.errors import UsageError
from plyboard.games import Position
from plyboard.games.rules import State
from plyboard.search.alpha_beta.principal_variation import INFINITE, PROVED_BEYOND, WON
from plyboard.search.common.choice import Choice
from plyboard.search.common.events import EventKind, Events

Log = NDArray[np.int64]
VISITS = 10  # a first estimate of how often a node is reached
LEAST_DECIMALS, MOST_DECIMALS = 3, 50  # of a score


class ValueSource(Enum):
    """How a node got its value."""

    OPEN = "open"  # reached, without a value
    SEARCHED = "searched"  # from its moves, by minimax
    LEAF = "leaf"  # by the rules or the evaluation
    TABLE = "known"  # from the transposition table
    DUPLICATE = "duplicate"  # equal to another node, perhaps by a symmetry
    MEAN = "mean"  # the mean of its moves
    SIMULATED = "played"  # from simulated games


class Bound(Enum):
    """What a value says, for the player to move at the root."""

    EXACT = "="
    LOWER = ">="
    UPPER = "<="
    UNKNOWN = ""  # the nodes that decide are not shown


@dataclass(slots=True, eq=False)
class Node:
    """A position that a search reached, with its events.

    Numbers are those of the events, from the point of view of the player to move at the root.
    """

    action: int  # the move to it; -1 at the root
    ply: int
    parent: Node | None = None
    children: dict[int, Node] = field(default_factory=dict)  # by action, in the order of the search
    source: ValueSource = ValueSource.OPEN
    number: int | None = None
    bound: Bound = Bound.EXACT
    window: tuple[int, int] | None = None  # alpha and beta if moves were pruned
    visits: int = 0
    simulations: int = 0
    total: int = 0  # of the results of the simulations
    score: float = 0.0  # the same, each halved with every ply up, if the search uses such sums
    symmetry: int = 0  # to the equal node
    hidden: int = 0  # moves below it that are not shown
    tried: int = 0  # the actions of hidden moves made here, one bit each
    is_best: bool = False  # whether it is on the principal variation
    state: State = ()

    @property
    def is_skipped(self) -> bool:
        """Whether the search left it at once without searching a move."""
        return self.source is ValueSource.SEARCHED and not self.children and not self.hidden

    def walk(self) -> Iterator[Node]:
        """Yield this node and its descendants in preorder."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children.values()))


@dataclass(frozen=True)
class SearchTree:
    """The nodes of a search from one position, and their texts."""

    position: Position
    choice: Choice
    root: Node
    depth: int  # of the iteration shown; 0 without iterative deepening
    plies: int  # the deepest ply shown
    is_whole: bool  # whether all events of the iteration were logged
    scale: int
    has_scores: bool = False  # whether the value of simulations is the sum of scores

    def position_of(self, node: Node) -> Position:
        """Return the position of a node, with the previous one."""
        if node.parent is None:
            return self.position
        before = node.parent.state or self.position_of(node.parent).state
        if not node.state:
            node.state = self.position.game.rules.play(before, node.action)
        parent = Position.of(self.position.game, before)
        return Position.of(self.position.game, node.state, parent, node.action)

    def pruned(self, node: Node) -> list[str]:
        """Return the moves pruned at a node."""
        if node.window is None:
            return []
        game = self.position.game
        actions = self.position_of(node).legal_actions()
        return [
            game.write(action) for action in actions
            if action not in node.children and not node.tried >> action & 1
        ]  # fmt: skip

    def number_text(self, number: int) -> str:
        """Return a value as text: `-3`, `0.25`, `win in 5`."""
        if not self.position.game.rules.has_points and PROVED_BEYOND < abs(number) <= WON:
            return f"{'win' if number > 0 else 'loss'} in {WON - abs(number)}"
        text = f"{number / self.scale:.3f}".rstrip("0").rstrip(".")
        return "0" if text == "-0" else text

    def bound_text(self, number: int) -> str:
        """Return alpha or beta as text; it may be infinite."""
        if abs(number) >= INFINITE:
            return "inf" if number > 0 else "-inf"
        return self.number_text(number)

    def value(self, node: Node) -> str:
        """Return the value of a node as text; "" if it has none."""
        if node.simulations:
            return self._score(node) if self.has_scores else f"{self.mean(node):+.3f}"
        return "" if node.number is None else self.number_text(node.number)

    def mean(self, node: Node) -> float:
        """Return the mean result of the games through a node."""
        return node.total / node.simulations / self.scale

    def games(self, node: Node) -> str:
        """Return the number of games through a node as text."""
        return f"{node.simulations} game{'s' * (node.simulations != 1)}"

    def verdict(self) -> str:
        """Return the value of the chosen move as text; "" if it is not known."""
        first = self.root.children.get(self.choice.action)
        if self.has_scores and first is not None:
            return f"score {self.value(first)}"
        return self.value(self.root)

    def _score(self, node: Node) -> str:
        """Return a score with enough decimals to differ from its siblings."""
        beside = node.parent.children.values() if node.parent else [node]
        scores = {each.score for each in beside}
        decimals = LEAST_DECIMALS
        while decimals < MOST_DECIMALS and len({f"{x:.{decimals}f}" for x in scores}) < len(scores):
            decimals += 1
        return f"{node.score:+.{decimals}f}"

    def sign(self, node: Node) -> int:
        """Return 1 if a node is good for the player at the root, -1 if bad, else 0."""
        played = node.score if self.has_scores else node.total
        worth = played if node.simulations else node.number or 0
        return (worth > 0) - (worth < 0)

    def ending(self, node: Node) -> str:
        """Return how the game ends at a leaf as text; "" if it does not end."""
        if node.source not in (ValueSource.LEAF, ValueSource.SIMULATED) or node.children:
            return ""
        position = self.position_of(node)
        outcome = position.outcome()
        if outcome is None:
            return ""
        players = position.game.players
        return "a draw" if outcome.winner is None else f"{players[outcome.winner]} wins"

    def best_line(self) -> list[Node]:
        """Return the nodes of the principal variation, without the root."""
        return [node for node in self._down(self.root) if node is not self.root]

    def _down(self, node: Node | None) -> Iterator[Node]:
        while node is not None:
            yield node
            node = next((child for child in node.children.values() if child.is_best), None)


def build(
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
    root = TreeBuilder(log, deepest).build()
    if most is not None:  # each node now counts once
        fitting = _deepest(np.array([node.ply for node in root.walk()]), deepest, most)
        if fitting < deepest:
            deepest, root = fitting, TreeBuilder(log, fitting).build()
    root.state = position.state
    if events.halves:
        _order_by_score(root, choice)
    _mark_best(root, choice)
    _bound(root)
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

    def __init__(self, log: Log, deepest: int) -> None:
        self.log, self.deepest = log, deepest
        self.adds_up = bool((log[:, 0] == EventKind.SIMULATION).any())
        self.root = Node(-1, 0, visits=1)
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
            node = parent.children[action] = Node(action, ply, parent)
        elif not self.adds_up:
            fresh = Node(action, ply, parent, visits=node.visits)
            node = parent.children[action] = fresh
        node.visits += 1
        self.path.append(node)
        return node

    def _at(self, ply: int, action: int) -> Node | None:
        if ply == 0 or (ply < len(self.path) and self.path[ply].action == action):
            del self.path[ply + 1 :]
            return self.path[-1]
        return self._enter(ply, action)

    def _note(self, node: Node, kind: int, value: int, alpha: int, beta: int) -> None:
        sign = 1 if node.ply % 2 == 0 else -1
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
        is_mine = node.ply % 2 == 0
        best_first = sorted(node.children.values(), key=lambda child: child.score, reverse=is_mine)
        node.children = {child.action: child for child in best_first}


def _known(number: int, window: tuple[int, int]) -> Bound:
    """Return the bound of a value from the table; without a window it is exact."""
    if window[0] >= window[1]:
        return Bound.EXACT
    if number >= window[1]:
        return Bound.LOWER
    return Bound.UPPER if number <= window[0] else Bound.EXACT


def _bound(node: Node) -> None:
    """Set the bounds of searched nodes, from the leaves up.

    After a cutoff the value is a lower bound for the mover. Otherwise the bound is that of the best
    move; if no move is known to reach the value, it is an upper bound.
    """
    for child in node.children.values():
        _bound(child)
    if node.source is not ValueSource.SEARCHED or node.number is None:
        return
    is_mine = node.ply % 2 == 0
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
