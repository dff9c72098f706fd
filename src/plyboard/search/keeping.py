"""A move of Connect Four that gives nothing away, as far as a budget can prove it."""

from __future__ import annotations

import time
from dataclasses import dataclass

from plyboard.games import Position
from plyboard.search.book import book_solution
from plyboard.search.budget import Budget
from plyboard.search.choice import WIN, Choice
from plyboard.search.solver import Solution, Solver

ROOT_SHARE = 0.6  # of the budget, for the question whether the position is won, drawn or lost


@dataclass
class _Purse:
    """What is left of a budget."""

    budget: Budget
    began: float
    spent: int = 0

    def limit(self, share: float = 1.0) -> Budget:
        """Return a share of what is left; it is never nothing."""
        seconds = nodes = None
        if self.budget.seconds is not None:
            passed = time.perf_counter() - self.began
            seconds = max((self.budget.seconds - passed) * share, 0.0005)
        if self.budget.nodes is not None:
            nodes = max(int((self.budget.nodes - self.spent) * share), 1)
        return Budget(seconds, nodes=nodes, watch=self.budget.watch)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left worth beginning with."""
        late = (
            self.budget.seconds is not None
            and time.perf_counter() - self.began > 0.95 * self.budget.seconds
        )
        stopped = self.budget.watch is not None and self.budget.watch.stopped
        return (
            late or stopped or (self.budget.nodes is not None and self.spent >= self.budget.nodes)
        )


def keeping_move(position: Position, solver: Solver, budget: Budget) -> Choice | None:
    """Return a move proved to keep a win or a draw; None if none was proved, or if all lose.

    Of winning moves it takes the fastest if the budget is enough to tell; else its value says only
    that the win comes before the board is full.
    """
    purse = _Purse(budget, time.perf_counter())
    root = solver.solve(position, weak=True, limit=purse.limit(ROOT_SHARE))
    purse.spent += root.nodes
    if root.upper < 0:
        return None
    goal = max(root.lower, 0)
    action = _first_keeping(position, solver, purse, goal)
    if action is None:
        return None
    if goal == 1:
        return _fastest(position, solver, purse, action)
    return Choice(action, 0.0, (action,), nodes=purse.spent, exact=root.finished)


def book_move(position: Position, solver: Solver) -> Choice | None:
    """Return the best move if a book knows all that the moves lead to."""
    scores: dict[int, int] = {}
    for action in position.legal_actions():
        after = position.play(action)
        told = None if after.outcome() else book_solution(after)
        if told is None:
            return None
        scores[action] = -told.score
    order = [action for action in position.game.rules.order if action in scores]
    best = max(order, key=lambda action: scores[action])
    values = {action: _value(position, solver, score) for action, score in scores.items()}
    return Choice(best, values[best], (best,), exact=True, values=values)


def _value(position: Position, solver: Solver, score: int) -> float:
    if score == 0:
        return 0.0
    plies = solver.plies_left(position, score)
    return WIN - plies if score > 0 else plies - WIN


def _first_keeping(position: Position, solver: Solver, purse: _Purse, goal: int) -> int | None:
    """Return the first move, from the centre outwards, that is worth at least the goal."""
    legal = position.legal_actions()
    for action in (each for each in position.game.rules.order if each in legal):
        if purse.is_empty:
            return None
        if _weak(position, action, solver, purse).lower >= goal:
            return action
    return None


def _weak(position: Position, action: int, solver: Solver, purse: _Purse) -> Solution:
    """Return what a move is worth to the player who makes it: 1, 0, -1 or bounds."""
    after = position.play(action)
    outcome = after.outcome()
    if outcome is not None:
        worth = 0 if outcome.winner is None else 1
        return Solution(worth, worth, 0, 0.0)
    told = solver.solve(after, weak=True, limit=purse.limit(), keep=True)
    purse.spent += told.nodes
    return Solution(-told.upper, -told.lower, told.nodes, told.seconds)


def _fastest(position: Position, solver: Solver, purse: _Purse, action: int) -> Choice:
    """Return the fastest win if there is time to find it, else the win that is known."""
    told = solver.solve(position, limit=purse.limit(ROOT_SHARE), keep=True)
    purse.spent += told.nodes
    found = _move_worth(position, solver, purse, told.score) if told.finished else None
    if found is not None:
        value = _value(position, solver, told.score)
        return Choice(found, value, (found,), nodes=purse.spent, exact=True)
    latest = len(position.picture().rows) * position.game.rules.actions - _played(position)
    return Choice(action, WIN - latest, (action,), nodes=purse.spent)


def _move_worth(position: Position, solver: Solver, purse: _Purse, score: int) -> int | None:
    """Return a move of this score, or None if time runs out before one is found."""
    legal = position.legal_actions()
    for action in (each for each in position.game.rules.order if each in legal):
        after = position.play(action)
        if after.outcome() is not None:
            return action
        if purse.is_empty:
            return None
        told = solver.solve(after, limit=purse.limit(), keep=True)
        purse.spent += told.nodes
        if told.finished and -told.score == score:
            return action
    return None


def _played(position: Position) -> int:
    return int(position.state[1]).bit_count()
