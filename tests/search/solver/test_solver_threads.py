"""Threads of the solver: they find what one finds, and wait for their turn."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from search.solver.solver_positions import hard, middling, solved

from plyboard.games.connect_four import ConnectFour
from plyboard.search.solver.solver import Solver


def test_threads_that_ask_the_same_solver_wait_for_their_turn() -> None:
    solver, positions = Solver(), solved("L2_R1") + solved("L1_R1")[:100]

    def wrong(order: int) -> int:
        return sum(solver.solve(position).score != score for position, score in positions[::order])

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(wrong, (1, -1, 2, -2))) == [0] * 4


def test_two_threads_find_what_one_finds() -> None:
    """On 50 positions; in 10 of them the second thread comes to work."""
    alone, together = Solver(), Solver(threads=2)

    for position in middling(40, range(12, 20)) + hard(ConnectFour(), range(11, 14), 2, 10):
        assert together.solve(position).score == alone.solve(position).score, position


def test_two_threads_find_what_one_finds_on_a_wide_board() -> None:
    game = ConnectFour(10, 4)
    alone, together = Solver(game), Solver(game, threads=2)

    for position in hard(game, range(11, 15), 3, 8):
        assert together.solve(position).score == alone.solve(position).score, position
