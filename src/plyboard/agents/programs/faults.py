"""The faults of outside programs, as errors with one word for what went wrong."""

from __future__ import annotations

from plyboard.errors import BotError

TIMEOUT, CRASH, MEMORY, PROTOCOL, ILLEGAL = "timeout", "crash", "memory", "protocol", "illegal"


def program_error(kind: str, reason: str) -> BotError:
    """Return the error of a program that has lost its game."""
    return BotError("the program has failed", reason=reason).replace(kind=kind)
