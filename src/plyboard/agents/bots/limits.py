"""What the process of a bot may use."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What the process of a bot may use. A process that does not answer in time is killed."""

    memory: int | None = None  # MiB beyond what Python and our code take; None sets no limit
    patience: float = 2.0  # seconds to answer, after a stop or when the budget is used up
    compiling: float = 300.0  # seconds to start, and to compile what a search needs
