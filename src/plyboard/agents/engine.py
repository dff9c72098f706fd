"""The engine: our strongest player of any game."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import ClassVar

from plyboard.agents.agent import NO_LIMIT, check_turn
from plyboard.agents.levels import SMALL_TABLE, level_choice, levels_of
from plyboard.evaluate import best_evaluation
from plyboard.evaluate.registry import sees_nothing
from plyboard.games import Game, Position
from plyboard.games.level import FULL
from plyboard.games.tuning import MCTS, tuning_of
from plyboard.search.alpha_beta.iterative_deepening import AlphaBeta
from plyboard.search.book.solver_for import solver_for
from plyboard.search.book.value_preserving import book_move, value_preserving_move
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice
from plyboard.search.common.events import Events
from plyboard.search.common.meter import Meter
from plyboard.search.mcts.uct import Uct, UctSettings
from plyboard.search.solver.solver import Solver

DEFAULT_BUDGET = Budget(seconds=1.0)
ALPHA_BETA_SHARE = 0.12  # of the budget, before the solver runs
ALPHA_BETA_SECONDS = 3.0  # seconds


@dataclass(frozen=True)
class Engine:
    """Alpha-beta with our best evaluation; in Connect Four the book and the solver come first.

    Levels 1 to 9 are deliberately weaker; 10 is full strength, and so is 0, the default.
    """

    budget: Budget = NO_LIMIT
    hash: int = 64  # MiB for all tables together
    threads: int = 1
    level: int = 0
    name: str = "engine"

    compiles: ClassVar[bool] = True

    def searcher(self, game: Game) -> EngineSearcher:
        """Return the tables and the solver for one game."""
        return EngineSearcher(self, game)

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the best move found within the budget."""
        return self.searcher(position.game).choose(position, budget)

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the choice of its alpha-beta search with all events."""
        return self.searcher(position.game).explain(position, budget)


def prefers_mcts(game: Game) -> bool:
    """Tell whether MCTS is stronger than alpha-beta: as measured, or without an evaluation."""
    found = tuning_of(game)
    if found is not None and found.search:
        return found.search == MCTS
    return sees_nothing(game)


class EngineSearcher:
    """The tables and the solver of an engine for one game."""

    def __init__(self, engine: Engine, game: Game) -> None:
        self.engine = engine
        self.half = max(engine.hash // 2, 1)  # MiB: the solver has the other half
        self.level = levels_of(game)[engine.level - 1] if engine.level else FULL
        is_full = self.level.nodes is None
        self.solver = solver_for(game, self.half, engine.threads) if is_full else None
        self._uct = Uct(UctSettings(self.half, engine.threads))
        self.prefers_mcts = is_full and self.solver is None and prefers_mcts(game)
        self._alpha_beta = cache(lambda mebibytes: AlphaBeta(mebibytes, engine.threads))

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the best move found within the budget."""
        engine = self.engine
        check_turn(position, engine.name)
        if self.level.nodes is not None:
            return level_choice(position, self.level, budget, self._alpha_beta(SMALL_TABLE))
        limits = budget.within(engine.budget).or_else(DEFAULT_BUDGET)
        if limits.seconds is None and limits.nodes is None:
            return self._search(position, limits, engine.hash)
        if self.prefers_mcts:
            return self._search_and_mcts(position, limits)
        if self.solver is None:
            return self._search(position, limits, engine.hash)
        return self._book_and_solver(position, limits, self.solver)

    def explain(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the choice of alpha-beta with all events."""
        check_turn(position, self.engine.name)
        limits = budget.within(self.engine.budget).or_else(Budget(depth=4))
        alpha_beta = AlphaBeta(self.engine.hash)
        return alpha_beta.search(position, best_evaluation(position.game), limits, Events())

    def _search(self, position: Position, limits: Budget, mebibytes: int) -> Choice:
        evaluation = best_evaluation(position.game)
        return self._alpha_beta(mebibytes).search(position, evaluation, limits)

    def _search_and_mcts(self, position: Position, limits: Budget) -> Choice:
        """Try to prove a move by a short alpha-beta search, then search by MCTS."""
        meter = Meter(limits)
        shallow = self._search(
            position, meter.left(ALPHA_BETA_SHARE, longest=ALPHA_BETA_SECONDS), self.half
        )
        meter.spend(shallow.nodes)
        if shallow.exact or shallow.is_proved:
            return shallow
        found = self._uct.search(position, meter.left())
        return replace(found, nodes=meter.nodes + found.nodes, seconds=meter.seconds)

    def _book_and_solver(self, position: Position, limits: Budget, solver: Solver) -> Choice:
        """Try the book, then a short alpha-beta search, then the solver."""
        meter = Meter(limits)
        known = book_move(position, solver)
        if known is not None:
            return replace(known, seconds=meter.seconds)
        shallow = self._search(
            position, meter.left(ALPHA_BETA_SHARE, longest=ALPHA_BETA_SECONDS), self.half
        )
        meter.spend(shallow.nodes)
        if shallow.exact:
            return shallow
        kept = value_preserving_move(position, solver, meter)
        if kept is None:
            return replace(shallow, nodes=meter.nodes, seconds=meter.seconds)
        line = shallow.line if shallow.action == kept.action else kept.line
        return replace(
            kept, nodes=meter.nodes, depth=shallow.depth, line=line, seconds=meter.seconds
        )
