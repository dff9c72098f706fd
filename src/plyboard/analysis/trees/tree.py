"""The tree of a search. All values are for the player to move at the root."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from plyboard.games import Position
from plyboard.games.rules import State
from plyboard.search.alpha_beta.principal_variation import INFINITE, PROVED_BEYOND, WON
from plyboard.search.common.choice import Choice

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
    mover: int  # the player to move
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
    def maker(self) -> int:
        """The player who made the move to it; at the root the one to move."""
        return self.mover if self.parent is None else self.parent.mover

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

    def move_text(self, node: Node) -> str:
        """Return the text of the move that led to a node; "" for the root."""
        before = self.position_of(node).before
        return "" if node.parent is None or before is None else before.move_text(node.action)

    def pruned(self, node: Node) -> list[str]:
        """Return the moves pruned at a node."""
        if node.window is None:
            return []
        position = self.position_of(node)
        return [
            position.move_text(action) for action in position.legal_actions()
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

    def _repr_html_(self) -> str:
        from plyboard.analysis.trees.to_notebook import notebook_html

        return notebook_html(self)

    def best_line(self) -> list[Node]:
        """Return the nodes of the principal variation, without the root."""
        return [node for node in self._down(self.root) if node is not self.root]

    def _down(self, node: Node | None) -> Iterator[Node]:
        while node is not None:
            yield node
            node = next((child for child in node.children.values() if child.is_best), None)
