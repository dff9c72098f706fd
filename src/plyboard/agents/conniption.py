"""The agent conniption: deepening alpha-beta by line and flip weights."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from plyboard.agents.agent import NO_LIMIT, check_turn
from plyboard.evaluate.conniption_lines import conniption_lines
from plyboard.games import Position
from plyboard.games.game import values_of
from plyboard.search.alpha_beta import deepen
from plyboard.search.budget import Budget
from plyboard.search.choice import Choice
from plyboard.search.events import Events

FIRST_DEPTH, SECOND_DEPTH = 6, 5


@dataclass(frozen=True)
class ConniptionAgent:
    """Looks some plies ahead: six if it began the game, else five.

    A win that it sees is one in the fewest plies. All guesses are its own, as the player to move
    at the root sees the lines and flips.
    """

    own: Budget = NO_LIMIT
    name: str = "conniption"

    games: ClassVar[tuple[str, ...]] = ("conniption",)

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the best move at its depth; chance has no part in it."""
        return self._search(position, budget)

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return its choice with all that the search did."""
        return self._search(position, budget, Events())

    def _search(self, position: Position, budget: Budget, events: Events | None = None) -> Choice:
        check_turn(position, self.name, self.games)
        player, limits = position.mover, budget.within(self.own)
        if limits.depth is None:
            limits = replace(limits, depth=SECOND_DEPTH if player else FIRST_DEPTH)
        size = values_of(position.game)
        evaluation = conniption_lines(size["columns"], size["rows"], player)
        return deepen(position, evaluation, limits, events=events)
