"""The agent extended: iterative deepening, evaluating points and open windows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from plyboard.agents.agent import NO_LIMIT, check_turn
from plyboard.agents.settings import DEPTH, HASH, NODES, SECONDS
from plyboard.evaluate.window_potential import window_potential
from plyboard.games import Game, Position
from plyboard.games.game import values_of
from plyboard.search.alpha_beta.iterative_deepening import AlphaBeta
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice
from plyboard.search.common.events import Events
from plyboard.specs import Setting

DEFAULT_BUDGET = Budget(seconds=1.0)
TO_EXPLAIN = Budget(depth=4)


@dataclass(frozen=True)
class ExtendedAgent:
    """Plays for the largest lead in points, as deep as the budget allows."""

    budget: Budget = NO_LIMIT
    hash: int = 64  # MiB of table
    name: str = "extended"

    about: ClassVar[str] = "alpha-beta that counts points and open windows"
    settings: ClassVar[tuple[Setting, ...]] = (SECONDS, DEPTH, NODES, HASH)
    games: ClassVar[tuple[str, ...]] = ("extended",)
    compiles: ClassVar[bool] = True

    def searcher(self, game: Game) -> ExtendedSearcher:
        """Return a search with its own table."""
        return ExtendedSearcher(self)

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the best move found within the budget."""
        return self.searcher(position.game).choose(position, budget)

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return its choice with all events of the search."""
        return self.searcher(position.game).explain(position, budget)


class ExtendedSearcher:
    """The alpha-beta search of this agent."""

    def __init__(self, agent: ExtendedAgent) -> None:
        self.agent, self.alpha_beta = agent, AlphaBeta(agent.hash)

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the best move found within the budget."""
        return self._search(position, budget, DEFAULT_BUDGET)

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return its choice with all events of the search."""
        return self._search(position, budget, TO_EXPLAIN, Events())

    def _search(
        self, position: Position, budget: Budget, usual: Budget, events: Events | None = None
    ) -> Choice:
        check_turn(position, self.agent.name, self.agent.games)
        size = values_of(position.game)
        evaluation = window_potential(size["columns"], size["rows"])
        limits = budget.within(self.agent.budget).or_else(usual)
        return self.alpha_beta.search(position, evaluation, limits, events)
