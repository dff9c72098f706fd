"""A person at a real pseudo-terminal, as far as tests can be one."""

from __future__ import annotations

import os
import re
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pexpect

PATIENCE = 180  # seconds; a first search may have to be compiled
ESCAPES = re.compile(r"\x1b(?:\[[0-9;?]*[A-Za-z]|[78])")
COLOURS = re.compile(r"\x1b\[[0-9;]*(?:[34][0-9]|[34]8;[0-9;]*|9[0-7])m")


class Person:
    """Types lines, presses keys, and waits for what the screen says."""

    def __init__(self, child: Any) -> None:
        self.child = child
        self.said = ""  # all that was on the screen up to the last thing waited for

    def waits_for(self, pattern: str) -> str:
        """Return what the screen said up to a pattern, that included; escapes are left out."""
        self.child.expect(pattern)
        text: str = self.child.before + self.child.after
        self.said += text
        return plain(text)

    def types(self, line: str) -> None:
        """Type a line, Enter included."""
        self.child.send(f"{line}\r")

    def answers(self, prompt: str, line: str) -> str:
        """Wait for a prompt and answer it; return what was said up to it."""
        text = self.waits_for(prompt)
        self.types(line)
        return text

    def leaves(self) -> int:
        """Wait for the end; return the exit code."""
        self.child.expect(pexpect.EOF)
        self.said += self.child.before
        self.child.close()
        code: int = self.child.exitstatus
        return code


def plain(text: str) -> str:
    """Return a text as it looks: no escapes, and lines that end as in files."""
    return ESCAPES.sub("", text).replace("\r\n", "\n").replace("\r", "")


@contextmanager
def journey(
    *arguments: str, rows: int = 24, columns: int = 80, env: Mapping[str, str] | None = None
) -> Iterator[Person]:
    """Start `plyboard` with these arguments in a terminal of this size."""
    usual = {"TERM": "xterm-256color", "LANG": "C.UTF-8"}
    kept = {
        name: value for name, value in os.environ.items()
        if name not in ("COLUMNS", "LINES", "NO_COLOR", "LC_ALL", "LC_CTYPE", "FORCE_COLOR")
    }  # fmt: skip
    with warnings.catch_warnings():  # a fork beside other threads: only the command runs in it
        warnings.simplefilter("ignore", DeprecationWarning)
        child = pexpect.spawn(
            sys.executable, ["-m", "plyboard", *arguments], env={**kept, **usual, **(env or {})},
            encoding="utf-8", codec_errors="backslashreplace", timeout=PATIENCE,
            dimensions=(rows, columns),
        )  # fmt: skip
    child.delaybeforesend = None
    try:
        yield Person(child)
    finally:
        child.close(force=True)
