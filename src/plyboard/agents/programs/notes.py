"""The note for people whose system has no sandbox for outside programs."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from functools import cache

from plyboard.specs import WITH_COMMAND

SECONDS = 5.0  # to try


@cache
def protection_here() -> str:
    """Return in one line which protections outside programs run with on this system."""
    from plyboard.agents.programs.process import ProgramProcess
    from plyboard.agents.programs.sandbox import Sandbox, protection_text

    process = ProgramProcess(Sandbox((sys.executable, "-I", "-S", "-c", "")))
    process.wait_for_exit(time.monotonic() + SECONDS)
    process.kill()
    return protection_text(process.protections)


def note_of(specs: Iterable[str]) -> str:
    """Return a note if some of these agents are programs that run without a sandbox, else ""."""
    names = [spec for spec in specs if spec.partition(":")[0] in WITH_COMMAND]
    if not names or protection_here().startswith("sandbox: "):
        return ""
    return f"outside programs run with {protection_here()}"
