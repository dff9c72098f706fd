"""Input lines from a terminal or a pipe."""

from __future__ import annotations

import io
import os
import select
import sys
from collections import deque

LONGEST = 256
CHUNK = 65_536


class Keyboard:
    """Reads lines, and can check for a line without blocking.

    Lines are cut to 256 characters. The settings of the terminal are not changed here.
    """

    def __init__(self, handle: int | None) -> None:
        self._handle = handle  # None if standard input is closed
        self._lines: deque[str] = deque()
        self._begin = b""  # the start of an unfinished line
        self._is_closed = handle is None

    @classmethod
    def standard(cls) -> Keyboard:
        """Return the standard input, which may be closed."""
        try:
            return cls(None if sys.stdin is None else sys.stdin.fileno())
        except (ValueError, io.UnsupportedOperation):
            return cls(None)

    @property
    def is_terminal(self) -> bool:
        """Whether the input is a terminal."""
        return self._handle is not None and os.isatty(self._handle)

    @property
    def can_edit(self) -> bool:
        """Whether keys can be read one by one; the console of Windows edits lines itself."""
        return self._handle is not None and os.isatty(self._handle) and sys.platform != "win32"

    @property
    def has_ended(self) -> bool:
        """Whether all lines have been read, as far as known without blocking."""
        return self._is_closed and not self._lines

    def line(self) -> str | None:
        """Wait for the next line; None at the end of the input."""
        while not self._lines and not self._is_closed:
            self._fill()
        return self._lines.popleft() if self._lines else None

    def glance(self) -> str | None:
        """Return the next line without consuming it or blocking; None if there is none yet."""
        if not self._lines and not self._is_closed and self._is_ready():
            self._fill()
        return self._lines[0] if self._lines else None

    def feed(self, text: str) -> None:
        """Append text that was typed or pasted before its turn."""
        self._split(text.encode("utf-8", "surrogateescape"))

    def take_unfinished(self) -> str:
        """Return the start of an unfinished line, and forget it."""
        begin, self._begin = self._begin, b""
        return _text(begin)

    def _is_ready(self) -> bool:
        assert self._handle is not None
        try:
            return bool(select.select([self._handle], [], [], 0)[0])
        except (OSError, ValueError):  # Windows supports select for sockets only
            return False

    def _fill(self) -> None:
        """Block for more input, and split off complete lines."""
        assert self._handle is not None
        try:
            chunk = os.read(self._handle, CHUNK)
        except BlockingIOError:
            select.select([self._handle], [], [])
            return
        except OSError:  # the terminal is gone
            chunk = b""
        if not chunk:
            self._is_closed = True
            if self._begin:
                self._lines.append(_text(self._begin))
            return
        # Keys pressed while a line was edited are not translated by the terminal.
        self._split(chunk.replace(b"\r", b"\n") if self.is_terminal else chunk)

    def _split(self, chunk: bytes) -> None:
        *whole, begin = (self._begin + chunk).split(b"\n")
        self._lines.extend(_text(line) for line in whole)
        self._begin = begin[: 4 * LONGEST]  # the rest of a long line is dropped anyway


def _text(line: bytes) -> str:
    return line[: 4 * LONGEST].decode("utf-8", "surrogateescape")[:LONGEST]
