"""Every legal move of a position with what it is worth."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace

from plyboard.errors import GameOverError
from plyboard.evaluate import best_evaluation
from plyboard.games import Position
from plyboard.search.budget import Budget
from plyboard.search.choice import WIN, Choice
from plyboard.search.every_move import ValuedMove, value_moves
from plyboard.search.solver import Solver
from plyboard.search.solver_for import solver_for

__all__ = ["USUAL", "ValuedMove", "valued_moves"]

USUAL = Budget(seconds=2.0)
GLANCE = 0.1  # of the budget, for alpha-beta before the solver is asked
SOLVER_SHARE = 0.5  # of what is left then; alpha-beta has the rest
LINE_NODES = 50_000  # for each question on the way along a best line
LEAST_SECONDS = 0.001


def valued_moves(
    position: Position, budget: Budget = USUAL, mebibytes: int = 64, threads: int = 1
) -> list[ValuedMove]:
    """Return every legal move with its value, the best first.

    In Connect Four books and the solver come first, unless the budget has a depth: that asks for
    alpha-beta alone, and so do positions that no game can reach. Values that are not proved are
    guesses from one depth, so that they compare. Without a limit in seconds one thread finds the
    same each time. The watch is told meanwhile.
    """
    if not position.legal_actions():
        raise GameOverError(f"no move to value: the game is over\n{position.board()}")
    limits, half = budget.or_else(USUAL), max(mebibytes // 2, 1)
    is_odd = limits.depth is not None or position.unreachable() is not None
    solver = None if is_odd else solver_for(position.game, half, threads)
    if solver is None:
        evaluation = best_evaluation(position.game)
        return value_moves(position, evaluation, limits, mebibytes, threads)
    return _Proofs(position, limits, solver).run(half, threads)


@dataclass
class _Proofs:
    """The moves of a position of Connect Four: proved as far as the budget goes, else guessed."""

    position: Position
    budget: Budget
    solver: Solver
    began: float = field(default_factory=time.perf_counter)
    spent: int = 0

    def run(self, mebibytes: int, threads: int) -> list[ValuedMove]:
        """Return every move; a proof counts for more than a guess."""
        legal = self.position.legal_actions()
        known = {action: self._looked_up(action) for action in legal}
        found = {action: each for action, each in known.items() if each is not None}
        if len(found) < len(legal):
            found = self._glanced(self.budget.part(GLANCE), mebibytes, threads)
            self._solve(found)
        if all(each.exact for each in found.values()):
            told = self._ranked([self._with_line(each) for each in found.values()])
            self._tell(told)
            return told
        guessed = self._glanced(self._share(1.0), mebibytes, threads)
        return self._ranked([_joined(each, found[action]) for action, each in guessed.items()])

    def _glanced(self, limit: Budget, mebibytes: int, threads: int) -> dict[int, ValuedMove]:
        """Return the moves as alpha-beta sees them within a limit."""
        evaluation = best_evaluation(self.position.game)
        moves = value_moves(self.position, evaluation, limit, mebibytes, threads)
        self.spent += sum(each.nodes for each in moves)
        return {each.action: each for each in moves}

    def _looked_up(self, action: int) -> ValuedMove | None:
        """Return a move as a book has it, or as it ends the game; None if neither is so."""
        after = self.position.play(action)
        outcome = after.outcome()
        if outcome is not None:
            value = 0.0 if outcome.winner is None else WIN - 1
            return ValuedMove(action, value, (action,), exact=True)
        told = self.solver.by_book(after)
        if told is None:
            return None
        return ValuedMove(action, self._value(-told.score), (action,), exact=True)

    def _solve(self, found: dict[int, ValuedMove]) -> None:
        """Prove moves that are only guessed, up to the first that takes too long."""
        left = [action for action, each in found.items() if not each.exact]
        for index, action in enumerate(left):
            move = self._solved(action, SOLVER_SHARE / (len(left) - index), keep=index > 0)
            if move is None:
                return
            found[action] = replace(move, nodes=move.nodes + found[action].nodes)

    def _solved(self, action: int, share: float, keep: bool) -> ValuedMove | None:
        """Return a move with its proved value, or None if its share of the budget is too small."""
        after = self.position.play(action)
        told = self.solver.solve(after, limit=self._share(share), keep=keep)
        self.spent += told.nodes
        if not told.finished:
            return None
        return ValuedMove(action, self._value(-told.score), (action,), nodes=told.nodes, exact=True)

    def _value(self, score: int) -> float:
        plies = self.solver.plies_left(self.position, score)
        return 0.0 if score == 0 else WIN - plies if score > 0 else plies - WIN

    def _with_line(self, move: ValuedMove) -> ValuedMove:
        """Return a proved move with best play to the end, as far as that is easy to find."""
        after = self.position.play(move.action)
        if after.outcome() is not None or self._is_late():
            return move
        nodes = min(LINE_NODES, self.budget.nodes or LINE_NODES)
        limit = Budget(nodes=nodes, watch=self.budget.watch)
        line = self.solver.best_line(after, limit=limit)
        return replace(move, line=(move.action, *map(self.position.game.parse, line)))

    def _share(self, share: float) -> Budget:
        """Return a part of what is left of the budget; it is never nothing."""
        seconds, nodes = self.budget.seconds, self.budget.nodes
        if seconds is not None:
            passed = time.perf_counter() - self.began
            seconds = max((seconds - passed) * share, LEAST_SECONDS)
        if nodes is not None:
            nodes = max(int((nodes - self.spent) * share), 1)
        return replace(self.budget, seconds=seconds, nodes=nodes)

    def _is_late(self) -> bool:
        seconds, watch = self.budget.seconds, self.budget.watch
        if watch is not None and watch.stopped:
            return True
        return seconds is not None and time.perf_counter() - self.began > seconds

    def _ranked(self, moves: list[ValuedMove]) -> list[ValuedMove]:
        places = {action: place for place, action in enumerate(self.position.game.rules.order)}
        return sorted(moves, key=lambda each: (-each.value, places[each.action]))

    def _tell(self, moves: list[ValuedMove]) -> None:
        if self.budget.watch is not None:
            values = {each.action: each.value for each in moves}
            best = Choice(moves[0].action, moves[0].value, moves[0].line, exact=True, values=values)
            self.budget.watch.tell(replace(best, nodes=self.spent))


def _joined(guessed: ValuedMove, before: ValuedMove) -> ValuedMove:
    """Return what alpha-beta found of a move, unless what was known before is proved."""
    told = before if before.exact and not guessed.exact else guessed
    return replace(told, nodes=guessed.nodes + before.nodes)
