"""A folder whose files have the names of modules that ours import."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path

MARKS = "marks"
FOREIGN = """import posix, sys
mark = posix.open({marks!r}, posix.O_WRONLY | posix.O_APPEND | posix.O_CREAT)
posix.write(mark, f"{{__name__}} in {{sys.orig_argv}}\\n".encode())
posix.close(mark)
raise ImportError("a foreign module")
"""


def foreign_modules(folder: Path) -> None:
    """Make a folder with a file for every module of the standard library and of all packages."""
    folder.mkdir()
    installed = importlib.metadata.packages_distributions()
    for name in {*sys.stdlib_module_names, *installed, "plyboard"}:
        if name.isidentifier() and not name.startswith("__"):
            (folder / f"{name}.py").write_text(FOREIGN.format(marks=str(folder / MARKS)))


def marks(folder: Path) -> list[str]:
    """Return which foreign modules were imported, and by which processes."""
    path = folder / MARKS
    return path.read_text().splitlines() if path.exists() else []
