"""What the solver remembers changes neither its scores nor its nodes."""

from __future__ import annotations

from search.solver.solver_positions import middling, solved

from plyboard.games import Position
from plyboard.search.solver.solver import Solver


def test_the_nodes_of_moves_do_not_depend_on_what_was_asked_before() -> None:
    """The first move is done in the small table; the large one still has what was before."""
    solver, position = Solver(), Position("connect-four").play(*"44444432531")

    first, again = solver.moves(position), solver.moves(position)

    assert sum(each.nodes for each in first.values()) > 100_000
    assert [each.nodes for each in again.values()] == [each.nodes for each in first.values()]


def test_small_and_large_tables_agree() -> None:
    small, large = Solver(mebibytes=1), Solver(mebibytes=64)

    for position in middling(100, range(12, 20), seed=9):
        assert small.solve(position).score == large.solve(position).score, position


def test_a_position_takes_the_same_nodes_again() -> None:
    solver = Solver()
    positions = [*middling(50, range(12, 20), seed=10), solved("L1_R3")[5][0]]

    first = [solver.solve(position).nodes for position in positions]
    assert [solver.solve(position).nodes for position in reversed(positions)] == first[::-1]
    assert first[-1] > 300_000
