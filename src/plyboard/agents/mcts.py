"""The agent mcts: Monte Carlo tree search with random rollouts, for any game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from plyboard.agents.agent import NO_LIMIT, check_turn
from plyboard.games import Game, Position
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice
from plyboard.search.common.events import Events
from plyboard.search.mcts.uct import USUAL, Uct, UctSettings


@dataclass(frozen=True)
class Mcts:
    """UCT with random rollouts and proven wins (MCTS-Solver).

    With `keep` a bot reuses its tree from move to move, so a choice depends on earlier ones.
    """

    exploration: int = 100  # hundredths
    hash: int = 64  # MiB of tree
    threads: int = 1
    keep: str = "no"
    budget: Budget = NO_LIMIT
    name: str = "mcts"

    compiles: ClassVar[bool] = True

    def searcher(self, game: Game) -> MctsSearcher:
        """Return a search with its own tree."""
        return MctsSearcher(self)

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the move that is proved best, else the most visited one."""
        return self.searcher(position.game).choose(position, budget)

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return its choice with all simulations, from a new tree."""
        return self.searcher(position.game).explain(position, budget)


class MctsSearcher:
    """The tree search of this agent; with `keep` it reuses its tree from move to move."""

    def __init__(self, agent: Mcts) -> None:
        self.agent = agent
        self.settings = UctSettings(agent.hash, agent.threads, agent.exploration / 100)
        self.uct = Uct(self.settings, keep=agent.keep == "yes")

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the move that is proved best, else the most visited one."""
        check_turn(position, self.agent.name)
        return self.uct.search(position, self._limits(budget))

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return its choice with all simulations, from a new tree."""
        check_turn(position, self.agent.name)
        return Uct(self.settings).search(position, self._limits(budget), Events())

    def _limits(self, budget: Budget) -> Budget:
        return budget.within(self.agent.budget).or_else(USUAL)
