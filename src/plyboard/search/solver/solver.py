"""The perfect solver: exact scores of Connect Four, or proven bounds when time is short."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache, cached_property, partial
from threading import Lock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyboard.errors import GameOverError, UsageError
from plyboard.games import Game, Position, spec_of
from plyboard.games.connect_four import ConnectFour, discs_played
from plyboard.kernel import compiled
from plyboard.search.common.budget import Budget
from plyboard.search.common.control import LIMIT, NODES, STOP, Control, control_of
from plyboard.search.common.meter import Meter
from plyboard.search.common.parallel import PATIENCE, race
from plyboard.search.solver.negamax import (
    CONTROLS,
    HIGH,
    LOW,
    NO_BOUND,
    PATH,
    SCRATCH,
    SEARCHING,
    THREAD,
    THREADS,
    solver_kernel,
)
from plyboard.search.solver.table import SolverTable, index_bits_for, least_index_bits

SMALL_INDEX_BITS = 12  # a table that stays in the processor's cache, for positions near the end
SMALL_NODES = 20_000  # and how long it is tried, in the caller's thread: some milliseconds
MOST_MEBIBYTES = 1 << 20
Numbers = NDArray[np.int64]
Bounds = tuple[int, int]
Proof = tuple[int, int, int]  # bounds, nodes
NO_LIMIT = Budget()
ANY_SCORE, ANY_SIGN = (-NO_BOUND, NO_BOUND), (-1, 1)


class Solution(NamedTuple):
    """What is proved of a score, as the player to move sees it."""

    lower: int
    upper: int
    nodes: int = 0
    seconds: float = 0.0
    book: bool = False  # whether it was looked up, not searched for

    @property
    def finished(self) -> bool:
        """Whether the score is known exactly."""
        return self.lower == self.upper

    @property
    def score(self) -> int:
        """The exact score; only of a finished solution."""
        assert self.finished
        return self.lower

    def negated(self) -> Solution:
        """Return the same as the other player sees it."""
        return self._replace(lower=-self.upper, upper=-self.lower)


BookLookup = Callable[[Position], Solution | None]


class Solver:
    """Solves positions of one board with one table, one after another.

    The table is emptied before each `solve`, so that answers and node counts do not depend on
    what was asked before. Of a budget its seconds, its nodes (those of all threads together) and
    its watch count; the clock is looked at after some milliseconds for the first time. A thread
    that asks while another one is answered waits for its turn.

    A book is asked first of every position, those after each move included.
    """

    def __init__(
        self,
        game: ConnectFour | None = None,
        mebibytes: int = 64,
        threads: int = 1,
        book: BookLookup | None = None,
    ) -> None:
        self.game = check_board(game or ConnectFour())
        if threads < 1 or mebibytes < 1:
            raise UsageError(f"got {threads} threads and {mebibytes} MiB; expected at least 1 each")
        self.threads, self.book = threads, book
        key_bits = self.game.columns * (self.game.rows + 1)
        self._large_bits, self._key_bits = index_bits_for(mebibytes, key_bits), key_bits
        self._small: SolverTable | None = None
        if least_index_bits(key_bits) <= SMALL_INDEX_BITS < self._large_bits:
            self._small = SolverTable(SMALL_INDEX_BITS, key_bits)
        self._large: SolverTable | None = None
        self._cells = self.game.columns * self.game.rows
        self._lock = Lock()
        self._checked: Game = self.game  # the last one that was found to be the same board
        # What the loop works with; made once, as that takes longer than an easy position.
        self._start = np.zeros(2, dtype=np.uint64)
        self._control = control_of(CONTROLS)
        self._scratch = _scratch()
        self._searching = np.zeros(SEARCHING + threads * PATH, dtype=np.uint64)
        self._controls: list[Control] = []  # what the searches of the last `solve` go by

    def prepare(self) -> None:
        """Compile the loop now, so that no limit has to pay for that."""
        with self._lock:
            self._start[0], self._start[1] = 0, self.game.board.full[0]  # nothing to do there
            self._run(self._small or self._large_table(), self._control)

    def by_book(self, position: Position) -> Solution | None:
        """Return what the book says of a position; None without a book, or if it says nothing."""
        return None if self.book is None else self.book(position)

    def solve(
        self,
        position: Position,
        *,
        weak: bool = False,
        limit: Budget = NO_LIMIT,
        keep: bool = False,
    ) -> Solution:
        """Return the score of a position that is not over, or bounds when a limit is reached.

        Weak answers tell only who wins: bounds stay within -1 and 1. With `keep` the table is
        not emptied first: for positions that belong together.
        """
        return self._solve(position, ANY_SIGN if weak else ANY_SCORE, limit, keep)

    def so_far(self) -> Solution | None:
        """Return what the running or last `solve` has proved; None before it has begun."""
        searches = self._controls
        if not searches:
            return None
        lower = max(int(control[LOW]) for control in searches)
        upper = min(int(control[HIGH]) for control in searches)
        return Solution(lower, upper, sum(int(control[NODES]) for control in searches))

    def moves(
        self, position: Position, *, weak: bool = False, limit: Budget = NO_LIMIT
    ) -> dict[str, Solution]:
        """Return what is proved of each legal move, as the player who makes it sees it.

        The moves share the limit: each may spend its part of what those before it have left.
        """
        check_same(position.game, self.game)
        if position.outcome() is not None:
            raise _over(position)
        meter, found = Meter(limit), dict[str, Solution]()
        moves, keep = position.legal_moves(), False
        for index, move in enumerate(moves):
            after = position.play(move)
            solution = self._finished(after, weak)
            if solution is None:
                part = meter.left(parts=len(moves) - index)
                solution = self.solve(after, weak=weak, limit=part, keep=keep)
                keep = keep or not solution.book
            meter.spend(solution.nodes)
            found[move] = solution.negated()
        return found

    def best_line(self, position: Position, *, limit: Budget = NO_LIMIT) -> tuple[str, ...]:
        """Return best moves of both sides to the end of the game, lowest column first.

        Where the limit, which each question has anew, leaves one open, the line ends there.
        """
        solution, line = self.solve(position, limit=limit), list[str]()
        score = solution.lower
        while solution.finished and position.outcome() is None:
            preserving = (
                move
                for move in position.legal_moves()
                if self._preserves_value(position, move, score, limit)
            )
            move = next(preserving, None)
            if move is None:
                break
            line.append(move)
            position, score = position.play(move), -score
        return tuple(line)

    def plies_left(self, position: Position, score: int) -> int:
        """Return after how many more moves a position of this score ends, with best play."""
        played = discs_played(position.state)
        if score == 0:
            return self._cells - played
        discs_left = abs(score) - 1  # of the winner, when the game has ended
        winner_moves = played % 2 == (0 if score > 0 else 1)  # is the winner the player who began?
        first_discs, second_discs = (self._cells + 1) // 2, self._cells // 2
        if winner_moves:
            return 2 * (first_discs - discs_left) - 1 - played
        return 2 * (second_discs - discs_left) - played

    def _solve(self, position: Position, bounds: Bounds, limit: Budget, keep: bool) -> Solution:
        """Narrow bounds down; a score outside them is told as the nearer one."""
        began = time.perf_counter()
        if position.game is not self._checked:
            self._checked = check_same(position.game, self.game)
        if self.book is not None and (solution := self.book(position)):
            score = min(max(solution.score, bounds[0]), bounds[1])
            return Solution(score, score, 0, time.perf_counter() - began, book=True)
        if not self._lock.acquire(False) and not self._wait(limit, began):
            return self._trivial_bounds(position, bounds)
        try:
            low, high, nodes = self._search(position, bounds, limit, keep, began)
        finally:
            self._lock.release()
        return Solution(low, high, nodes, time.perf_counter() - began)

    def _search(
        self, position: Position, bounds: Bounds, limit: Budget, keep: bool, began: float
    ) -> Proof:
        """Return bounds and nodes; easy positions are done in this thread, and fast."""
        table = self._small or self._large_table()
        if not keep:
            self._mark_stale()
        table.clear_if_stale()
        # Somebody may stop a watch late: what it holds is not used again.
        control = self._control if limit.watch is None else control_of(CONTROLS)
        self._start[0], self._start[1] = position.state
        control[NODES], control[STOP] = 0, 0
        control[LOW], control[HIGH] = bounds
        allowed = limit.nodes
        control[LIMIT] = SMALL_NODES if allowed is None or allowed > SMALL_NODES else allowed
        self._controls = searches = [control]
        if limit.watch is not None:
            limit.watch.attach(searches)
        if not self._run(table, control):
            raise _over(position)
        results = control.tolist()
        low, high, nodes = results[LOW], results[HIGH], results[NODES]
        if low == high or (allowed is not None and nodes >= allowed):
            return low, high, nodes
        self._large_table().clear_if_stale()
        return self._solve_in_threads((low, high), limit, nodes, began)

    def _run(self, table: SolverTable, control: Control) -> bool:
        """Run the loop in this thread; tell whether there was anything to do."""
        going: bool = self._kernel(
            self._start, table.entries, table.index_bits, table.generation,
            self._scratch, control, self._searching,
        )  # fmt: skip
        return going

    @cached_property
    def _kernel(self) -> Callable[..., bool]:
        """The compiled loop; who finds all in a book does without it."""
        return _compiled_kernel(self.game.columns, self.game.rows)

    def _solve_in_threads(self, bounds: Bounds, limit: Budget, spent: int, began: float) -> Proof:
        """Go on in threads that share the large table, until one is done or a limit is reached."""
        table = self._large_table()
        rest = None if limit.nodes is None else max((limit.nodes - spent) // self.threads, 1)
        controls = [control_of(CONTROLS, rest) for _ in range(self.threads)]
        for who, control in enumerate(controls):
            control[LOW], control[HIGH] = bounds
            control[THREADS], control[THREAD] = self.threads, who
        self._searching.fill(0)
        self._controls = [*self._controls, *controls]
        searches = [
            partial(
                self._kernel, self._start, table.entries, table.index_bits, table.generation,
                _scratch(), control, self._searching,
            )
            for control in controls
        ]  # fmt: skip
        left = None if limit.seconds is None else began + limit.seconds - time.perf_counter()
        race(searches, controls, left, limit.watch)
        low = max(int(control[LOW]) for control in controls)
        high = min(int(control[HIGH]) for control in controls)
        return low, high, spent + sum(int(control[NODES]) for control in controls)

    def _wait(self, limit: Budget, began: float) -> bool:
        """Wait until no other thread is answered; tell whether the limit allowed that."""
        while not self._lock.acquire(timeout=PATIENCE):
            late = limit.seconds is not None and time.perf_counter() >= began + limit.seconds
            if late or (limit.watch is not None and limit.watch.stopped):
                return False
        return True

    def _trivial_bounds(self, position: Position, bounds: Bounds) -> Solution:
        """Return what is known of a position without looking at it."""
        if position.outcome() is not None:
            raise _over(position)
        played = discs_played(position.state)
        least, most = -((self._cells - played) // 2), (self._cells + 1 - played) // 2
        return Solution(max(bounds[0], least), min(bounds[1], most))

    def _mark_stale(self) -> None:
        """Let no table be used as it is."""
        for table in (self._small, self._large):
            if table is not None:
                table.is_stale = True

    def _large_table(self) -> SolverTable:
        if self._large is None:
            self._large = SolverTable(self._large_bits, self._key_bits)
        return self._large

    def _finished(self, position: Position, weak: bool) -> Solution | None:
        """Return the score of a game that is over; None while it goes on."""
        outcome = position.outcome()
        if outcome is None:
            return None
        lost = 1 if weak else (self._cells + 2 - discs_played(position.state)) // 2
        score = 0 if outcome.winner is None else -lost
        return Solution(score, score)

    def _preserves_value(self, position: Position, move: str, score: int, limit: Budget) -> bool:
        """Tell whether a move keeps the score of a position, by one narrow question."""
        after = position.play(move)
        solution = self._finished(after, weak=False)
        solution = solution or self._solve(after, (-score, 1 - score), limit, keep=True)
        return solution.upper == -score


def check_board(game: object) -> ConnectFour:
    """Return the game if the solver can play it; say what it needs if not."""
    if not isinstance(game, ConnectFour):
        raise UsageError(
            f"cannot solve {getattr(game, 'title', game)}: the solver knows Connect Four alone"
        )
    if game.line != 4 or game.columns * (game.rows + 1) > 64:
        raise UsageError(
            f"cannot solve {spec_of(game)}: expected lines of 4, and columns * (rows + 1) up to 64"
        )
    return game


def check_same(game: Game, mine: ConnectFour) -> Game:
    """Return a game that is the solver's own; refuse another board."""
    if game != mine:
        raise UsageError(
            f"wrong board: got {spec_of(game)}; this solver was made for {spec_of(mine)}"
        )
    return game


def _over(position: Position) -> GameOverError:
    return GameOverError(f"nothing to solve: the game is over\n{position.board()}")


def _scratch() -> Numbers:
    return np.zeros(65 * SCRATCH, dtype=np.int64)


@cache
def _compiled_kernel(columns: int, rows: int) -> Callable[..., bool]:
    return compiled(solver_kernel(columns, rows))
