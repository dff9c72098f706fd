"""All that Plyboard raises on purpose, on one screen.

Each class knows the exit code with which a command ends when nobody handles it.
"""

from __future__ import annotations


class PlyboardError(Exception):
    """Something a person can put right; the first line of its text says how."""

    exit_code = 3


class UsageError(PlyboardError):
    """A command, option or spec that was asked for wrongly."""

    exit_code = 2


class SpecError(UsageError):
    """A spec that names no game or agent, or one of its parameters wrongly."""


class NotationError(PlyboardError):
    """A text that cannot be read as what it should be."""


class UnreachableError(PlyboardError):
    """A position that can be read and that no game can reach."""


class IllegalMoveError(PlyboardError):
    """A move that can be read and that the rules do not allow here."""


class GameOverError(IllegalMoveError):
    """A move after the end of the game."""


class DecidedError(PlyboardError):
    """A question about a game that is over: there is nothing to look ahead to."""

    exit_code = 1


class ConformanceError(PlyboardError):
    """A game that breaks a promise which searches and players rely on."""

    exit_code = 1


class UnusableError(PlyboardError):
    """A file, folder or terminal that does not play along."""

    exit_code = 4


class BotError(PlyboardError):
    """A bot that gave no move: its process is gone, or its agent raised something."""

    exit_code = 5


def shown(text: str, limit: int = 60) -> str:
    """Return a text as an error may echo it: shortened, in quotes, nothing but printable ASCII."""
    return f"'{_escaped(text[:limit])}'" + ("..." if len(text) > limit else "")


def printable(text: str, limit: int = 60) -> str:
    """Return a text like `shown`, without quotes."""
    return _escaped(text[:limit]) + ("..." if len(text) > limit else "")


def number_text(number: float) -> str:
    """Return a number as an error may echo it; of a very large whole one only its size."""
    bits = number.bit_length() if isinstance(number, int) else 0
    return str(number) if bits <= 128 else f"with {bits} bits"


def _escaped(text: str) -> str:
    return "".join(
        char if " " <= char <= "~" and char not in "'\\" else _escape(char) for char in text
    )


def _escape(char: str) -> str:
    return "\\'" if char == "'" else char.encode("unicode_escape", "backslashreplace").decode()


def code_point(char: str) -> str:
    """Name one character so that look-alikes can be told apart: `'a' (U+0061)`."""
    return f"{shown(char)} (U+{ord(char):04X})"
