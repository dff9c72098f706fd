"""The exact solver of Connect Four: scores, or proven bounds when a limit is reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, cached_property, partial
from threading import Lock
from time import perf_counter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyboard.errors import GameOverError, UsageError
from plyboard.games import Game, Position, game_over_error, spec_of
from plyboard.games.connect_four import ConnectFour, discs_played
from plyboard.games.rules import State
from plyboard.processes.background import call_later
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import WIN
from plyboard.search.common.control import NODES, STOP, Control, control_of
from plyboard.search.common.meter import Meter
from plyboard.search.common.parallel import POLL_SECONDS, run_searches
from plyboard.search.common.tiers import TieredLoop, tiered, usable_threads
from plyboard.search.solver.entries import entry_kernels
from plyboard.search.solver.negamax import (
    CONTROLS,
    HIGH,
    LOW,
    NO_BOUND,
    OVER,
    PATH,
    SCRATCH,
    SEARCHING,
    THREAD,
    THREADS,
    solver_kernel,
    unpacked,
)
from plyboard.search.solver.table import SolverTable, index_bits_for, least_index_bits

# Easy positions are solved in the caller's thread with a table that fits the processor's cache.
SMALL_INDEX_BITS = 12
SMALL_NODES = 20_000  # a few milliseconds
MOST_MEBIBYTES = 1 << 20
Numbers = NDArray[np.int64]
Bounds = tuple[int, int]
Proof = tuple[int, int, int]  # bounds, nodes
NO_LIMIT = Budget()
ANY_SCORE, ANY_SIGN = (-NO_BOUND, NO_BOUND), (-1, 1)


class Solution(NamedTuple):
    """The proven bounds of a score, from the point of view of the player to move."""

    lower: int
    upper: int
    nodes: int = 0
    seconds: float = 0.0
    book: bool = False  # whether it comes from an opening book

    @property
    def finished(self) -> bool:
        """Whether the score is known exactly."""
        return self.lower == self.upper

    @property
    def score(self) -> int:
        """The exact score; only finished solutions have one."""
        assert self.finished
        return self.lower

    def negated(self) -> Solution:
        """Return the same bounds from the point of view of the other player."""
        return self._replace(lower=-self.upper, upper=-self.lower)


BookLookup = Callable[[Position], Solution | None]


class Solver:
    """Solves positions of one board with one table, one after another.

    The table is cleared before each `solve`, so that results and node counts do not depend on
    earlier calls. Budgets limit seconds and nodes (of all threads together); the clock is first
    checked after a few milliseconds. Calls from several threads run one after another.

    Every position is looked up in the book first, also those after each move.
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
        self._checked: Game = self.game  # the last game that passed `check_same`
        # Made once, because that takes longer than solving an easy position.
        self._control = control_of(CONTROLS)
        self._one_control = [self._control]
        self._scratch = _scratch()
        self._searching = np.zeros(SEARCHING + threads * PATH, dtype=np.uint64)
        self._controls: list[Control] = []  # of the last `solve`

    def prepare(self) -> None:
        """Wait until the kernel is compiled, so that searches need no plain Python."""
        with self._lock:
            table = self._small or self._large_table()
            self._kernel(
                0, self.game.board.full[0], *ANY_SCORE, 0, table.entries, table.index_bits,
                table.generation, self._scratch, self._control, self._searching,
            )  # fmt: skip  # a full board: returns at once
            if isinstance(self._kernel, TieredLoop):
                self._kernel.arrival().wait()

    def by_book(self, position: Position) -> Solution | None:
        """Return the solution of a position from the book; None if there is none."""
        return None if self.book is None else self.book(position)

    def solve(
        self,
        position: Position,
        *,
        weak: bool = False,
        window: Bounds | None = None,
        limit: Budget = NO_LIMIT,
        keep: bool = False,
    ) -> Solution:
        """Return the score of a position that is not over, or bounds when a limit is reached.

        A weak solution only says who wins: the bounds stay within -1 and 1. With a window, a score
        outside it becomes the nearer end. With `keep` the table is not cleared first, which helps
        with related positions.
        """
        return self._solve(position, window or (ANY_SIGN if weak else ANY_SCORE), limit, keep)

    def so_far(self) -> Solution | None:
        """Return the bounds proved so far by the running or last `solve`; None before the first."""
        searches = self._controls
        if not searches:
            return None
        lower = max(int(control[LOW]) for control in searches)
        upper = min(int(control[HIGH]) for control in searches)
        return Solution(lower, upper, sum(int(control[NODES]) for control in searches))

    def moves(
        self, position: Position, *, weak: bool = False, limit: Budget = NO_LIMIT
    ) -> dict[str, Solution]:
        """Return the solution of each legal move, from the point of view of who makes it.

        The moves share the limit: each gets an equal part of what is left.
        """
        check_same(position.game, self.game)
        if position.is_over:
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

    def best_line(
        self, position: Position, *, limit: Budget = NO_LIMIT, keep: bool = False
    ) -> tuple[str, ...]:
        """Return a line of best moves to the end of the game, the lowest columns among equals.

        The limit holds for each search. The line ends where a search reaches it.
        """
        solution, line = self.solve(position, limit=limit, keep=keep), list[str]()
        score = solution.lower
        while solution.finished and not position.is_over:
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
        """Return how many plies a game with this score lasts from here with best play."""
        return plies_left(position, score)

    def _solve(self, position: Position, bounds: Bounds, limit: Budget, keep: bool) -> Solution:
        """Narrow the bounds of a score; a score outside them becomes the nearer bound."""
        began = perf_counter()
        if position.game is not self._checked:
            self._checked = check_same(position.game, self.game)
        if self.book is not None and (solution := self.book(position)):
            score = min(max(solution.score, bounds[0]), bounds[1])
            return Solution(score, score, 0, perf_counter() - began, book=True)
        if not self._lock.acquire(False) and not self._wait(limit, began):
            return self._trivial_bounds(position, bounds)
        try:
            low, high, nodes = self._search(position, bounds, limit, keep, began)
        finally:
            self._lock.release()
        return Solution(low, high, nodes, perf_counter() - began)

    def _search(
        self, position: Position, bounds: Bounds, limit: Budget, keep: bool, began: float
    ) -> Proof:
        """Return bounds and nodes; easy positions are solved in this thread."""
        table = self._small or self._large_table()
        if not keep:
            if self._large is not None:
                self._large.is_stale = True
            table.clear()
        elif table.is_stale:
            table.clear()
        monitor, allowed, control = limit.monitor, limit.nodes, self._control
        self._controls = self._one_control
        if monitor is None:
            control[STOP] = 0
        else:  # it may set the stop flag late, so its control is not reused
            control = control_of(CONTROLS)
            self._controls = [control]
            monitor.attach(self._controls)
        most = SMALL_NODES if allowed is None or allowed > SMALL_NODES else allowed
        with self._stopped_in_time(limit, control):
            found = self._kernel(
                *position.state, *bounds, most, table.entries, table.index_bits, table.generation,
                self._scratch, control, self._searching,
            )  # fmt: skip
        if found == OVER:
            raise _over(position)
        low, high, nodes = unpacked(found)
        if low == high or (allowed is not None and nodes >= allowed):
            return low, high, nodes
        self._move_to_large_table(table)
        return self._solve_in_threads(position.state, (low, high), limit, nodes, began)

    @contextmanager
    def _stopped_in_time(self, limit: Budget, control: Control) -> Iterator[None]:
        """Stop a small search at the time limit, if it may run in plain Python."""
        if (
            limit.seconds is None
            or not isinstance(self._kernel, TieredLoop)
            or self._kernel.compiled
        ):
            yield
            return
        cancel = call_later(limit.seconds, lambda: control.__setitem__(STOP, 1))
        try:
            yield
        finally:
            cancel()

    def _move_to_large_table(self, small: SolverTable) -> None:
        """Copy the entries of the small table, so that no work is lost."""
        large = self._large_table()
        large.clear_if_stale()
        if large is not small:
            _compiled_copy(self._key_bits)(
                small.entries, small.index_bits, small.generation,
                large.entries, large.index_bits, large.generation,
            )  # fmt: skip

    @cached_property
    def _kernel(self) -> Callable[..., int]:
        """The compiled kernel, loaded at first use: a book lookup does not need it."""
        return _compiled_kernel(self.game.columns, self.game.rows)

    def _solve_in_threads(
        self, state: State, bounds: Bounds, limit: Budget, spent: int, began: float
    ) -> Proof:
        """Search in threads that share the large table, until one is done or a limit is reached."""
        table = self._large_table()
        threads = usable_threads(self._kernel, self.threads, limit)
        rest = None if limit.nodes is None else max((limit.nodes - spent) // threads, 1)
        controls = [control_of(CONTROLS) for _ in range(threads)]
        for thread, control in enumerate(controls):
            control[LOW], control[HIGH] = bounds  # for `so_far`
            control[THREADS], control[THREAD] = threads, thread
        self._searching.fill(0)
        self._controls = [*self._controls, *controls]
        searches = [
            partial(
                self._kernel, *state, *bounds, rest or 0, table.entries, table.index_bits,
                table.generation, _scratch(), control, self._searching,
            )
            for control in controls
        ]  # fmt: skip
        left = None if limit.seconds is None else began + limit.seconds - perf_counter()
        run_searches(searches, controls, left, limit.monitor)
        low = max(int(control[LOW]) for control in controls)
        high = min(int(control[HIGH]) for control in controls)
        return low, high, spent + sum(int(control[NODES]) for control in controls)

    def _wait(self, limit: Budget, began: float) -> bool:
        """Wait for the lock; return False if the limit is reached first."""
        while not self._lock.acquire(timeout=POLL_SECONDS):
            late = limit.seconds is not None and perf_counter() >= began + limit.seconds
            if late or (limit.monitor is not None and limit.monitor.stopped):
                return False
        return True

    def _trivial_bounds(self, position: Position, bounds: Bounds) -> Solution:
        """Return the bounds that follow from the number of discs alone."""
        if position.is_over:
            raise _over(position)
        played = discs_played(position.state)
        least, most = -((self._cells - played) // 2), (self._cells + 1 - played) // 2
        return Solution(max(bounds[0], least), min(bounds[1], most))

    def _large_table(self) -> SolverTable:
        if self._large is None:
            self._large = SolverTable(self._large_bits, self._key_bits)
        return self._large

    def _finished(self, position: Position, weak: bool) -> Solution | None:
        """Return the score of a finished game; None if the game is not over."""
        outcome = position.outcome()
        if outcome is None:
            return None
        lost = 1 if weak else (self._cells + 2 - discs_played(position.state)) // 2
        score = 0 if outcome.winner is None else -lost
        return Solution(score, score)

    def _preserves_value(self, position: Position, move: str, score: int, limit: Budget) -> bool:
        """Tell whether a move preserves the score of a position, by a null-window search."""
        after = position.play(move)
        solution = self._finished(after, weak=False)
        solution = solution or self._solve(after, (-score, 1 - score), limit, keep=True)
        return solution.upper == -score


def plies_left(position: Position, score: int) -> int:
    """Return how many plies a game of Connect Four with this score lasts with best play."""
    board = check_board(position.game)
    cells, played = board.columns * board.rows, discs_played(position.state)
    if score == 0:
        return cells - played
    discs_left = abs(score) - 1  # of the winner, when the game has ended
    winner_moves = played % 2 == (0 if score > 0 else 1)  # is the winner the first player?
    if winner_moves:
        return 2 * ((cells + 1) // 2 - discs_left) - 1 - played
    return 2 * (cells // 2 - discs_left) - played


def value_of_score(position: Position, score: int) -> float:
    """Return a score of a position as the value of a choice."""
    plies = plies_left(position, score)
    return 0.0 if score == 0 else WIN - plies if score > 0 else plies - WIN


def check_board(game: object) -> ConnectFour:
    """Return the game if the solver supports it; raise `UsageError` if not."""
    if not isinstance(game, ConnectFour):
        raise UsageError(
            f"cannot solve {getattr(game, 'title', game)}",
            reason="the solver knows Connect Four alone",
        )
    if game.line != 4 or game.columns * (game.rows + 1) > 64:
        raise UsageError(
            f"cannot solve {spec_of(game)}",
            reason="expected lines of 4, and columns * (rows + 1) up to 64",
        )
    return game


def check_same(game: Game, mine: ConnectFour) -> Game:
    """Return the game if it is the board of the solver; raise `UsageError` if not."""
    if game != mine:
        raise UsageError(
            "wrong board", reason=f"got {spec_of(game)}; this solver was made for {spec_of(mine)}"
        )
    return game


def _over(position: Position) -> GameOverError:
    return game_over_error("nothing to solve", position)


def _scratch() -> Numbers:
    return np.zeros(65 * SCRATCH, dtype=np.int64)


@cache
def _compiled_kernel(columns: int, rows: int) -> Callable[..., int]:
    return tiered(solver_kernel(columns, rows))


@cache
def _compiled_copy(key_bits: int) -> Callable[..., int]:
    return tiered(entry_kernels(key_bits).copy_entries)
