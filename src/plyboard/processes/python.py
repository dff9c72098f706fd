"""Processes of Python that import nothing from the current folder, nor from that of a program."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

PACKAGE = Path(__file__).parents[1]  # the folder of Plyboard
RunningProgram = subprocess.Popen[bytes]
StillRunningError = subprocess.TimeoutExpired
BACKGROUND = f"import sys; sys.path.append({str(PACKAGE.parent)!r}); "


def host_command(module: str, *arguments: str) -> tuple[str, ...]:
    """Return the command that runs a module of ours; `PYTHONPATH` has to lead to Plyboard."""
    return (sys.executable, "-P", "-s", "-m", module, *arguments)


def start_script(path: str, argument: str, files: Sequence[int]) -> RunningProgram:
    """Start a script that imports nothing but the standard library; it gets these files, too."""
    return subprocess.Popen(
        [sys.executable, "-I", "-S", path, argument],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
        pass_fds=files, start_new_session=True, env={}, close_fds=True,
    )  # fmt: skip


def start_helper(code: str, *arguments: str) -> RunningProgram:
    """Start a process that runs some code of ours, and answers on its output what its input asks.

    Ctrl-C does not reach it. It should end when its input does.
    """
    return subprocess.Popen(
        [sys.executable, "-P", "-c", f"{BACKGROUND}{code}", *arguments],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
