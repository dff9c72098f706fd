"""The agent conniption: iterative deepening with line and flip weights."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from plyboard.agents.agent import NO_LIMIT, check_turn
from plyboard.agents.settings import DEPTH
from plyboard.games import Game, Position
from plyboard.games.game import values_of
from plyboard.origins.conniption.lines import conniption_lines
from plyboard.search.alpha_beta.iterative_deepening import AlphaBeta
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice
from plyboard.search.common.events import Events
from plyboard.specs import Setting

FIRST_DEPTH, SECOND_DEPTH = 6, 5


@dataclass(frozen=True)
class ConniptionAgent:
    """Searches six plies if it began the game, else five.

    It prefers the fastest win. Positions are evaluated from the view of the player to move at the
    root.
    """

    budget: Budget = NO_LIMIT
    name: str = "conniption"

    about: ClassVar[str] = "alpha-beta, six plies (five as second player); counts lines and flips"
    settings: ClassVar[tuple[Setting, ...]] = (DEPTH,)
    games: ClassVar[tuple[str, ...]] = ("conniption",)
    compiles: ClassVar[bool] = True

    def searcher(self, game: Game) -> ConniptionSearcher:
        """Return a search with its own table."""
        return ConniptionSearcher(self)

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the best move at its depth; it ignores the seed."""
        return self.searcher(position.game).choose(position, budget)

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return its choice with all events of the search."""
        return self.searcher(position.game).explain(position, budget)


class ConniptionSearcher:
    """The alpha-beta search of this agent."""

    def __init__(self, agent: ConniptionAgent) -> None:
        self.agent, self.alpha_beta = agent, AlphaBeta()

    def choose(
        self, position: Position, budget: Budget = NO_LIMIT, events: Events | None = None
    ) -> Choice:
        """Return the best move at its depth."""
        check_turn(position, self.agent.name, self.agent.games)
        player, limits = position.mover, budget.within(self.agent.budget)
        if limits.depth is None:
            limits = replace(limits, depth=SECOND_DEPTH if player else FIRST_DEPTH)
        size = values_of(position.game)
        evaluation = conniption_lines(size["columns"], size["rows"], player)
        return self.alpha_beta.search(position, evaluation, limits, events)

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return its choice with all events of the search."""
        return self.choose(position, budget, Events())
