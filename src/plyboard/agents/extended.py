"""The agent extended: deepening alpha-beta by points and open windows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from plyboard.agents.agent import NO_LIMIT, check_turn
from plyboard.evaluate.run_windows import run_windows
from plyboard.games import Position
from plyboard.games.game import values_of
from plyboard.search.alpha_beta import deepen
from plyboard.search.budget import Budget
from plyboard.search.choice import Choice
from plyboard.search.events import Events

USUAL = Budget(seconds=1.0)
TO_EXPLAIN = Budget(depth=4)


@dataclass(frozen=True)
class ExtendedAgent:
    """Plays for the most points against somebody who does the same, as deep as time allows."""

    own: Budget = NO_LIMIT
    hash: int = 64  # MiB of table
    name: str = "extended"

    games: ClassVar[tuple[str, ...]] = ("extended",)

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the best move that the budget can find."""
        return self._search(position, budget, USUAL)

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return its choice with all that the search did."""
        return self._search(position, budget, TO_EXPLAIN, Events())

    def _search(
        self, position: Position, budget: Budget, usual: Budget, events: Events | None = None
    ) -> Choice:
        check_turn(position, self.name, self.games)
        size = values_of(position.game)
        evaluation = run_windows(size["columns"], size["rows"])
        limits = budget.within(self.own).or_else(usual)
        return deepen(position, evaluation, limits, self.hash, events=events)
