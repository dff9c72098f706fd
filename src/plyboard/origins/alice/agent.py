"""The agent alice: textbook alpha-beta to four plies, evaluating open lines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from plyboard.agents.agent import NO_LIMIT, check_turn
from plyboard.games import Position
from plyboard.games.game import values_of
from plyboard.origins.alice.open_lines import open_lines
from plyboard.origins.alice.textbook import textbook_alpha_beta
from plyboard.search.common.budget import DEEPEST, Budget
from plyboard.search.common.choice import Choice
from plyboard.search.common.events import Events
from plyboard.specs import OneOf, Parameter, Setting

DEFAULT_BUDGET = Budget(depth=4)
WON = 1000


@dataclass(frozen=True)
class Alice:
    """Plays the lowest-numbered column among the best at its depth.

    A win is worth 1000 at any distance; open lines of two and three are worth 1 and 5.
    """

    strict: str = "no"  # whether to count only lines that can still be completed
    budget: Budget = DEFAULT_BUDGET
    name: str = "alice"

    about: ClassVar[str] = "four-ply alpha-beta that counts open lines of two and three"
    settings: ClassVar[tuple[Setting, ...]] = (
        Parameter("depth", 4, 1, DEEPEST),
        OneOf("strict", "no", ("no", "yes")),
    )
    games: ClassVar[tuple[str, ...]] = ("connect-four",)
    reads: ClassVar[str] = "alice-bill"
    compiles: ClassVar[bool] = True

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the best move at its depth; it ignores the seed."""
        return self._search(position, budget)

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return its choice with all events of the search."""
        return self._search(position, budget, Events())

    def _search(self, position: Position, budget: Budget, events: Events | None = None) -> Choice:
        check_turn(position, self.name, self.games)
        limits = budget.within(self.budget)
        if limits.depth is None:
            limits = replace(limits, depth=DEFAULT_BUDGET.depth)
        evaluation = open_lines(**values_of(position.game), strict=self.strict == "yes")
        return textbook_alpha_beta(position, evaluation, limits, WON, events)
