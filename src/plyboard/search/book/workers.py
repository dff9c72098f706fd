"""Positions of a book solved side by side, in processes of their own."""

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
NEIGHBOURS = 4  # positions that a process solves in a row: what it knows of one helps with the next


@dataclass(frozen=True)
class SolverPool:
    """Some processes, each with a solver that keeps its table from one position to the next."""

    game: ConnectFour
    mebibytes: int  # for each process
    threads: int  # of each process
    processes: int

    def solve(self, positions: Sequence[Actions]) -> Iterator[tuple[Actions, int]]:
        """Yield each position with its score, in whatever order they are done.

        Whoever leaves early leaves no process behind.
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


_solver: Solver | None = None  # of this process, where it is one of the workers


def _begin(spec: str, mebibytes: int, threads: int) -> None:
    """Make the solver of a process that goes when its parent does, and not by Ctrl-C."""
    global _solver
    begin_worker()
    _solver = Solver(check_board(find_game(spec)), mebibytes, threads)


def _solve(batch: Sequence[Actions]) -> list[int]:
    assert _solver is not None
    start = Position(_solver.game)
    return [_solver.solve(start.play(*actions), keep=True).score for actions in batch]
