"""Scores of many easy positions, given as strings of moves, in one compiled call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from plyboard.games.connect_four import ConnectFour
from plyboard.kernel import Word, kernel
from plyboard.search.common.control import STOP, control_of
from plyboard.search.common.tiers import tiered
from plyboard.search.solver.negamax import (
    CONTROLS,
    HIGH,
    LOW,
    NO_BOUND,
    OVER,
    SCRATCH,
    SEARCHING,
    solver_kernel,
)
from plyboard.search.solver.solver import SMALL_INDEX_BITS, SMALL_NODES, check_board
from plyboard.search.solver.table import SolverTable, least_index_bits
from plyboard.search.solver.threats import threat_kernels

FIRST_COLUMN = ord("1")


@cache
def batch_kernel(columns: int, rows: int) -> Callable[..., int]:
    """Return the kernel that solves the positions after many lines of moves."""
    kernels, solve = threat_kernels(columns, rows), solver_kernel(columns, rows)
    floor, has_line = kernels.floor, kernels.has_line
    column_cells = tuple(
        Word(((1 << rows) - 1) << column * (rows + 1)) for column in range(columns)
    )
    zero: int = Word(0)

    @kernel
    def replay(moves: Any, begin: int, end: int, start: Any) -> bool:
        """Write the position after some moves to `start`; return False if they are not legal.

        Moves after the end of a game are found as well, because a completed line stays on the
        board.
        """
        mine, occupied = zero, zero
        for place in range(begin, end):
            column = int(moves[place]) - FIRST_COLUMN
            if column < 0 or column >= columns:
                return False
            cell = (occupied + floor) & column_cells[column]
            if not cell:
                return False
            mine, occupied = mine ^ occupied, occupied | cell
        start[0], start[1] = mine, occupied
        return not has_line(mine)

    @kernel
    def solve_lines(
        moves: Any, ends: Any, scores: Any, low: int, high: int, start: Any, table: Any,
        bits: int, generation: int, last: int, scratch: Any, control: Any, searching: Any,
    ) -> int:  # fmt: skip
        """Write the score of each line of moves, or NO_BOUND; return the last generation used.

        It takes the arrays of the solver one by one, because a record makes the kernel slower.
        """
        begin = 0
        for index in range(len(ends)):
            end = int(ends[index])
            generation += 1
            if generation > last:
                generation = min(1, last)
                for place in range(len(table)):
                    table[place] = zero
            control[STOP] = 0
            scores[index] = NO_BOUND
            if replay(moves, begin, end, start):
                found = solve(
                    Word(start[0]), Word(start[1]), low, high, SMALL_NODES, table, bits, generation,
                    scratch, control, searching,
                )  # fmt: skip
                if found != OVER and control[LOW] == control[HIGH]:
                    scores[index] = control[LOW]
            begin = end
        return generation

    return solve_lines


class Batch:
    """Solves the easy positions among many of one board, each with an empty table."""

    def __init__(self, game: ConnectFour | None = None) -> None:
        board = check_board(game or ConnectFour())
        key_bits = board.columns * (board.rows + 1)
        bits = max(min(SMALL_INDEX_BITS, key_bits - 1), least_index_bits(key_bits))
        self._table = SolverTable(bits, key_bits)
        self._kernel = _compiled_kernel(board.columns, board.rows)
        self._start = np.zeros(2, dtype=np.uint64)
        self._scratch = np.zeros(65 * SCRATCH, dtype=np.int64)
        self._control = control_of(CONTROLS)
        self._searching = np.zeros(SEARCHING, dtype=np.uint64)

    def scores(self, lines: Sequence[str], *, weak: bool = False) -> list[int | None]:
        """Return the score after each line of moves, which are strings of digits.

        It is None if the position takes too long, if the moves are not legal, and if the game is
        over.
        """
        moves = np.frombuffer("".join(lines).encode("latin-1"), dtype=np.uint8)
        ends = np.cumsum([len(line) for line in lines], dtype=np.int64)
        scores = np.zeros(len(lines), dtype=np.int64)
        most, table = 1 if weak else NO_BOUND, self._table
        table.generation = self._kernel(
            moves, ends, scores, -most, most, self._start, table.entries, table.index_bits,
            table.generation, table.last_generation, self._scratch, self._control, self._searching,
        )  # fmt: skip
        return [None if score == NO_BOUND else score for score in scores.tolist()]


@cache
def _compiled_kernel(columns: int, rows: int) -> Callable[..., int]:
    return tiered(batch_kernel(columns, rows))
