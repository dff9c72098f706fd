"""The agent mcts: Monte Carlo tree search with random games, for any game."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from plyboard.agents.agent import NO_LIMIT, check_turn
from plyboard.games import Position
from plyboard.search.budget import Budget
from plyboard.search.choice import Choice
from plyboard.search.events import Events
from plyboard.search.uct import USUAL, Settings, Uct


@dataclass(frozen=True)
class Mcts:
    """Simulates games, more of them where moves promise more, and takes what is proved.

    With `keep` it goes on with its tree from move to move, so a choice then depends on those
    before: make one for each game.
    """

    exploration: int = 100  # hundredths
    hash: int = 64  # MiB of tree
    threads: int = 1
    keep: str = "no"
    own: Budget = NO_LIMIT
    name: str = "mcts"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the move proved best, or else the one most simulations went to."""
        check_turn(position, self.name)
        return self._search.search(position, self._limits(budget))

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return its choice with all simulations, from a tree that begins anew."""
        check_turn(position, self.name)
        return Uct(self._settings).search(position, self._limits(budget), Events())

    def _limits(self, budget: Budget) -> Budget:
        return budget.within(self.own).or_else(USUAL)

    @property
    def _settings(self) -> Settings:
        return Settings(self.hash, self.threads, self.exploration / 100)

    @cached_property
    def _search(self) -> Uct:
        return Uct(self._settings, keep=self.keep == "yes")
