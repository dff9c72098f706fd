"""The engine: our strongest player of any game."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace

from plyboard.agents.agent import NO_LIMIT, check_turn
from plyboard.agents.levels import LEVELS, level_choice
from plyboard.evaluate import best_evaluation
from plyboard.games import Position
from plyboard.search.alpha_beta import deepen
from plyboard.search.budget import Budget
from plyboard.search.choice import Choice
from plyboard.search.events import Events
from plyboard.search.expected import reader_of
from plyboard.search.keeping import book_move, keeping_move
from plyboard.search.solver import Solver
from plyboard.search.solver_for import solver_for
from plyboard.search.traps import trapping

USUAL = Budget(seconds=1.0)
GLANCE = 0.12  # of the budget, for alpha-beta before the solver is asked
LONGEST_GLANCE = 3.0  # seconds


@dataclass(frozen=True)
class Engine:
    """Alpha-beta with our best evaluation; in Connect Four the book and the solver come first.

    In Squatter it sets traps for those who reply like somebody with a short view, and plays what
    others are most likely to fail against.

    A level from 1 to 10 plays on purpose like somebody weaker; 0 holds nothing back.
    """

    own: Budget = NO_LIMIT
    hash: int = 64  # MiB for all tables together
    threads: int = 1
    level: int = 0
    name: str = "engine"

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the best move that the budget can find."""
        check_turn(position, self.name)
        if self.level:
            return level_choice(position, LEVELS[self.level - 1], budget)
        limits = budget.within(self.own).or_else(USUAL)
        solver = solver_for(position.game, max(self.hash // 2, 1), self.threads)
        if limits.seconds is None and limits.nodes is None:
            return self._deepen(position, limits, self.hash)
        if solver is None:
            return self._unsolved(position, limits)
        return self._solved(position, limits, solver)

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the choice of its alpha-beta with every event of that search."""
        check_turn(position, self.name)
        limits = budget.within(self.own).or_else(Budget(depth=4))
        return deepen(position, best_evaluation(position.game), limits, self.hash, events=Events())

    def _deepen(self, position: Position, limits: Budget, mebibytes: int) -> Choice:
        evaluation = best_evaluation(position.game)
        return deepen(position, evaluation, limits, mebibytes, self.threads)

    def _unsolved(self, position: Position, limits: Budget) -> Choice:
        """Set traps where a reply is to be expected, unless only so many plies are wanted."""
        reader = reader_of(position.game)
        if reader is None or limits.depth is not None:
            return self._deepen(position, limits, self.hash)
        evaluation = best_evaluation(position.game)
        return trapping(position, evaluation, reader, limits, self.hash, self.threads)

    def _solved(self, position: Position, limits: Budget, solver: Solver) -> Choice:
        """Look into the book, ahead a little, and ask the solver; what is left is guessed."""
        began = time.perf_counter()
        known = book_move(position, solver)
        if known is not None:
            return replace(known, seconds=time.perf_counter() - began)
        glance = self._deepen(position, limits.part(GLANCE, LONGEST_GLANCE), max(self.hash // 2, 1))
        if glance.exact:
            return glance
        kept = keeping_move(position, solver, limits.after(glance))
        seconds = time.perf_counter() - began
        if kept is None:
            return replace(glance, seconds=seconds)
        nodes = glance.nodes + kept.nodes
        line = glance.line if glance.action == kept.action else kept.line
        return replace(kept, nodes=nodes, depth=glance.depth, line=line, seconds=seconds)
