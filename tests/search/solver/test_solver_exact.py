"""Promise: the solver's scores are exact. Large questions, for compiled code alone.

What is compared, and with what:

- every position of 5x4 (3,945,711) and 4x5 (1,706,255) with brute force, itself compiled;
- the sets of positions that P. Pons published: all of L3_R1, L2_R1 and L1_R1, and the first of
  L1_R3, as all of these take minutes;
- J. Tromp's table of winners by board size, and what is known of first moves;
- late positions of the largest boards with the slow solver, and, where it is installed, BitBully
  with random positions.

Boards are columns by rows.
"""

from __future__ import annotations

import importlib
import importlib.util
import itertools
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from search.solver.solver_positions import middling, solved
from search.solver.test_solver_oracle import SlowSolver, discs_of, lines, mirrored, some_positions

from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.kernel import Word, compiled, kernel
from plyboard.kernel.bits import count, mix, number
from plyboard.search.solver.negamax import CONTROLS, HIGH, LOW, SCRATCH, SEARCHING, solver_kernel
from plyboard.search.solver.solver import Solver
from plyboard.search.solver.table import SolverTable

HARD_ONES = 10  # positions of L1_R3: about 15 seconds

# Who wins by (columns, rows): 1 the first player, 0 nobody, -1 the second. J. Tromp's table, of
# which `benchmarks/winners.py` solves the rest.
WINNERS = {(4, 4): 0, (4, 5): 0, (5, 4): 0, (5, 5): 0, (6, 4): -1, (7, 4): 0}
# The score of each first move: 5x4, 6x4 and 7x4 are lost with the last disc or drawn.
FIRST_MOVES = {
    (5, 4): (-1, 0, 0, 0, -1),
    (6, 4): (-1, -1, -1, -1, -1, -1),
    (7, 4): (-1, -1, -1, 0, -1, -1, -1),
    (4, 4): (0,) * 4, (4, 5): (0,) * 4, (5, 5): (0,) * 5,
}  # fmt: skip

# An entry of the brute force: my discs, all discs, the score; the sign that the game is over.
TAKEN, SCORE, OVER = 20, 40, 60
BIAS = 32


@cache
def brute_force(columns: int, rows: int) -> Callable[..., int]:
    """Return a kernel that writes the score of every position into an array, by trying all."""
    cells = columns * rows
    masks = tuple(Word(line) for line in lines(columns, rows))
    full, key_mask = Word((1 << cells) - 1), Word((1 << SCORE) - 1)
    column_mask = Word((1 << rows) - 1)
    one: int = Word(1)
    over: int = Word(1 << OVER)
    zero: int = Word(0)

    @kernel
    def has_line(discs: int) -> bool:
        for mask in masks:  # noqa: SIM110 - kernels know no generators
            if discs & mask == mask:
                return True
        return False

    @kernel
    def explore(mine: int, taken: int, memory: Any, top: int) -> int:
        """Return the score as the player to move sees it; finished positions count too."""
        key = mine | (taken << TAKEN)
        place = number(mix(key)) & top
        while memory[place]:
            entry = Word(memory[place])
            if entry & key_mask == key:
                return number((entry & ~over) >> SCORE) - BIAS
            place = (place + 1) & top
        played, best, ended = count(taken), -BIAS, zero
        if has_line(taken ^ mine):
            best, ended = -((cells + 2 - played) // 2), over
        elif taken == full:
            best, ended = 0, over
        else:
            for column in range(columns):
                height = count((taken >> column * rows) & column_mask)
                if height < rows:
                    cell = one << (column * rows + height)
                    best = max(best, -explore(taken ^ mine, taken | cell, memory, top))
        while memory[place]:
            place = (place + 1) & top
        memory[place] = key | (Word(best + BIAS) << SCORE) | ended
        return best

    @kernel
    def fill(memory: Any) -> int:
        return explore(zero, zero, memory, len(memory) - 1)

    return fill


@cache
def first_difference(columns: int, rows: int) -> Callable[..., int]:
    """Return a kernel that solves each position in an array, and gives the place of a fault."""
    cells = columns * rows
    column_mask = Word((1 << rows) - 1)
    cell_mask, over = Word((1 << cells) - 1), Word(1 << OVER)
    zero: int = Word(0)
    solve = solver_kernel(columns, rows)

    @kernel
    def spread(discs: int) -> int:
        """Leave a bit to spare above each column."""
        board = zero
        for column in range(columns):
            board = board | (((discs >> column * rows) & column_mask) << column * (rows + 1))
        return board

    @kernel
    def compare(
        memory: Any, table: Any, bits: int, scratch: Any, control: Any, searching: Any
    ) -> int:
        generation = 0
        for place in range(len(memory)):
            entry = Word(memory[place])
            if entry and not entry & over:
                taken = (entry >> TAKEN) & cell_mask
                left = cells - count(taken)
                generation += 1
                solve(
                    spread(entry & cell_mask), spread(taken), -(left // 2), (left + 1) // 2, 0,
                    table, bits, generation, scratch, control, searching,
                )  # fmt: skip
                score = number(entry >> SCORE) - BIAS
                if control[LOW] != score or control[HIGH] != score:
                    return place
        return -1

    return compare


@pytest.mark.parametrize(("columns", "rows", "positions"), [(5, 4, 3_945_711), (4, 5, 1_706_255)])
def test_every_position_of_a_small_board(columns: int, rows: int, positions: int) -> None:
    memory = np.zeros(1 << 23, dtype=np.uint64)
    compiled(brute_force(columns, rows))(memory)

    assert np.count_nonzero(memory) == positions

    table = SolverTable(index_bits=12, key_bits=columns * (rows + 1))
    fault = compiled(first_difference(columns, rows))(
        memory, table.entries, table.index_bits,
        np.zeros(65 * SCRATCH, dtype=np.int64), np.zeros(CONTROLS, dtype=np.int64),
        np.zeros(SEARCHING, dtype=np.uint64),
    )  # fmt: skip
    assert table.last_generation > positions  # so that each position found an empty table
    assert fault < 0, described(int(memory[fault]), columns, rows)


def described(entry: int, columns: int, rows: int) -> str:
    """Return an entry of the brute force as a person reads it."""
    cells = (1 << columns * rows) - 1
    mine, taken, score = entry & cells, entry >> TAKEN & cells, (entry >> SCORE) - BIAS
    position = SlowSolver(columns, rows).position((mine, taken ^ mine))
    found = Solver(ConnectFour(columns, rows)).solve(position)
    return f"the score is {score}, the solver finds {found}\n{position}"


@pytest.mark.parametrize("name", ["L3_R1", "L2_R1", "L1_R1"])
def test_a_published_set_without_a_miss(name: str) -> None:
    solver, positions = Solver(), solved(name)

    assert len(positions) == 500
    for position, score in positions:
        assert solver.solve(position).score == score, position


def test_the_first_hard_positions_without_a_miss() -> None:
    solver, positions = Solver(), solved("L1_R3")

    assert len(positions) == 200
    for position, score in positions[:HARD_ONES]:
        assert solver.solve(position).score == score, position


@pytest.mark.parametrize(("columns", "rows"), WINNERS)
def test_winners_by_board_size_are_those_of_tromp(columns: int, rows: int) -> None:
    solver = Solver(ConnectFour(columns, rows))

    assert solver.solve(Position(solver.game), weak=True).score == WINNERS[columns, rows]


@pytest.mark.parametrize(("columns", "rows"), FIRST_MOVES)
def test_what_each_first_move_is_worth(columns: int, rows: int) -> None:
    solver = Solver(ConnectFour(columns, rows))
    found = solver.moves(Position(solver.game))

    assert tuple(each.score for each in found.values()) == FIRST_MOVES[columns, rows]


def test_mirrored_positions_of_the_usual_board_score_alike() -> None:
    solver = Solver()

    for position in middling(200):
        assert solver.solve(position).score == solver.solve(mirrored(position)).score, position


def test_weak_answers_of_the_usual_board_have_the_sign_of_the_score() -> None:
    solver = Solver()

    for position in middling(200, seed=8):
        score = solver.solve(position).score
        assert solver.solve(position, weak=True).score == (score > 0) - (score < 0), position


@pytest.mark.parametrize(("columns", "rows"), [(8, 7), (9, 6)])
def test_late_positions_of_the_largest_boards(columns: int, rows: int) -> None:
    """Boards whose keys fill a word, or all but a bit of one: the table has no room to spare."""
    game, slow = ConnectFour(columns, rows), SlowSolver(columns, rows)
    solver, last = Solver(game, mebibytes=128), columns * rows

    positions = some_positions(game, range(last - 10, last), seed=11)
    for position in itertools.islice(positions, 40):
        assert solver.solve(position).score == slow.score(discs_of(position)), position
        assert solver.solve(mirrored(position)).score == slow.score(discs_of(position)), position


if importlib.util.find_spec("bitbully"):

    def test_bitbully_finds_the_same() -> None:
        bitbully_core = importlib.import_module("bitbully.bitbully_core")
        solver, peer = Solver(), bitbully_core.BitBullyCore()
        for position in middling(2000, range(12, 40), seed=13):
            board = bitbully_core.BoardCore()
            assert board.setBoard([int(move) - 1 for move in position.moves])
            assert solver.solve(position).score == peer.mtdf(board, 0), position
