"""The limits of a bot's process."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """Limits of a bot's process. A process that does not answer in time is killed."""

    memory: int | None = None  # MiB on top of what it uses at its start; None for no limit
    patience: float = 2.0  # seconds to answer after a stop or at the end of the budget
    compiling: float = 300.0  # seconds to start and to compile
    niceness: int = 0  # as of the command `nice`: others go first
