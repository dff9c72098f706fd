"""Every error that Plyboard raises on purpose, with the facts behind its message as fields.

Each class has the exit code that a command ends with when the error is not handled.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass, replace
from typing import Any, Self


@dataclass(frozen=True)
class Place:
    """Where in a text the problem is. Numbers count from 1; what is unknown or unneeded is empty.

    `name` is a field, an option, a setting or a path inside a line.
    """

    line: int | None = None
    column: int | None = None
    name: str = ""
    file: str | None = None
    game: int | None = None
    ply: int | None = None

    def __str__(self) -> str:
        """Return the place as messages name it; the file only if that is all there is."""
        if self.line is None:
            return self.name or ("" if self.file is None else shown(self.file))
        text = f"{self.line}:{self.name if self.column is None else self.column}"
        if self.column is not None and self.name:
            text += f", {self.name}"
        if self.game is not None:
            text += f" (game {self.game}" + (")" if self.ply is None else f", ply {self.ply})")
        return text


class PlyboardError(Exception):
    """An error that a person can put right.

    The message is `what at where: got ...; expected ...`, or `what at where: reason`, as far as
    these fields are given. `got` and `expected` are quoted and escaped as the message shows them.
    An error about a move names it after `what`. It may hold the legal moves, the position as text,
    and the board, which follows the first line of the message.
    """

    exit_code = 3
    before_place = " at "

    def __init__(
        self,
        what: str,
        *,
        where: Place | str = "",
        got: str = "",
        expected: str = "",
        reason: str = "",
        move: str = "",
        legal: tuple[str, ...] = (),
        position: str = "",
        board: str = "",
    ) -> None:
        super().__init__(what)
        self.what = what
        self.where = where if isinstance(where, Place) else Place(name=where)
        self.got, self.expected, self.reason = got, expected, reason
        self.move, self.legal = move, legal
        self.position, self.board = position, board

    @property
    def first_line(self) -> str:
        """The first line of the message, without the board that may follow it."""
        return self._message().partition("\n")[0]

    def __str__(self) -> str:
        return f"{self._message()}\n{self.board}" if self.board else self._message()

    def _message(self) -> str:
        subject = f"{self.what} {self.move}" if self.move else self.what
        place = str(self.where)
        if place:
            subject += f"{self.before_place}{place}"
        got = self.got and f"got {self.got}"
        expected = self.expected and f"expected {self.expected}"
        detail = self.reason or "; ".join(filter(None, (got, expected)))
        return f"{subject}: {detail}" if detail else subject

    def replace(self, **changes: Any) -> Self:
        """Return this error with some of its fields changed."""
        changed = copy.copy(self)
        vars(changed).update(changes)
        return changed

    def in_file(self, name: str) -> Self:
        """Return this error with the file that its line is in; the message stays the same."""
        known = self.where.line is not None
        return self.replace(where=replace(self.where, file=name)) if known else self


class UsageError(PlyboardError):
    """A command, option or spec that was used wrongly."""

    exit_code = 2


class SpecError(UsageError):
    """A spec with an unknown name, an unknown setting or a wrong value."""


class NotationError(PlyboardError):
    """A text that cannot be read."""


class UnreachableError(PlyboardError):
    """A position that can be read but that no game can reach."""


class IllegalMoveError(PlyboardError):
    """A move that can be read but that the rules do not allow here."""


class GameOverError(IllegalMoveError):
    """A move after the end of the game."""


class DecidedError(PlyboardError):
    """A question about the next move of a game that is over."""

    exit_code = 1


class ConformanceError(PlyboardError):
    """A game that breaks a rule which searches and players rely on."""

    exit_code = 1


class UnusableError(PlyboardError):
    """A file, folder or terminal that cannot be used, or too little memory."""

    exit_code = 4
    before_place = " "  # cannot read 'games.txt'

    @classmethod
    def of(cls, what: str, file: str, fault: Exception) -> Self:
        """Return the error for a file that the system refuses to read or write."""
        reason = getattr(fault, "strerror", None) or str(fault)
        return cls(what, where=Place(file=file), reason=reason)

    @classmethod
    def missing(cls, package: str | None, extra: str) -> Self:
        """Return the error for a package that an extra of Plyboard would install."""
        advice = f"pip install 'plyboard[{extra}]'"
        return cls("not installed", got=f"no package {package}", expected=advice)


class BotError(PlyboardError):
    """A bot that gave no move: its process has ended, or its agent raised an exception.

    Of an outside program, `kind` says what it did: timeout, crash, memory, protocol or illegal.
    """

    exit_code = 5
    kind = ""


class WorkerError(PlyboardError):
    """Processes that end one after another without a result."""

    exit_code = 5


class PeerError(PlyboardError):
    """An opponent in the network who never came, left, or kept breaking the rules."""

    exit_code = 5


def shown(text: str, limit: int = 60) -> str:
    """Return a text as an error may echo it: shortened, in quotes, nothing but printable ASCII."""
    return f"'{_escaped(text[:limit])}'" + ("..." if len(text) > limit else "")


def in_ascii(text: str, limit: int = 60) -> str:
    """Return a text like `shown`, without quotes around it; those in it stay as they are."""
    return _ascii(text[:limit]) + ("..." if len(text) > limit else "")


def printable(text: str, limit: int = 60) -> str:
    """Return a text of somebody else as it may be printed: shortened, and unable to do harm.

    Letters of all scripts stay. What could control a terminal, break a line or change the
    direction of a text is escaped.
    """
    told = "".join(char if char.isprintable() else _escape(char) for char in text[:limit])
    return told + ("..." if len(text) > limit else "")


def number_text(number: float) -> str:
    """Return a number as an error may echo it; of a very large whole one only its size."""
    bits = number.bit_length() if isinstance(number, int) else 0
    return str(number) if bits <= 128 else f"with {bits} bits"


def _escaped(text: str) -> str:
    return _ascii(text.replace("\\", "\\\\").replace("'", "\\'"))


def _ascii(text: str) -> str:
    return "".join(char if " " <= char <= "~" else _escape(char) for char in text)


def _escape(char: str) -> str:
    return char.encode("unicode_escape", "backslashreplace").decode()


def code_point(char: str) -> str:
    """Name one character so that look-alikes can be told apart: `'a' (U+0061)`."""
    return f"{shown(char)} (U+{ord(char):04X})"
