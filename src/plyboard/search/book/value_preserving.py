"""A move of Connect Four that provably preserves the value of a position."""

from __future__ import annotations

from plyboard.games import Position
from plyboard.search.book.book import book_solution
from plyboard.search.common.choice import WIN, Choice
from plyboard.search.common.meter import Meter
from plyboard.search.solver.solver import Solution, Solver, value_of_score

ROOT_SHARE = 0.6  # of the budget, to find out whether the position is won, drawn or lost


def value_preserving_move(position: Position, solver: Solver, meter: Meter) -> Choice | None:
    """Return a move proved to preserve a win or a draw, or to lose as late as possible.

    None if nothing was proved within the budget. It is the fastest win if the budget suffices to
    prove that; otherwise its value only says that it wins.
    """
    root = solver.solve(position, weak=True, limit=meter.left(ROOT_SHARE))
    meter.spend(root.nodes)
    if root.upper < 0:
        return _exact_move(position, solver, meter)
    goal = max(root.lower, 0)
    action = _first_preserving(position, solver, meter, goal)
    if action is None:
        return None
    if goal == 1:
        return _exact_move(position, solver, meter) or _some_win(position, action, solver)
    return Choice(action, 0.0, (action,), exact=root.finished)


def book_move(position: Position, solver: Solver) -> Choice | None:
    """Return the best move if a book has all positions after the moves."""
    scores: dict[int, int] = {}
    for action in position.legal_actions():
        after = position.apply_action(action)
        solution = None if after.outcome() else book_solution(after)
        if solution is None:
            return None
        scores[action] = -solution.score
    order = [action for action in position.game.rules.order if action in scores]
    best = max(order, key=lambda action: scores[action])
    values = {action: value_of_score(position, score) for action, score in scores.items()}
    return Choice(best, values[best], (best,), exact=True, values=values)


def _some_win(position: Position, action: int, solver: Solver) -> Choice:
    """Return a winning move, with the value of a win on the last cell."""
    return Choice(action, WIN - solver.plies_left(position, 1), (action,))


def _first_preserving(position: Position, solver: Solver, meter: Meter, goal: int) -> int | None:
    """Return the first move, from the centre outwards, with at least this value."""
    legal = position.legal_actions()
    for action in (each for each in position.game.rules.order if each in legal):
        if meter.is_spent:
            return None
        if _weak_solution(position, action, solver, meter).lower >= goal:
            return action
    return None


def _weak_solution(position: Position, action: int, solver: Solver, meter: Meter) -> Solution:
    """Return the weak solution of a move, for the player who makes it."""
    after = position.apply_action(action)
    outcome = after.outcome()
    if outcome is not None:
        worth = 0 if outcome.winner is None else 1
        return Solution(worth, worth, 0, 0.0)
    solution = solver.solve(after, weak=True, limit=meter.left(), keep=True)
    meter.spend(solution.nodes)
    return solution.negated()


def _exact_move(position: Position, solver: Solver, meter: Meter) -> Choice | None:
    """Return the fastest win or slowest loss; None if the budget is used up."""
    solution = solver.solve(position, limit=meter.left(ROOT_SHARE), keep=True)
    meter.spend(solution.nodes)
    action = (
        _move_with_score(position, solver, meter, solution.score) if solution.finished else None
    )
    if action is None:
        return None
    return Choice(action, value_of_score(position, solution.score), (action,), exact=True)


def _move_with_score(position: Position, solver: Solver, meter: Meter, score: int) -> int | None:
    """Return a move with this score; None if the budget is used up."""
    legal = position.legal_actions()
    for action in (each for each in position.game.rules.order if each in legal):
        after = position.apply_action(action)
        if after.is_over:
            return action
        if meter.is_spent:
            return None
        solution = solver.solve(after, limit=meter.left(), keep=True)
        meter.spend(solution.nodes)
        if solution.finished and -solution.score == score:
            return action
    return None
