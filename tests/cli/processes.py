"""How long the processes that tests start have worked, and how long they are waited for."""

from __future__ import annotations

import os
import resource
from pathlib import Path

PATIENCE = 120.0  # seconds; only a hang takes as long, however busy the machine is


def processor_seconds(process: int) -> float:
    """Return how long a process that runs has worked."""
    facts = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(facts[11]) + int(facts[12])) / os.sysconf("SC_CLK_TCK")


def processor_seconds_of_ended() -> float:
    """Return how long all processes have worked that ended and were waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
