"""The perfect solver: exact scores of Connect Four, or proven bounds when time is short."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyboard.errors import GameOverError, UsageError
from plyboard.games import Position, spec_of
from plyboard.games.connect_four import ConnectFour
from plyboard.kernel import compiled
from plyboard.search.boundary import words
from plyboard.search.solver_loop import (
    BUSY,
    CONTROLS,
    HIGH,
    LIMIT,
    LOW,
    NODES,
    SCRATCH,
    SHARED,
    STOP,
    solver,
)
from plyboard.search.solver_table import Table, index_bits_for, least_index_bits

SMALL_INDEX_BITS = 12  # a table that stays in the processor's cache, for positions near the end
SMALL_NODES = 20_000  # and how long it is tried
PATIENCE = 200_000  # nodes after which the search moves to threads, so that Ctrl-C is heard
MOST_MEBIBYTES = 1 << 20
Numbers = NDArray[np.int64]
Bounds = tuple[int, int]


@dataclass(frozen=True)
class Solution:
    """What is proved of a score, as the player to move sees it."""

    lower: int
    upper: int
    nodes: int
    seconds: float

    @property
    def finished(self) -> bool:
        """Whether the score is known exactly."""
        return self.lower == self.upper

    @property
    def score(self) -> int:
        """The exact score; only of a finished solution."""
        assert self.finished
        return self.lower


@dataclass(frozen=True)
class Limit:
    """When to stop, finished or not; None means never."""

    seconds: float | None = None
    nodes: int | None = None


NO_LIMIT = Limit()
NOTHING_YET = Solution(0, 0, 0, 0.0)


class Solver:
    """Solves positions of one board with one table, one after another.

    The table is emptied before each `solve`, so that answers and node counts do not depend on
    what was asked before.
    """

    def __init__(
        self, game: ConnectFour | None = None, mebibytes: int = 64, threads: int = 1
    ) -> None:
        self.game = check_board(game or ConnectFour())
        if threads < 1 or mebibytes < 1:
            raise UsageError(f"got {threads} threads and {mebibytes} MiB; expected at least 1 each")
        self.threads = threads
        key_bits = self.game.columns * (self.game.rows + 1)
        self._big_bits, self._key_bits = index_bits_for(mebibytes, key_bits), key_bits
        self._small: Table | None = None
        if least_index_bits(key_bits) <= SMALL_INDEX_BITS < self._big_bits:
            self._small = Table(SMALL_INDEX_BITS, key_bits)
        self._big: Table | None = None
        self._run = _loop(self.game.columns, self.game.rows)
        self._cells = self.game.columns * self.game.rows
        self._busy = np.zeros(BUSY, dtype=np.uint64)
        self._scratch = _scratch()  # of the searches in the caller's thread
        self._searches: list[Numbers] = []  # what the searches of the last `solve` go by
        self._stopped = False

    def solve(
        self, position: Position, *, weak: bool = False, limit: Limit = NO_LIMIT, keep: bool = False
    ) -> Solution:
        """Return the score of a position that is not over, or bounds when a limit is reached.

        Weak answers tell only who wins: bounds stay within -1 and 1. With `keep` the table is
        not emptied first: for positions that belong together.
        """
        check_position(position, self.game)
        began = time.perf_counter()
        self._searches = []
        start, played = words(position.state), _played(position)
        least, most = -((self._cells - played) // 2), (self._cells + 1 - played) // 2
        bounds = (max(least, -1), min(most, 1)) if weak else (least, most)
        nodes = 0
        if self._small is not None and (limit.nodes or SMALL_NODES) >= SMALL_NODES:
            control = self._once(start, self._small, bounds, SMALL_NODES, keep)
            bounds, nodes = (int(control[LOW]), int(control[HIGH])), int(control[NODES])
        if bounds[0] < bounds[1]:
            bounds, more = self._long(start, bounds, limit, nodes, began, keep)
            nodes += more
        return Solution(*bounds, nodes, time.perf_counter() - began)

    def stop(self) -> None:
        """End the search that runs in another thread, and any that is begun later."""
        self._stopped = True
        for control in list(self._searches):
            control[STOP] = 1

    def so_far(self) -> Solution | None:
        """Return what the running or last `solve` has proved; None before it has begun."""
        searches = list(self._searches)
        if not searches:
            return None
        lower = max(int(control[LOW]) for control in searches)
        upper = min(int(control[HIGH]) for control in searches)
        return Solution(lower, upper, sum(int(control[NODES]) for control in searches), 0.0)

    def moves(
        self, position: Position, *, weak: bool = False, limit: Limit = NO_LIMIT
    ) -> dict[str, Solution]:
        """Return what is proved of each legal move, as the player who makes it sees it."""
        check_position(position, self.game)
        found = {}
        for index, move in enumerate(position.legal_moves()):
            after = position.play(move)
            outcome = after.outcome()
            if outcome is None:
                told = self.solve(after, weak=weak, limit=limit, keep=index > 0)
                found[move] = Solution(-told.upper, -told.lower, told.nodes, told.seconds)
                continue
            score = 0 if outcome.winner is None else (self._cells + 1 - _played(position)) // 2
            score = min(score, 1) if weak else score
            found[move] = Solution(score, score, 0, 0.0)
        return found

    def best_line(self, position: Position) -> tuple[str, ...]:
        """Return best moves of both sides to the end of the game, lowest column first."""
        line: list[str] = []
        while position.outcome() is None:
            scores = self.moves(position)
            best = max(scores, key=lambda move: scores[move].score)
            line.append(best)
            position = position.play(best)
        return tuple(line)

    def plies_left(self, position: Position, score: int) -> int:
        """Return after how many more moves a position of this score ends, with best play."""
        played = _played(position)
        if score == 0:
            return self._cells - played
        discs_left = abs(score) - 1  # of the winner, when the game has ended
        winner_moves = played % 2 == (0 if score > 0 else 1)  # is the winner the player who began?
        first_discs, second_discs = (self._cells + 1) // 2, self._cells // 2
        if winner_moves:
            return 2 * (first_discs - discs_left) - 1 - played
        return 2 * (second_discs - discs_left) - played

    def _once(self, start: Any, table: Table, bounds: Bounds, nodes: int, keep: bool) -> Numbers:
        """Search in this thread for so many nodes at most."""
        if not keep or table.generation == 0:
            table.empty()
        control = _control(bounds, nodes)
        self._search(start, table, control, self._scratch)
        return control

    def _search(self, start: Any, table: Table, control: Numbers, scratch: Numbers) -> None:
        """Run the compiled loop, which writes what it proves into `control`."""
        self._searches.append(control)
        if self._stopped:
            control[STOP] = 1
        entries, bits, generation = table.entries, table.index_bits, table.generation
        self._run(start, entries, bits, generation, scratch, control, self._busy)

    def _long(
        self,
        start: Any,
        bounds: Bounds,
        limit: Limit,
        spent: int,
        began: float,
        keep: bool,
    ) -> tuple[Bounds, int]:
        """Search with the large table until the bounds meet or a limit is reached."""
        if self._big is None:
            self._big = Table(self._big_bits, self._key_bits)
        table = self._big
        allowed = None if limit.nodes is None else max(limit.nodes - spent, 1)
        first = self._once(start, table, bounds, min(PATIENCE, allowed or PATIENCE), keep)
        bounds, nodes = (int(first[LOW]), int(first[HIGH])), int(first[NODES])
        if bounds[0] == bounds[1] or (allowed is not None and nodes >= allowed):
            return bounds, nodes
        rest = 0 if allowed is None else allowed - nodes
        controls = [_control(bounds, rest, self.threads > 1) for _ in range(self.threads)]
        end = None if limit.seconds is None else began + limit.seconds
        self._busy.fill(0)
        _race(lambda control: self._search(start, table, control, _scratch()), controls, end)
        lower = max(int(control[LOW]) for control in controls)
        upper = min(int(control[HIGH]) for control in controls)
        return (lower, upper), nodes + sum(int(control[NODES]) for control in controls)


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


def check_position(position: Position, game: ConnectFour) -> None:
    """Refuse a position of another board, and one that is over."""
    if position.game != game:
        raise UsageError(
            f"wrong board: got {spec_of(position.game)}; this solver was made for {spec_of(game)}"
        )
    if position.outcome() is not None:
        raise GameOverError(f"nothing to solve: the game is over\n{position.board()}")


def _played(position: Position) -> int:
    return int(position.state[1]).bit_count()


def _scratch() -> Numbers:
    return np.zeros(65 * SCRATCH, dtype=np.int64)


def _control(bounds: Bounds, nodes: int, shared: bool = False) -> Numbers:
    control = np.zeros(CONTROLS, dtype=np.int64)
    control[LOW], control[HIGH] = bounds
    control[LIMIT], control[SHARED] = nodes, shared
    return control


@cache
def _loop(columns: int, rows: int) -> Callable[..., Any]:
    return compiled(solver(columns, rows))


def _race(search: Callable[[Numbers], None], controls: list[Numbers], end: float | None) -> None:
    """Search in one thread for each control until one is done or time is up; stop the others."""
    done = threading.Event()

    def work(control: Numbers) -> None:
        try:
            search(control)
        finally:
            done.set()

    threads = [threading.Thread(target=work, args=(each,), daemon=True) for each in controls]
    for thread in threads:
        thread.start()
    try:
        while not done.wait(0.05):
            if end is not None and time.perf_counter() >= end:
                break
    finally:
        for control in controls:
            control[STOP] = 1
        for thread in threads:
            thread.join()
