"""The limits of an outside program."""

from __future__ import annotations

from dataclasses import dataclass

LONGEST_LINE = 4096  # bytes of a line that a program writes
MOST_OUTPUT = 8 << 20  # bytes that it may write for one request
MOST_LINES = 20_000
MOST_LOG = 1 << 20  # bytes of its log that are kept per game
MOST_FILES = 256  # that it may have open
DISK = 16  # MiB in its own /tmp


@dataclass(frozen=True)
class ProgramLimits:
    """The limits of a program. One that breaks a limit is killed and loses its game."""

    start: float = 10.0  # seconds to start and to say hello, and to get ready for a new game
    wait: float = 60.0  # seconds for a move if the budget sets no time
    margin: float = 0.2  # seconds that a move may come late
    leave: float = 0.2  # seconds to exit after quit
    memory: int = 1024  # MiB of all its processes
    processes: int = 64  # threads count, too


DEFAULT_LIMITS = ProgramLimits()
