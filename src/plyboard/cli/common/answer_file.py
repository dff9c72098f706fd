"""A file with an answer in each line, which the same command can go on with."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TextIO

from plyboard.durable import Appender
from plyboard.errors import Place, UnusableError

ODD_BYTES = "surrogateescape"  # bytes that are not UTF-8 are kept, so that sizes are right


@dataclass(frozen=True)
class AnswerFile:
    """The answers in a file, and how to append more."""

    append: Callable[[str], None]
    lines: list[str] = field(default_factory=list)
    begun: str = ""  # a last line that was cut off
    drop_begun: Callable[[], object] = lambda: None


@contextmanager
def answer_file(name: str | None) -> Iterator[AnswerFile]:
    """Open a file of answers, or make one; without a name it is standard output."""
    if name is None:  # name the stream, or the progress bar redirects the output
        yield AnswerFile(partial(print, end="", file=_output(), flush=True))
        return
    try:
        if os.path.lexists(name) and not Path(name).is_file():
            raise UnusableError(
                "cannot write", where=Place(file=name), reason="it is no plain file"
            )
        with Path(name).open("a+", encoding="utf-8", errors=ODD_BYTES, newline="\n") as file:
            file.seek(0)
            *lines, begun = file.read().split("\n")
            whole = sum(len(line.encode("utf-8", ODD_BYTES)) + 1 for line in lines)
            appender = Appender(file)
            try:
                yield AnswerFile(appender.append, lines, begun, partial(file.truncate, whole))
            finally:
                appender.sync()
    except (OSError, ValueError) as fault:
        raise UnusableError.of("cannot write", name, fault) from None


def wrong_answers(name: str) -> UnusableError:
    """Return the error of a file that does not answer the questions of this command."""
    return UnusableError(
        "cannot go on with", where=Place(file=name), reason="it answers other lines"
    )


def _output() -> TextIO | None:
    return None if sys.stdout.isatty() else sys.stdout
