"""Limits of the solver: what it has not finished lies within the bounds it tells."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import pytest
from search.solver.solver_positions import solved

from plyboard.games import Position
from plyboard.search.common.budget import Budget, SearchMonitor
from plyboard.search.solver.solver import NO_LIMIT, Solution, Solver


@pytest.mark.parametrize(
    "limit",
    [Budget(nodes=50), Budget(nodes=1000), Budget(nodes=30_000)],
    ids=lambda each: each.nodes,
)
def test_a_limit_leaves_bounds_that_contain_the_score(limit: Budget) -> None:
    assert limit.nodes is not None
    solver, unfinished = Solver(), 0

    for position, score in solved("L1_R1")[::10] + solved("L1_R3")[:10]:
        told = solver.solve(position, limit=limit)
        assert told.lower <= score <= told.upper, position
        assert told.nodes <= limit.nodes + 2 * 42  # each search follows its branch to the end
        unfinished += not told.finished
        weak = solver.solve(position, weak=True, limit=limit)
        assert weak.lower <= max(-1, min(1, score)) <= weak.upper, position

    assert unfinished >= 10


def test_a_limit_of_time_leaves_bounds_that_contain_the_score() -> None:
    position, score = solved("L1_R3")[6]

    for threads in (1, 2):
        told = Solver(threads=threads).solve(position, limit=Budget(seconds=0.1))
        assert not told.finished
        assert told.lower <= score <= told.upper


def test_threads_share_a_limit_of_nodes() -> None:
    position, limit = solved("L1_R3")[6][0], Budget(nodes=400_000)

    for threads in (1, 2, 3):
        told = Solver(threads=threads).solve(position, limit=limit)
        assert not told.finished
        assert told.nodes <= 400_000 + (threads + 1) * 42


def test_moves_share_a_limit_of_nodes() -> None:
    solver, position = Solver(), solved("L1_R3")[6][0]

    found = solver.moves(position, limit=Budget(nodes=70_000))

    nodes = [each.nodes for each in found.values()]
    assert 60_000 < sum(nodes) <= 70_000 + len(nodes) * 2 * 42
    assert min(nodes) > 9_000


class Recording(Solver):
    """Notes how long each question may take, and answers none."""

    def solve(
        self,
        position: Position,
        *,
        weak: bool = False,
        window: tuple[int, int] | None = None,
        limit: Budget = NO_LIMIT,
        keep: bool = False,
    ) -> Solution:
        assert limit.seconds is not None
        self.allowed = [*getattr(self, "allowed", []), limit.seconds]
        return Solution(-1, 1)


def test_moves_share_a_limit_of_time() -> None:
    solver = Recording()

    solver.moves(Position("connect-four"), limit=Budget(seconds=7))

    assert 0.9 < solver.allowed[0] <= 1
    assert solver.allowed == sorted(solver.allowed)  # what one leaves goes to those after it
    assert solver.allowed[-1] <= 7


def stopped_at_work(solver: Solver, position: Position, before: Callable[[], None]) -> Solution:
    """Let a thread solve; when it is well under way, do something, then stop it."""
    monitor = SearchMonitor()
    with ThreadPoolExecutor(1) as pool:
        result = pool.submit(solver.solve, position, limit=Budget(monitor=monitor))
        while (told := solver.so_far()) is None or told.nodes < 100_000:
            assert not result.done()
        before()
        monitor.stop()
    return result.result()


def test_a_watch_stops_a_search_and_leaves_the_next_one_alone() -> None:
    solver, (position, score) = Solver(), solved("L1_R3")[6]
    monitor, easy = SearchMonitor(), solved("L1_R1")[0]
    monitor.stop()

    told = stopped_at_work(solver, position, lambda: None)

    assert not told.finished
    assert told.lower <= score <= told.upper
    assert solver.solve(position, limit=Budget(monitor=monitor)).nodes < 1_000
    assert solver.solve(easy[0]).score == easy[1]


def test_who_cannot_wait_for_the_turn_gets_what_is_known() -> None:
    solver, (position, score), late = Solver(), solved("L1_R3")[6], list[Solution]()
    easy, stopped = solved("L2_R1")[0][0], SearchMonitor()
    stopped.stop()

    def ask() -> None:
        for limit in (Budget(seconds=0.01), Budget(monitor=stopped)):
            late.append(solver.solve(easy, limit=limit))

    told = stopped_at_work(solver, position, ask)

    assert told.lower <= score <= told.upper
    for each in late:
        assert (each.finished, each.nodes) == (False, 0)
        assert each.lower <= solver.solve(easy).score <= each.upper
