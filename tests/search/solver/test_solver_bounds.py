"""Promise: bounds that the solver takes without a search hold, on boards solved by brute force."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from search.solver.test_solver_exact import BIAS, OVER, SCORE, TAKEN, brute_force, described

from plyboard.kernel import Word, compiled, kernel
from plyboard.kernel.bits import count, number
from plyboard.search.solver.threats import NO_BOUND, threat_kernels

POSITIONS = {(5, 4): 3_945_711, (4, 5): 1_706_255}


@cache
def all_scores(columns: int, rows: int) -> Any:
    memory = np.zeros(1 << 23, dtype=np.uint64)
    compiled(brute_force(columns, rows))(memory)
    assert np.count_nonzero(memory) == POSITIONS[columns, rows]
    return memory


@cache
def spreader(columns: int, rows: int) -> Callable[[int], int]:
    """Return a kernel that lays out a board of brute force as the solver does."""
    column_mask = Word((1 << rows) - 1)
    zero: int = Word(0)

    @kernel
    def spread(discs: int) -> int:
        board = zero
        for column in range(columns):
            board = board | (((discs >> column * rows) & column_mask) << column * (rows + 1))
        return board

    return spread


@cache
def bound_checker(columns: int, rows: int) -> Callable[..., int]:
    """Return a kernel that compares the follow-up bounds of all positions with their scores."""
    cells, spread = columns * rows, spreader(columns, rows)
    cell_mask, over = Word((1 << columns * rows) - 1), Word(1 << OVER)
    kernels = threat_kernels(columns, rows)
    floor, winning, follow_up_bound = kernels.floor, kernels.winning, kernels.follow_up_bound

    @kernel
    def first_wrong(memory: Any, counts: Any) -> int:
        """Return the place of a position whose bound is below its score, or -1.

        Counts how often each bound was found: by the first player, then by the second.
        """
        for place in range(len(memory)):
            entry = Word(memory[place])
            if not entry or entry & over:
                continue
            mine, occupied = spread(entry & cell_mask), spread((entry >> TAKEN) & cell_mask)
            played, heads = count(occupied), occupied + floor
            if winning(mine, occupied) & heads:
                continue
            threats = winning(mine ^ occupied, occupied)
            for alpha in range(-cells // 2, cells // 2):
                bound = follow_up_bound(mine, occupied, heads, played, threats, alpha)
                if bound < number(entry >> SCORE) - BIAS:
                    return place
                if bound != NO_BOUND:
                    counts[played & 1, -bound] += 1
        return -1

    return first_wrong


@pytest.mark.parametrize(("columns", "rows"), POSITIONS)
def test_the_follow_up_bound_holds_in_every_position(columns: int, rows: int) -> None:
    memory, counts = all_scores(columns, rows), np.zeros((2, 32), dtype=np.int64)

    wrong = compiled(bound_checker(columns, rows))(memory, counts)

    assert wrong < 0, described(int(memory[wrong]), columns, rows)
    if rows % 2 == 0:
        assert counts[0, :2].all()  # claimeven: no line of the first player, one of the second
        assert counts[1].any()  # zugzwang
    else:
        assert not counts.any()


@cache
def quick_win_checker(columns: int, rows: int) -> Callable[..., int]:
    """Return a kernel that compares wins within three plies with the scores of all positions."""
    cells, spread = columns * rows, spreader(columns, rows)
    cell_mask, over = Word((1 << columns * rows) - 1), Word(1 << OVER)
    kernels = threat_kernels(columns, rows)
    floor, board, winning = kernels.floor, kernels.board, kernels.winning
    no_safe_reply, wins_in_three = kernels.no_safe_reply, kernels.wins_in_three

    @kernel
    def first_wrong(memory: Any, counts: Any) -> int:
        """Return the place of a position that is judged wrongly, or -1.

        Counts positions without a safe reply and others, then those won with the second disc from
        now and others.
        """
        for place in range(len(memory)):
            entry = Word(memory[place])
            if not entry or entry & over:
                continue
            mine, occupied = spread(entry & cell_mask), spread((entry >> TAKEN) & cell_mask)
            played, possible = count(occupied), (occupied + floor) & board
            if winning(mine, occupied) & possible:
                continue
            score = number(entry >> SCORE) - BIAS
            threats = winning(mine ^ occupied, occupied)
            is_lost = no_safe_reply(threats, possible)
            if is_lost != (score == -((cells - played) // 2) and played < cells - 1):
                return place
            counts[1 if is_lost else 0] += 1
            if is_lost or played > cells - 3:
                continue
            forced = possible & threats
            safe = (forced if forced else possible) & ~(threats >> 1)
            is_won = wins_in_three(mine, occupied, safe)
            if is_won != (score == (cells - 1 - played) // 2):
                return place
            counts[3 if is_won else 2] += 1
        return -1

    return first_wrong


@pytest.mark.parametrize(("columns", "rows"), POSITIONS)
def test_positions_without_a_safe_reply_and_quick_wins_are_just_those_of_brute_force(
    columns: int, rows: int
) -> None:
    memory, counts = all_scores(columns, rows), np.zeros(4, dtype=np.int64)

    wrong = compiled(quick_win_checker(columns, rows))(memory, counts)

    assert wrong < 0, described(int(memory[wrong]), columns, rows)
    assert counts.all()
