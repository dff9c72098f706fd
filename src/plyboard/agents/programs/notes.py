"""What people should know before outside programs run on a system without namespaces."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable, Mapping
from functools import cache

from plyboard.errors import UnusableError
from plyboard.specs import WITH_COMMAND

SECONDS = 5.0  # to try


@cache
def protections_here() -> Mapping[str, str]:
    """Return the protections that outside programs run with on this system."""
    from plyboard.agents.programs.process import ProgramProcess
    from plyboard.agents.programs.sandbox import Sandbox

    process = ProgramProcess(Sandbox((sys.executable, "-I", "-S", "-c", ""), is_unsafe=True))
    process.wait_for_exit(time.monotonic() + SECONDS)
    process.kill()
    return process.protections


def allow_unsafe_programs() -> None:
    """Let this process, and those that it starts, run programs that are not contained."""
    from plyboard.agents.programs.sandbox import UNSAFE

    os.environ[UNSAFE] = "yes"


def note_of(specs: Iterable[str]) -> str:
    """Return a note if some of these agents are programs that run without namespaces, else "".

    Raise `UnusableError` if the system does not contain them, and nobody has accepted that.
    """
    names = [spec for spec in specs if spec.partition(":")[0] in WITH_COMMAND]
    if not names:
        return ""
    from plyboard.agents.programs.sandbox import (
        HOW_TO_START,
        NAMESPACES,
        UNSAFE,
        is_contained,
        protection_text,
    )

    found = protections_here()
    if NAMESPACES in found:
        return ""
    told = protection_text(found)
    if not is_contained(found) and os.environ.get(UNSAFE) != "yes":
        raise UnusableError("outside programs are not started", reason=f"{told}; {HOW_TO_START}")
    return f"outside programs run with {'a ' * is_contained(found)}{told}"
