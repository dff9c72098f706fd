"""Where a command runs many tasks: the options --on and --workers."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from plyboard.cli.common import completing
from plyboard.cli.common.arguments import whole
from plyboard.errors import UsageError, shown

if TYPE_CHECKING:
    from plyboard.processes.executor import Executor

MOST_WORKERS = 1024
HERE = "here"  # in this process

PlaceOption = Annotated[
    str,
    typer.Option(
        "--on",
        help="Where to run: here, in local processes, on ray or ray:ADDRESS.",
        metavar="PLACE",
        autocompletion=completing.offered_words("here", "local", "ray"),
    ),
]
WorkersOption = Annotated[
    str | None, typer.Option(help="Processes with --on; default: one per core.", metavar="N")
]


def workers_of(text: str | None) -> int | None:
    """Return the number of games at the same time; notes on standard error a cut to four per core.

    None if it is not given.
    """
    if text is None:
        return None
    wanted, most = whole(text, "workers", 1, MOST_WORKERS), 4 * (os.cpu_count() or 1)
    if wanted > most:
        print(f"note: {most} workers, not {wanted}: at most four per core", file=sys.stderr)
    return min(wanted, most)


def executor_or_here(place: str, workers: str | None) -> Executor | None:
    """Return the executor of a place; None for `here`, where there are no workers."""
    from plyboard.processes.choosing import executor_of

    count = workers_of(workers)
    if place != HERE:
        try:
            return executor_of(place, count)
        except UsageError as fault:
            raise fault.replace(expected=f"{HERE}, {fault.expected}") from None
    if count is not None:
        raise UsageError(
            "option not wanted", got=f"'--workers' {shown(workers or '')}", expected="--on"
        )
    return None
