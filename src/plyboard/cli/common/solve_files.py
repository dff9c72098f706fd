"""The output of `plyboard solve --batch` and `--check`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyboard.cli.common.answer_file import answer_file, wrong_answers
from plyboard.cli.common.progress import watched

if TYPE_CHECKING:
    from plyboard.analysis.solve_lines import Line
    from plyboard.search.solver.solver import Solver

WRONG_SHOWN = 10


def solve_batch(solver: Solver, lines: list[Line], weak: bool, out: str | None) -> int:
    """Write moves and score of each line as soon as it is solved; resume an existing file."""
    from plyboard.analysis.solve_lines import score_tasks

    with answer_file(out) as file:
        old, begun = file.lines, file.begun
        answered = [answer.rpartition(" ")[0] for answer in old]
        fits = answered == [line.moves for line in lines[: len(old)]] and (
            not begun or len(lines) > len(old)
        )
        left = lines[len(old) :] if fits else []
        for line, score in zip(
            left, watched(score_tasks(solver, left, weak), "solving"), strict=True
        ):
            answer = f"{line.moves} {score}"
            fits = fits and answer.startswith(begun)
            if not fits:
                break
            file.append(f"{answer[len(begun) :]}\n")
            begun = ""
        if not fits:
            raise wrong_answers(str(out))
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
