"""The perfect agent: solves every position."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import ClassVar

from plyboard.agents.agent import NO_LIMIT, check_game, check_turn
from plyboard.games import Game, Position
from plyboard.games.connect_four import ConnectFour
from plyboard.search.book.book import book_solution
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import WIN, Choice
from plyboard.search.solver.solver import Solution, Solver, check_board


@dataclass(frozen=True)
class Perfect:
    """Wins as fast as possible, else draws, else loses as late as possible.

    It uses the books first. Without a limit it solves every move that is not in a book. With a
    limit it takes the move with the best proved bounds; an unsettled value counts as a draw.
    """

    hash: int = 64  # MiB of table
    threads: int = 1
    budget: Budget = NO_LIMIT
    name: str = "perfect"

    compiles: ClassVar[bool] = True

    def searcher(self, game: Game) -> PerfectSearcher:
        """Return a solver with its own table."""
        return PerfectSearcher(self, game)

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the best move nearest to the centre; it ignores the seed."""
        return self.searcher(position.game).choose(position, budget)


class PerfectSearcher:
    """The solver of a perfect agent."""

    def __init__(self, agent: Perfect, game: Game) -> None:
        check_game(game, agent.name, (ConnectFour.name,))
        self.agent = agent
        self.solver = Solver(check_board(game), agent.hash, agent.threads, book_solution)

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the best move nearest to the centre."""
        check_turn(position, self.agent.name, (ConnectFour.name,))
        began, game, solver = time.perf_counter(), position.game, self.solver
        found = solver.moves(position, limit=budget.within(self.agent.budget))
        told = {position.parse_move(move): solution for move, solution in found.items()}
        order = [action for action in game.rules.order if action in told]
        best = max(order, key=lambda action: told[action][:2])  # the lower bound, then the upper
        values = {action: _value(solver, position, told[action]) for action in told}
        return Choice(
            best,
            values[best],
            line=(best,),
            nodes=sum(each.nodes for each in told.values()),
            seconds=time.perf_counter() - began,
            exact=told[best].lower >= max(each.upper for each in told.values()),
            values=values,
        )


def _value(solver: Solver, position: Position, told: Solution) -> float:
    """Return the proved value as a win or loss in so many plies, or 0."""
    score = told.lower if told.lower > 0 else min(told.upper, 0)
    plies = solver.plies_left(position, score)
    return 0.0 if score == 0 else WIN - plies if score > 0 else plies - WIN
