"""Jericho, slow: nodes with a score and children by action, and a recursion down each branch."""

from __future__ import annotations

from dataclasses import dataclass, field

from plyboard.games import Position
from plyboard.kernel import FULL

GOLDEN = 0x9E3779B97F4A7C15


@dataclass
class Chance:
    """SplitMix64: random words, each turned into a number below a bound by its upper half."""

    seed: int

    def below(self, bound: int) -> int:
        self.seed = (self.seed + GOLDEN) & FULL
        word = self.seed
        word = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & FULL
        word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) & FULL
        word ^= word >> 31
        return (word >> 32) * bound >> 32


@dataclass
class Node:
    """A game turn: its score, and its children in the order in which they were made."""

    score: float = 0.0
    visits: int = 0
    children: dict[int, Node] = field(default_factory=dict)

    def all(self) -> dict[tuple[int, ...], tuple[float, int]]:
        """Return the score and the visits of every node, by the actions that lead to it."""
        found: dict[tuple[int, ...], tuple[float, int]] = {(): (self.score, self.visits)}
        for action, child in self.children.items():
            found |= {(action, *further): facts for further, facts in child.all().items()}
        return found


def branch(node: Node, position: Position, player: int, chance: Chance) -> tuple[float, list[int]]:
    """Grow one branch; return what the node hands up, and the actions of the branch."""
    node.visits += 1
    outcome = position.outcome()
    if outcome is not None:
        result = 0.0 if outcome.winner is None else 1.0 if outcome.winner == player else -1.0
        node.score += result
        return result, []
    actions = position.legal_actions()
    action = actions[chance.below(len(actions))]
    child = node.children.setdefault(action, Node())
    value, rest = branch(child, position.apply_action(action), player, chance)
    node.score += value
    return value / 2, [action, *rest]


def grow(
    position: Position, iterations: int, seed: int, root: Node | None = None
) -> tuple[Node, list[list[int]]]:
    """Return the tree after so many branches, and the branches."""
    root, chance = root or Node(), Chance(seed)
    branches = [branch(root, position, position.mover, chance)[1] for _ in range(iterations)]
    return root, branches


def best_action(root: Node) -> int:
    """Return the action with the largest score; the first made of those alike."""
    return max(root.children, key=lambda action: root.children[action].score)
