"""The output of `plyboard solve --batch` and `--check`."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from plyboard.cli.common.progress import watched
from plyboard.durable import Appender
from plyboard.errors import Place, UnusableError

if TYPE_CHECKING:
    from plyboard.analysis.solve_lines import Line
    from plyboard.search.solver.solver import Solver

WRONG_SHOWN = 10


def solve_batch(solver: Solver, lines: list[Line], weak: bool, out: str | None) -> int:
    """Write moves and score of each line as soon as it is solved; resume an existing file."""
    from plyboard.analysis.solve_lines import score_tasks

    with _opened(out) as (old, append):
        begun = old.pop()  # the start of an unfinished answer
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
            append(f"{answer[len(begun) :]}\n")
            begun = ""
        if not fits:
            raise UnusableError(
                "cannot go on with", where=Place(file=str(out)), reason="it answers other lines"
            )
    return 0


@contextmanager
def _opened(name: str | None) -> Iterator[tuple[list[str], Callable[[str], None]]]:
    """Give the lines of a file, and a function that appends to it; never truncates a file."""
    if name is None:  # name the stream, or the progress bar redirects the output
        yield [""], partial(print, end="", file=_output(), flush=True)
        return
    try:
        if os.path.lexists(name) and not Path(name).is_file():
            raise UnusableError(
                "cannot write", where=Place(file=name), reason="it is no plain file"
            )
        with Path(name).open("a+", encoding="utf-8", errors="replace", newline="\n") as file:
            file.seek(0)
            old, appender = file.read().split("\n"), Appender(file)
            try:
                yield old, appender.append
            finally:
                appender.sync()
    except (OSError, ValueError) as fault:
        raise UnusableError.of("cannot write", name, fault) from None


def _output() -> TextIO | None:
    return None if sys.stdout.isatty() else sys.stdout


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
