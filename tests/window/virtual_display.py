"""A screen without a monitor, and a mouse and a keyboard for it.

Run as a program it says in one line what is missing, if anything is.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

SCREEN = "1600x1200x24"


class NoDisplayError(Exception):
    """Windows cannot be tested here; the text says what is missing."""


def check_tools() -> None:
    """Raise if Tk, Xvfb or xdotool is missing."""
    if importlib.util.find_spec("_tkinter") is None:
        raise NoDisplayError(
            "no Tk for the tests of windows: got a Python without it; expected one with tkinter,"
            " as after apt-get install python3-tk"
        )
    for name in ("Xvfb", "xdotool"):
        if shutil.which(name) is None:
            raise NoDisplayError(
                f"no {name} for the tests of windows: got none on the path; expected it installed"
                f" (apt-get install {name.lower()})"
            )


@contextmanager
def virtual_display(dots_per_inch: int = 96) -> Iterator[str]:
    """Start an X server on a free display, and give its name."""
    check_tools()
    reader, writer = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writer), "-screen", "0", SCREEN, "-nolisten", "tcp",
         "-dpi", str(dots_per_inch)],
        pass_fds=(writer,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writer)
    try:
        with os.fdopen(reader) as answer:
            number = answer.readline().strip()
        if not number:
            raise NoDisplayError("Xvfb does not start; try it at the command line")
        yield f":{number}"
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    try:
        check_tools()
    except NoDisplayError as fault:
        sys.exit(f"error: {fault}")
