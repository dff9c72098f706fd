"""Solving the positions of a book in parallel processes."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

from plyboard.errors import UnusableError
from plyboard.games.catalogue import game as find_game
from plyboard.games.connect_four import ConnectFour
from plyboard.games.game import spec_of
from plyboard.games.position import Position
from plyboard.search.common.child_process import begin_worker
from plyboard.search.solver.solver import Solver, check_board

Actions = tuple[int, ...]
NEIGHBOURS = 4  # positions in a batch; the table of one helps with the next


@dataclass(frozen=True)
class SolverPool:
    """A pool of processes, each with a solver that keeps its table between positions."""

    game: ConnectFour
    mebibytes: int  # for each process
    threads: int  # of each process
    processes: int

    def solve(self, positions: Sequence[Actions]) -> Iterator[tuple[Actions, int]]:
        """Yield each position with its score, in the order of completion.

        Closing the generator early ends all processes.
        """
        batches = [positions[at : at + NEIGHBOURS] for at in range(0, len(positions), NEIGHBOURS)]
        arguments = (spec_of(self.game), self.mebibytes, self.threads)
        pool = ProcessPoolExecutor(
            self.processes, multiprocessing.get_context("spawn"), _begin, arguments
        )
        own: list[multiprocessing.process.BaseProcess] = []
        before = set(multiprocessing.active_children())
        try:
            futures = {pool.submit(_solve, batch): batch for batch in batches}
            own = [each for each in multiprocessing.active_children() if each not in before]
            for future in as_completed(futures):
                yield from zip(futures[future], future.result(), strict=True)
        except BrokenProcessPool:
            raise UnusableError("a process has died; what was solved is kept") from None
        finally:
            for process in own:
                process.terminate()
            pool.shutdown(cancel_futures=True)


_solver: Solver | None = None  # of this worker process


def _begin(spec: str, mebibytes: int, threads: int) -> None:
    """Create the solver of a worker process."""
    global _solver
    begin_worker()
    _solver = Solver(check_board(find_game(spec)), mebibytes, threads)


def _solve(batch: Sequence[Actions]) -> list[int]:
    assert _solver is not None
    start = Position(_solver.game)
    return [_solver.solve(start.apply_action(*actions), keep=True).score for actions in batch]
