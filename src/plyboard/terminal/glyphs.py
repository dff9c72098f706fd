"""Whether a terminal has more characters than ASCII."""

from __future__ import annotations

import os
import sys

from rich.console import Console


def is_fancy(console: Console) -> bool:
    """Tell whether bars and curves may be drawn; what goes to a file or a pipe stays plain."""
    can_move = console.is_terminal and not console.is_dumb_terminal
    return can_move and console.encoding.startswith("utf") and _speaks_utf8()


def _speaks_utf8() -> bool:
    """Tell whether the locale names UTF-8; Python itself may have put that in place of C."""
    everything, letters, language = (
        os.environ.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG")
    )
    if letters == "C.UTF-8" and language in ("", "C", "POSIX") and not everything:
        return False
    locale = everything or letters or language or "C"
    return sys.platform in ("win32", "darwin") or "utf" in locale.lower()
