"""Promise: the solver's scores are exact. Small boards and small questions, compiled and plain.

`test_solver_exact` asks the large ones.
"""

from __future__ import annotations

import itertools
import re
from functools import cache

import pytest
from search.solver.test_solver_oracle import SlowSolver, discs_of, mirrored, some_positions

from plyboard.errors import GameOverError, UnusableError, UsageError
from plyboard.games import Position, game
from plyboard.games.connect_four import ConnectFour
from plyboard.kernel import jit_is_on
from plyboard.search.common.budget import Budget
from plyboard.search.solver.solver import Solver

pytestmark = pytest.mark.kernels

SMALL = ConnectFour(4, 4)
EVERY = 1 if jit_is_on() else 500  # which of the positions of 4x4 are solved
BUSY_END = "561762357765374673712316615"  # a late position that still takes a search
MANY = 200 if jit_is_on() else 20
# Boards too narrow or too low for anybody to win on: each takes as long to compile as to solve.
LOW_BOARDS = [
    (columns, rows)
    for columns, rows in itertools.product(range(1, 7), range(1, 7))
    if min(columns, rows) < 4
]


@cache
def all_solved() -> SlowSolver:
    """Return a slow solver that has solved every position of 4x4."""
    slow = SlowSolver(4, 4)
    slow.score((0, 0))
    return slow


def small_positions(plies: range, seed: int = 0) -> list[Position]:
    return list(itertools.islice(some_positions(SMALL, plies, seed), MANY))


def test_every_position_of_the_smallest_board() -> None:
    """All 161,029 legal positions of 4x4 (with the JIT off, one in 500), against brute force."""
    slow, solver = all_solved(), Solver(SMALL, mebibytes=1)

    for discs, score in itertools.islice(slow.scores.items(), None, None, EVERY):
        position = slow.position(discs)
        assert solver.solve(position).score == score, position


@pytest.mark.parametrize(("columns", "rows"), LOW_BOARDS if not jit_is_on() else [(3, 6), (1, 1)])
def test_low_and_narrow_boards_are_draws(columns: int, rows: int) -> None:
    solver = Solver(ConnectFour(columns, rows), mebibytes=1)

    assert solver.solve(Position(solver.game), weak=True).score == 0


def test_the_score_of_each_move() -> None:
    slow, solver = all_solved(), Solver(SMALL, mebibytes=1)

    for position in small_positions(range(6, 16)):
        discs = discs_of(position)
        worth = {str(cell // 4 + 1): slow.worth(discs, cell) for cell in slow.moves(discs)}
        found = solver.moves(position)
        assert {move: solution.score for move, solution in found.items()} == worth


def test_mirrored_positions_score_alike() -> None:
    solver = Solver(SMALL, mebibytes=1)

    for position in small_positions(range(4, 16)):
        turned = mirrored(position)
        assert solver.solve(position).score == solver.solve(turned).score


def test_a_weak_answer_is_the_sign_of_the_score() -> None:
    solver = Solver(SMALL, mebibytes=1)

    for position in small_positions(range(5, 16)):
        score = solver.solve(position).score
        assert solver.solve(position, weak=True).score == (score > 0) - (score < 0)
        signs = {move: each.score for move, each in solver.moves(position, weak=True).items()}
        scores = {move: each.score for move, each in solver.moves(position).items()}
        assert signs == {move: (score > 0) - (score < 0) for move, score in scores.items()}


@pytest.mark.parametrize("weak", [False, True])
def test_what_a_limit_leaves_are_bounds_that_hold(weak: bool) -> None:
    slow, solver, unfinished = all_solved(), Solver(SMALL, mebibytes=1), 0

    for index, position in enumerate(small_positions(range(5, 9))):
        nodes = 1 + index % 30
        told = solver.solve(position, weak=weak, limit=Budget(nodes=nodes))
        score = slow.score(discs_of(position))
        expected = max(-1, min(1, score)) if weak else score
        assert told.lower <= expected <= told.upper
        assert told.nodes <= nodes + 16  # the branch it is in is followed to its end
        unfinished += not told.finished

    assert unfinished > MANY // 10


def test_node_counts_do_not_depend_on_what_was_asked_before() -> None:
    solver, positions = Solver(SMALL, mebibytes=1), small_positions(range(6, 12))

    first = [solver.solve(position).nodes for position in positions]

    assert [solver.solve(position).nodes for position in reversed(positions)] == first[::-1]
    assert [Solver(SMALL).solve(position).nodes for position in positions[:5]] == first[:5]


def test_tables_of_any_size_agree() -> None:
    small, large = Solver(SMALL, mebibytes=1), Solver(SMALL, mebibytes=64)

    for position in small_positions(range(6, 12)):
        assert small.solve(position).score == large.solve(position).score


def test_a_table_that_has_counted_all_its_generations_starts_afresh() -> None:
    slow, solver = SlowSolver(7, 6), Solver(mebibytes=1)
    positions = some_positions(ConnectFour(), range(34, 42), seed=5)

    for _, position in zip(range(300 if jit_is_on() else 140), positions, strict=False):
        assert solver.solve(position).score == slow.score(discs_of(position)), position


@pytest.mark.parametrize("between", [0, 61, 62, 63, 125])
def test_node_counts_survive_the_end_of_the_generations(between: int) -> None:
    """The small table of this board counts to 63: what is left from its start is wiped then."""
    solver, position = Solver(mebibytes=1), Position.read(BUSY_END)
    nodes = solver.solve(position).nodes

    assert nodes > 10
    for _ in range(between):
        solver.solve(Position("connect-four").play(*"112233"))  # leaves nothing in the table
    assert solver.solve(position).nodes == nodes


def test_a_win_with_the_next_disc() -> None:
    solver, position = Solver(SMALL, mebibytes=1), Position(SMALL).play(*"112233")

    assert solver.solve(position).score == 5  # 8 discs, 4 used, 4 left, plus one
    assert solver.solve(position, weak=True).score == 1
    assert solver.moves(position)["4"].score == 5
    assert solver.best_line(position) == ("4",)
    assert Solver().solve(Position("connect-four").play(*"112233")).score == 18


def test_a_loss_that_cannot_be_stopped() -> None:
    solver, position = Solver(), Position("connect-four").play(*"33445")  # 2 and 6 are both open

    assert solver.solve(position).score == -18
    assert {each.score for each in solver.moves(position).values()} == {-18}
    assert solver.plies_left(position, -18) == 2


def test_the_last_cell_ends_in_a_draw_or_a_win() -> None:
    solver, seen = Solver(SMALL, mebibytes=1), set[int]()

    for position in itertools.islice(some_positions(SMALL, range(15, 16), seed=3), 2 * MANY):
        won = position.play(*position.legal_moves()).outcome()
        assert won is not None
        score = solver.solve(position).score
        assert score == (0 if won.winner is None else 1)
        seen.add(score)

    assert seen == {0, 1}


def test_the_best_line_ends_when_the_score_says() -> None:
    solver = Solver(SMALL, mebibytes=1)

    for position in small_positions(range(8, 16)):
        score = solver.solve(position).score
        line = solver.best_line(position)
        end = position.play(*line).outcome()
        assert end is not None
        assert len(line) == solver.plies_left(position, score)
        winner = None if score == 0 else position.mover if score > 0 else 1 - position.mover
        assert end.winner == winner


def test_a_finished_position_is_refused() -> None:
    won = Position("connect-four").play(*"1212121")

    with pytest.raises(GameOverError, match=r"^nothing to solve: the game is over\n") as told:
        Solver().solve(won)
    assert won.board() in str(told.value)
    with pytest.raises(GameOverError, match="the game is over"):
        Solver().moves(won)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("squatter", "cannot solve Squatter: the solver knows Connect Four alone"),
        ("conniption", "cannot solve Conniption: the solver knows Connect Four alone"),
        (
            "connect-four:line=5",
            "cannot solve connect-four:line=5: "
            "expected lines of 4, and columns * (rows + 1) up to 64",
        ),
        (
            "connect-four:columns=9,rows=7",
            "cannot solve connect-four:columns=9,rows=7: "
            "expected lines of 4, and columns * (rows + 1) up to 64",
        ),
    ],
)
def test_a_game_it_does_not_know_is_refused(spec: str, message: str) -> None:
    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        Solver(game(spec))  # type: ignore[arg-type]


def test_a_position_of_another_board_is_refused() -> None:
    message = (
        "wrong board: got connect-four; this solver was made for connect-four:columns=4,rows=4"
    )

    with pytest.raises(UsageError, match=f"^{re.escape(message)}$"):
        Solver(SMALL).solve(Position("connect-four"))


def test_a_table_too_small_for_the_board_is_refused() -> None:
    message = "table too small: got 64 MiB; this board needs 128 MiB"

    with pytest.raises(UnusableError, match=f"^{re.escape(message)}$"):
        Solver(ConnectFour(8, 7), mebibytes=64)


def test_a_solver_without_threads_or_memory_is_refused() -> None:
    with pytest.raises(UsageError, match="expected at least 1 each"):
        Solver(threads=0)
    with pytest.raises(UsageError, match="expected at least 1 each"):
        Solver(mebibytes=-64)
