"""The output of `plyboard solve --batch` and `--check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyboard.cli.common.answer_file import answer_file
from plyboard.cli.common.progress import watched

if TYPE_CHECKING:
    from plyboard.analysis.solve_lines import Line
    from plyboard.search.solver.solver import Solver

WRONG_SHOWN = 10


def solve_batch(solver: Solver, lines: list[Line], weak: bool, out: str | None) -> int:
    """Write moves and score of each line as soon as it is solved; resume an existing file."""
    from plyboard.analysis.solve_lines import score_tasks
    from plyboard.games import spec_of

    settings = {"weak": weak, "game": spec_of(solver.game)}
    with answer_file(out, "solve", settings, [line.moves for line in lines]) as file:
        left = lines[len(file.lines) :]
        scores = watched(score_tasks(solver, left, weak), "solving")
        for line, score in zip(left, scores, strict=True):
            file.append(f"{line.moves} {score}")
    return 0


def solve_check(solver: Solver, lines: list[Line], weak: bool) -> int:
    """Print how many scores are right, and the first wrong ones; return the exit code."""
    from plyboard.analysis.solve_lines import score_tasks

    wrong = []
    for line, score in zip(
        lines, watched(score_tasks(solver, lines, weak), "solving"), strict=True
    ):
        told = int(line.score)
        if score != (max(-1, min(told, 1)) if weak else told):
            wrong.append(f"line {line.number}: {line.moves} has {score}, not {told}")
    print(f"{len(lines) - len(wrong)} right, {len(wrong)} wrong")
    for text in wrong[:WRONG_SHOWN]:
        print(text)
    return 1 if wrong or not lines else 0
