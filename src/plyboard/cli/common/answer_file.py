"""A file with an answer in each line, which is there when all are; until then a partial one."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from plyboard import __version__
from plyboard.durable import OtherTaskError, PartialFile, replace_file
from plyboard.errors import Place, UnusableError, shown

PART = ".part"


@dataclass(frozen=True)
class AnswerFile:
    """The answers that are there already, and how to append more, without line ends."""

    append: Callable[[str], None]
    lines: Sequence[str] = field(default_factory=list)


@contextmanager
def answer_file(
    name: str | None, command: str, settings: Mapping[str, object], questions: Sequence[str]
) -> Iterator[AnswerFile]:
    """Take the answers to some questions; without a name they go to standard output.

    Until the end of the block they are in a partial file, with which the same command goes on. The
    settings are all that the answers depend on beside the questions.
    """
    if name is None:  # name the stream, or the progress bar redirects the output
        yield AnswerFile(lambda line: print(line, file=_output(), flush=True))
        return
    path = Path(name)
    try:
        if os.path.lexists(path):
            raise UnusableError(f"{shown(name)} exists; remove it, or choose another file")
        digest = hashlib.sha256("\n".join(questions).encode("utf-8", "replace")).hexdigest()
        facts = {"version": __version__, **settings, "lines": len(questions), "sha256": digest}
        partial = _opened(
            path.with_name(path.name + PART), f"plyboard {command} {json.dumps(facts)}"
        )
        try:
            yield AnswerFile(partial.append, tuple(partial.lines))
            replace_file(path, "".join(f"{line}\n" for line in partial.lines).encode("utf-8"))
        except BaseException:
            partial.close()
            raise
        partial.remove()
    except (OSError, ValueError) as fault:
        raise UnusableError.of("cannot write", name, fault) from None


def _opened(path: Path, header: str) -> PartialFile:
    try:
        return PartialFile(path, header)
    except (OtherTaskError, BlockingIOError) as fault:
        reason = "it belongs to other lines or settings; remove it, or choose another --out"
        if isinstance(fault, BlockingIOError):
            reason = "another process writes to it"
        raise UnusableError(
            "cannot go on with", where=Place(file=str(path)), reason=reason
        ) from None


def _output() -> TextIO | None:
    return None if sys.stdout.isatty() else sys.stdout
