"""A person at a real pseudo-terminal, as far as tests can be one."""

from __future__ import annotations

import os
import re
import sys
import termios
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pexpect

PATIENCE = 180  # seconds; a first search may have to be compiled
ESCAPE = r"\x1b(?:\[[0-9;?]*[A-Za-z]|[78])"
OPENED = r"\x1b\[\?2004h"  # turns on bracketed paste, once for each line to be edited
PIECES = re.compile(rf"{ESCAPE}|[^\x1b]|\x1b", re.DOTALL)
COLOURS = re.compile(r"\x1b\[[0-9;]*(?:[34][0-9]|[34]8;[0-9;]*|9[0-7])m")


def prompt(pattern: str) -> str:
    """Return a pattern of a prompt that waits for input, not of one that is drawn once more.

    A blank at its end may be drawn by moving the cursor.
    """
    return (
        rf"(?:\n|{OPENED})(?:{ESCAPE}|\r)*[^\n\x1b]*?(?:{pattern})(?: |\x1b\[[0-9]+D\x1b\[[0-9]+C)"
    )


class Person:
    """Types lines, presses keys, and waits for what the screen says."""

    def __init__(self, child: Any) -> None:
        self.child = child
        self.settings = termios.tcgetattr(child.fileno())  # before the program changes them
        self.said = ""  # all that was on the screen up to the last thing waited for

    def waits_for(self, pattern: str) -> str:
        """Return what the screen said up to a pattern, that included; escapes are left out."""
        self.child.expect(pattern)
        text: str = self.child.before + self.child.after
        self.said += text
        return plain(text)

    def sees(self, pattern: str) -> str:
        """Return what the screen shows since it was last waited for, once it shows a pattern."""
        text = ""
        while not re.search(pattern, plain(text), re.MULTILINE):
            self.child.expect("(?s).+")
            text += self.child.after
        self.said += text
        return plain(text)

    def types(self, line: str) -> None:
        """Type a line, Enter included."""
        self.child.send(f"{line}\r")

    def answers(self, pattern: str, line: str) -> str:
        """Wait for a prompt and answer it; return what was said up to it."""
        text = self.waits_for(pattern)
        self.types(line)
        return text

    def leaves(self) -> int:
        """Wait for the end; return the exit code."""
        return self.leaves_with_settings()[0]

    def leaves_with_settings(self) -> tuple[int, list[Any]]:
        """Wait for the end; return the exit code and the settings of the terminal."""
        self.child.expect(pexpect.EOF)
        self.said += self.child.before
        settings = termios.tcgetattr(self.child.fileno())
        self.child.close()
        code: int = self.child.exitstatus
        return code, settings


def plain(text: str) -> str:
    """Return a text as it looks: no escapes, and lines that end as in files."""
    page = Page()
    for piece in PIECES.findall(text):
        page.show(piece)
    return page.text


class Page:
    """What a terminal of any height and width shows, without styles."""

    def __init__(self) -> None:
        self.lines: list[list[str]] = [[]]
        self.row = self.column = 0
        self.saved = 0, 0

    @property
    def text(self) -> str:
        return "\n".join(map("".join, self.lines))

    def show(self, piece: str) -> None:
        """Show a character, or move the cursor by a control character or an escape."""
        number = int(re.sub(r"[^0-9]", "", piece[1:-1]) or 1) if piece.startswith("\x1b[") else 1
        if piece == "\r":
            self.column = 0
        elif piece == "\n":
            self.row, self.column = self.row + 1, 0
            self.lines += [[]] * (self.row == len(self.lines))
        elif piece == "\b":
            self.column = max(0, self.column - 1)
        elif not piece.startswith("\x1b"):
            self._write(piece)
        elif piece[-1] in "78":
            if piece[-1] == "7":
                self.saved = self.row, self.column
            else:
                self.row, self.column = self.saved
        elif piece[-1] in "ACD":
            self.row = max(0, self.row - number * (piece[-1] == "A"))
            sign = {"A": 0, "C": 1, "D": -1}[piece[-1]]
            self.column = max(0, self.column + sign * number)
        elif piece[-1] in "JK":
            self._erase(piece)

    def _write(self, char: str) -> None:
        line = self.lines[self.row]
        line += " " * (self.column - len(line))
        line[self.column : self.column + 1] = char
        self.column += 1

    def _erase(self, piece: str) -> None:
        """Erase the rest of the line, or all of it, and the lines below."""
        self.lines[self.row] = [] if "2" in piece else self.lines[self.row][: self.column]
        if piece[-1] == "J":
            del self.lines[self.row + 1 :]


@contextmanager
def journey(
    *arguments: str,
    rows: int = 24,
    columns: int = 80,
    env: Mapping[str, str] | None = None,
    program: Sequence[str] = (sys.executable, "-m", "plyboard"),
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
            program[0], [*program[1:], *arguments], env={**kept, **usual, **(env or {})},
            encoding="utf-8", codec_errors="backslashreplace", timeout=PATIENCE,
            dimensions=(rows, columns),
        )  # fmt: skip
    child.delaybeforesend = None
    try:
        yield Person(child)
    finally:
        child.close(force=True)
