"""The agent jericho: the random branches of Four In A Row, for any game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from plyboard.agents.agent import NO_LIMIT, check_turn
from plyboard.games import Position
from plyboard.search import jericho
from plyboard.search.budget import Budget
from plyboard.search.choice import Choice
from plyboard.search.events import Events


@dataclass(frozen=True)
class Jericho:
    """Plays the move with the largest sum of scores over random branches, 3000 if not told.

    With `keep` it goes on with its tree after each reply, as the program did that it comes from,
    so a choice then depends on those before: make one for each game.
    """

    hash: int = 64  # MiB of tree
    keep: str = "no"
    own: Budget = NO_LIMIT
    name: str = "jericho"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the move with the largest sum."""
        check_turn(position, self.name)
        return self._search.search(position, self._limits(budget))

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return its choice with all branches, from a tree that begins anew."""
        check_turn(position, self.name)
        return jericho.Jericho(self.hash).search(position, self._limits(budget), Events())

    def _limits(self, budget: Budget) -> Budget:
        return budget.within(self.own).or_else(jericho.USUAL)

    @cached_property
    def _search(self) -> jericho.Jericho:
        return jericho.Jericho(self.hash, keep=self.keep == "yes")
