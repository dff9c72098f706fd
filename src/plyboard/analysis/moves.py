"""The value of every legal move of a position."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import ClassVar

from plyboard.agents.agent import NO_LIMIT
from plyboard.errors import UsageError
from plyboard.evaluate import best_evaluation
from plyboard.games import Game, Position, game_over_error
from plyboard.search.alpha_beta.iterative_deepening import AlphaBeta
from plyboard.search.alpha_beta.multi_pv import choice_of, value_moves
from plyboard.search.book.book import book_solution
from plyboard.search.book.solver_for import solver_for
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import WIN, Choice, ValuedMove
from plyboard.search.common.meter import Meter
from plyboard.search.solver.solver import Solver, check_board, value_of_score

__all__ = ["DEFAULT_BUDGET", "Analyst", "ValuedMove", "valued_moves"]

DEFAULT_BUDGET = Budget(seconds=2.0)
ALPHA_BETA_SHARE = 0.1  # of the budget, before the solver runs
ALPHA_BETA_SECONDS = 1.0
BOOK_SHARE = 0.4  # of the rest, to find the move whose value a book tells
SOLVER_SHARE = 0.6  # of the rest; alpha-beta uses what remains
LINE_NODES = 50_000  # for each move along a principal variation
SOLVED_CELLS = 42  # a game on a larger board takes too long to solve from its first moves on
LARGE_BOARD = Budget(seconds=10.0)  # for each position of a larger board


@dataclass(frozen=True)
class Analyst:
    """An agent that values every legal move, and chooses the best.

    In Connect Four it uses books and the solver first. With a depth limit, or in a position that
    no game can reach, it uses only alpha-beta. Values that are not proved are estimates from the
    same depth, so they can be compared. One thread without a limit in seconds is deterministic.
    """

    hash: int = 64  # MiB for all tables together
    threads: int = 1
    name: str = "analyst"

    compiles: ClassVar[bool] = True

    def searcher(self, game: Game) -> AnalystSearcher:
        """Return the tables and the solver for one game."""
        return AnalystSearcher(self, game)

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the best move, with the values of all moves."""
        return self.searcher(position.game).choose(position, budget)


class AnalystSearcher:
    """The tables and the solver of an analyst for one game."""

    def __init__(self, agent: Analyst, game: Game) -> None:
        self.half = max(agent.hash // 2, 1)
        self.whole = AlphaBeta(agent.hash, agent.threads)
        self.beside = AlphaBeta(self.half, agent.threads)  # the solver has the other half
        self.solver = solver_for(game, self.half, agent.threads)

    def choose(self, position: Position, budget: Budget = NO_LIMIT) -> Choice:
        """Return the best move, with the values of all moves."""
        if not position.legal_actions():
            raise game_over_error("no move to value", position)
        meter = Meter(budget.or_else(DEFAULT_BUDGET))
        limits = meter.budget
        is_odd = limits.depth is not None or position.unreachable_reason() is not None
        if self.solver is None or is_odd:
            evaluation = best_evaluation(position.game)
            moves = value_moves(position, evaluation, limits, owner=self.whole)
        else:
            moves = _Proofs(position, meter, self.solver, self.beside).run()
        return choice_of(moves, seconds=meter.seconds)

    def prove(
        self, position: Position, action: int | None = None, limit: Budget = NO_LIMIT
    ) -> Choice | None:
        """Return the best move, with the proved values of all moves; None if they are not found.

        The best move has its principal variation, and so has a given action. Boards of up to 42
        cells are solved, however long it takes; on larger ones the limit holds. What the solver
        has learned is kept, so a game is proved fastest from its end.
        """
        if self.solver is None or position.unreachable_reason() is not None:
            return None
        is_small = is_solvable(position.game)
        within = Budget(monitor=limit.monitor) if is_small else limit.or_else(LARGE_BOARD)
        meter = Meter(within)
        moves = _Proofs(position, meter, self.solver, self.beside).proved(action)
        return None if moves is None else choice_of(moves, seconds=meter.seconds)


def valued_moves(
    position: Position, budget: Budget = DEFAULT_BUDGET, mebibytes: int = 64, threads: int = 1
) -> list[ValuedMove]:
    """Return every legal move with its value, the best first, as an `Analyst` finds them."""
    return list(Analyst(mebibytes, threads).choose(position, budget).moves)


def is_solvable(game: Game) -> bool:
    """Return whether every position of a game can be proved, given some time."""
    try:
        board = check_board(game)
    except UsageError:
        return False
    return board.columns * board.rows <= SOLVED_CELLS


def value_by_book(position: Position) -> ValuedMove | None:
    """Return the best move of a position that a book holds, as far as the book tells: its value.

    The action is -1, because only the values of the positions after the moves tell which it is.
    """
    if not is_solvable(position.game) or (told := book_solution(position)) is None:
        return None
    return ValuedMove(-1, value_of_score(position, told.score), (), exact=True)


@dataclass
class _Proofs:
    """Values the moves of a Connect Four position: proved within the budget, else estimated."""

    position: Position
    meter: Meter
    solver: Solver
    alpha_beta: AlphaBeta
    budget: Budget = field(init=False)

    def __post_init__(self) -> None:
        self.budget = self.meter.budget

    def run(self) -> list[ValuedMove]:
        """Return every move with its value; a proof replaces an estimate."""
        legal = self.position.legal_actions()
        known = {action: self._known(action) for action in legal}
        found = {action: each for action, each in known.items() if each is not None}
        if len(found) < len(legal):
            limit = self.meter.left(ALPHA_BETA_SHARE, longest=ALPHA_BETA_SECONDS)
            found = self._estimated(limit) | found
            self._prove_best(found)
            self._solve(found)
        if all(each.exact for each in found.values()):
            self._report(self._ranked([*found.values()]))  # their lines take longer
            told = self._ranked([self._with_line(each) for each in found.values()])
            self._report(told)
            return told
        estimated = self._estimated(self.meter.left())
        for action, each in estimated.items():
            found[action] = _combined(each, found[action])
        return self._ranked(self._capped(found))

    def proved(self, wanted: int | None) -> list[ValuedMove] | None:
        """Return every move with its proved value; None if the budget ends first."""
        found = []
        for action in self.position.legal_actions():
            move = self._known(action) or self._solved(action, 1.0, keep=True)
            if move is None:
                return None
            found.append(move)
        best, *others = self._ranked(found)
        moves = [
            self._with_line(each, keep=True) if each.action == wanted else each for each in others
        ]
        return [self._with_line(best, keep=True), *moves]

    def _estimated(self, limit: Budget) -> dict[int, ValuedMove]:
        """Return the moves with the values of alpha-beta within a limit."""
        evaluation = best_evaluation(self.position.game)
        moves = value_moves(self.position, evaluation, limit, owner=self.alpha_beta)
        self.meter.spend(sum(each.nodes for each in moves))
        return {each.action: each for each in moves}

    def _known(self, action: int) -> ValuedMove | None:
        """Return a move that ends the game or is in a book; None if it is neither."""
        after = self.position.apply_action(action)
        outcome = after.outcome()
        if outcome is not None:
            value = 0.0 if outcome.winner is None else WIN - 1
            return ValuedMove(action, value, (action,), exact=True)
        told = self.solver.by_book(after)
        if told is None:
            return None
        return ValuedMove(action, value_of_score(self.position, -told.score), (action,), exact=True)

    def _prove_best(self, found: dict[int, ValuedMove]) -> None:
        """Find a move that has the value of the position, if a book tells that value."""
        told = self.solver.by_book(self.position)
        if told is None:
            return
        value = value_of_score(self.position, told.score)
        if any(each.exact and each.value == value for each in found.values()):
            return
        order = [action for action, each in found.items() if not each.exact]
        order.sort(key=lambda action: -found[action].value)
        for index, action in enumerate(order):
            share = BOOK_SHARE / (len(order) - index)
            after, window = self.position.apply_action(action), (-told.score, 1 - told.score)
            limit = self.meter.left(share)
            solution = self.solver.solve(after, window=window, limit=limit, keep=index > 0)
            self.meter.spend(solution.nodes)
            if solution.upper == -told.score:
                nodes = found[action].nodes + solution.nodes
                found[action] = ValuedMove(action, value, (action,), nodes=nodes, exact=True)
                self._report(self._ranked(self._capped(found)))
                return

    def _capped(self, found: dict[int, ValuedMove]) -> list[ValuedMove]:
        """Return the moves, with estimates no higher than the value that a book tells."""
        told = self.solver.by_book(self.position)
        most = WIN if told is None else value_of_score(self.position, told.score)
        return [
            each if each.exact else replace(each, value=min(each.value, most))
            for each in found.values()
        ]

    def _solve(self, found: dict[int, ValuedMove]) -> None:
        """Solve the moves that are only estimated, as far as the budget allows."""
        left = [action for action, each in found.items() if not each.exact]
        for index, action in enumerate(left):
            if self.meter.is_spent:
                return
            move = self._solved(action, SOLVER_SHARE / (len(left) - index), keep=index > 0)
            if move is not None:
                found[action] = replace(move, nodes=move.nodes + found[action].nodes)
                self._report(self._ranked(self._capped(found)))

    def _solved(self, action: int, share: float, keep: bool) -> ValuedMove | None:
        """Return a move with its proved value; None if its share of the budget runs out."""
        after = self.position.apply_action(action)
        told = self.solver.solve(after, limit=self.meter.left(share), keep=keep)
        self.meter.spend(told.nodes)
        if not told.finished:
            return None
        return ValuedMove(
            action,
            value_of_score(self.position, -told.score),
            (action,),
            nodes=told.nodes,
            exact=True,
        )

    def _with_line(self, move: ValuedMove, *, keep: bool = False) -> ValuedMove:
        """Return a proved move with its principal variation, as far as it is quickly found."""
        after = self.position.apply_action(move.action)
        if after.is_over or self.meter.is_spent:
            return move
        nodes = min(LINE_NODES, self.budget.nodes or LINE_NODES)
        limit = Budget(nodes=nodes, monitor=self.budget.monitor)
        line = [move.action]
        for text in self.solver.best_line(after, limit=limit, keep=keep):
            line.append(after.parse_move(text))
            after = after.apply_action(line[-1])
        return replace(move, line=tuple(line))

    def _ranked(self, moves: list[ValuedMove]) -> list[ValuedMove]:
        places = {action: place for place, action in enumerate(self.position.game.rules.order)}
        return sorted(moves, key=lambda each: (-each.value, not each.exact, places[each.action]))

    def _report(self, moves: list[ValuedMove]) -> None:
        if self.budget.monitor is not None:
            self.budget.monitor.report(choice_of(moves, seconds=self.meter.seconds))


def _combined(estimated: ValuedMove, before: ValuedMove) -> ValuedMove:
    """Return the new estimate of a move, or the old value if only that is proved."""
    told = before if before.exact and not estimated.exact else estimated
    return replace(told, nodes=estimated.nodes + before.nodes)
