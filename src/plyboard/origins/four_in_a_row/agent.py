"""The agent jericho: the random branches of Four In A Row, for any game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from plyboard.agents.agent import NO_LIMIT, check_turn
from plyboard.agents.settings import HASH, NODES, SECONDS, SIMULATIONS
from plyboard.games import Game, Position
from plyboard.origins.four_in_a_row import jericho
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice
from plyboard.search.common.events import Events
from plyboard.specs import OneOf, Setting


@dataclass(frozen=True)
class JerichoAgent:
    """Plays the move with the largest sum of scores over random branches, 3000 by default.

    With `keep` a bot reuses its tree after each reply, as the original program did, so a choice
    depends on earlier ones.
    """

    hash: int = 64  # MiB of tree
    keep: str = "no"
    budget: Budget = NO_LIMIT
    name: str = "jericho"

    about: ClassVar[str] = "Monte Carlo search of the original four in a row: 3000 random games"
    settings: ClassVar[tuple[Setting, ...]] = (
        SECONDS,
        NODES,
        SIMULATIONS,
        HASH,
        OneOf("keep", "no", ("no", "yes")),
    )
    compiles: ClassVar[bool] = True

    def searcher(self, game: Game) -> JerichoSearcher:
        """Return a search with its own tree."""
        return JerichoSearcher(self)

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the move with the largest sum."""
        return self.searcher(position.game).choose(position, budget)

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return its choice with all branches, from a new tree."""
        return self.searcher(position.game).explain(position, budget)


class JerichoSearcher:
    """The tree search of this agent; with `keep` it reuses its tree from move to move."""

    def __init__(self, agent: JerichoAgent) -> None:
        self.agent = agent
        self.tree_search = jericho.JerichoSearch(agent.hash, keep=agent.keep == "yes")

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the move with the largest sum."""
        check_turn(position, self.agent.name)
        return self.tree_search.search(position, self._limits(budget))

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return its choice with all branches, from a new tree."""
        check_turn(position, self.agent.name)
        return jericho.JerichoSearch(self.agent.hash).search(
            position, self._limits(budget), Events()
        )

    def _limits(self, budget: Budget) -> Budget:
        return budget.within(self.agent.budget).or_else(jericho.USUAL)
