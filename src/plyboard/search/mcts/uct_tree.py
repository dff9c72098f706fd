"""The tree of a UCT search: its memory, its root and its best moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plyboard.errors import UnusableError
from plyboard.games import Position, spec_of
from plyboard.search.common.boundary import ready
from plyboard.search.common.choice import WIN, Choice, plies_to_end
from plyboard.search.common.successors import actions_between, actions_since, node_after
from plyboard.search.mcts.uct_loop import (
    ACTION,
    AGAIN,
    CHILD_COUNT,
    FACTS,
    LINK,
    POINTS,
    PROVED,
    PROVED_WIN,
    SHIFT,
    TOTAL,
    VISITS,
    fields_of,
    subtree_copier,
)

Rows = NDArray[np.int64]


@dataclass(frozen=True)
class UctChild:
    """A child of a node, with its value for the player who moves to it."""

    node: int
    action: int
    visits: int
    value: float  # as in a choice
    proved: bool

    @property
    def is_tried(self) -> bool:
        """Whether it was visited or has a proved value."""
        return self.proved or self.visits > 0


class UctTree:
    """A tree in an array of fixed size. With `spare` half of the memory is for `advance`."""

    def __init__(self, position: Position, mebibytes: int, *, spare: bool = False) -> None:
        self.position = position
        self._rules = position.game.rules
        self._size = fields_of(self._rules)
        self.rows = (mebibytes << 20) // (8 * self._size) // (2 if spare else 1)
        self.used = 1  # the root
        self.array = self._allocate(mebibytes)
        self._spare = self._allocate(mebibytes) if spare else None

    def _allocate(self, mebibytes: int) -> Rows:
        try:
            return np.zeros(self.rows * self._size, dtype=np.int64)
        except MemoryError:
            raise UnusableError(
                f"no memory for a tree of {mebibytes} MiB; try a smaller one"
            ) from None

    def advance(self, position: Position) -> UctTree | None:
        """Make a later position the root; return None if it is not in the tree.

        A position that does not know the moves since may be at most two moves later. Returns the
        same tree, which needs spare memory for that.
        """
        if self._spare is None or spec_of(position.game) != spec_of(self.position.game):
            return None
        steps = actions_since(self.position.state, position)
        if steps is None:
            steps = actions_between(self._rules, self.position.state, position.state)
        node = None if steps is None else node_after(steps, self.children)
        if node is None:
            return None
        self.used = int(ready(subtree_copier, self._rules)(self.array, node, self._spare))
        self.array, self._spare = self._spare, self.array
        self.position = position
        return self

    @property
    def is_proved(self) -> bool:
        """Whether the value of the root is proved."""
        return self._is_proved(0)

    def _is_proved(self, node: int) -> bool:
        return bool(int(self.array[node * self._size + FACTS]) & PROVED)

    def children(self, node: int = 0) -> Iterator[UctChild]:
        """Yield the children of a node, in the order of the game."""
        link = int(self.array[node * self._size + LINK])
        for child in range(link >> SHIFT, (link >> SHIFT) + (link & CHILD_COUNT)):
            row = self.array[child * self._size : (child + 1) * self._size].tolist()
            proved = bool(row[FACTS] & PROVED)
            sign = 1 if row[FACTS] & AGAIN else -1
            value = self._proved_value(sign * (row[FACTS] >> SHIFT)) if proved else self._mean(row)
            yield UctChild(child, row[FACTS] & ACTION, row[VISITS], value, proved)

    def _proved_value(self, number: int) -> float:
        if self._rules.has_points or number == 0:
            return float(number)
        plies = PROVED_WIN - abs(number) + 1
        return WIN - plies if number > 0 else plies - WIN

    def _mean(self, row: list[int]) -> float:
        total = row[POINTS] if self._rules.has_points else row[TOTAL]
        return total / max(row[VISITS], 1)

    def best(self, node: int = 0) -> UctChild | None:
        """Return the best child: the most visited, unless one with a proved value is as good."""
        children = list(self.children(node))
        proved = max((child for child in children if child.proved), key=_value, default=None)
        tried = max((child for child in children if not child.proved), key=_visits, default=None)
        if proved is None or tried is None:
            return proved or tried
        return proved if self._is_proved(node) or proved.value >= tried.value else tried

    def choice(self) -> Choice:
        """Return the best move of the root, with its principal variation and the values of all."""
        best = self.best()
        assert best is not None, "the root has no children"
        values = {child.action: child.value for child in self.children() if child.is_tried}
        plies = None if self._rules.has_points else plies_to_end(best.value)
        is_sharp = plies is None or plies == 1  # there may be a faster win or loss
        exact = best.proved and self.is_proved and is_sharp
        return Choice(best.action, best.value, tuple(self._line()), exact=exact, values=values)

    def _line(self) -> Iterator[int]:
        child = self.best()
        while child is not None and child.is_tried:
            yield child.action
            child = self.best(child.node)


def _value(child: UctChild) -> float:
    return child.value


def _visits(child: UctChild) -> tuple[int, float]:
    return child.visits, child.value
