"""Everything `plyboard solve` finds out about one position, with the answers so far."""

from __future__ import annotations

from plyboard.games import Position
from plyboard.search.common.budget import Budget
from plyboard.search.common.meter import Meter
from plyboard.search.solver.solver import Solution, Solver

EMPTY_FOR_MOVES, EMPTY_FOR_LINE = 24, 20  # with more empty cells, only on request


class SolveJob:
    """The questions about a position, and the answers so far."""

    def __init__(
        self, position: Position, weak: bool, limit: Budget, every: bool, line: bool
    ) -> None:
        self.position, self.weak, self.limit = position, weak, limit
        self.wants_moves, self.wants_line = every, line
        self.solution: Solution | None = None
        self.moves: dict[str, Solution] = {}
        self.line: tuple[str, ...] = ()
        self.meter = Meter(limit)

    def run(self, solver: Solver) -> None:
        """Solve the position; then, on request or if cheap, its moves and a principal variation."""
        position, empty = self.position, self.position.text().count(".")
        known, moves = solver.by_book(position), position.legal_moves()
        has_moves = known and all(solver.by_book(position.play(move)) for move in moves)
        self.meter = Meter(self.limit)
        self.solution = solver.solve(position, weak=self.weak, limit=self.limit)
        self.meter.spend(self.solution.nodes)
        if not self.solution.finished:
            return
        if self.wants_moves or self.wants_line or has_moves or empty <= EMPTY_FOR_MOVES:
            self.moves = solver.moves(position, weak=self.weak, limit=self.meter.left())
        if not self.weak and (self.wants_line or empty <= EMPTY_FOR_LINE):
            self.line = solver.best_line(self.position, limit=Budget(monitor=self.limit.monitor))

    def stop(self, solver: Solver) -> None:
        """Stop all searches; keep the bounds proved so far."""
        assert self.limit.monitor
        self.solution = self.solution or solver.so_far()
        self.limit.monitor.stop()

    @property
    def is_complete(self) -> bool:
        """Whether every requested answer is proved."""
        moves = self.moves.values() if self.wants_moves else ()
        return all(each and each.finished for each in (self.solution, *moves))

    @property
    def best_moves(self) -> list[str]:
        """The moves with the score of the position; none if that is not known."""
        if self.solution is None or not self.solution.finished:
            return []
        score = self.solution.score
        return [move for move, each in self.moves.items() if each.lower == score]
