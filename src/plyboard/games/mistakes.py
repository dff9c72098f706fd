"""Mistakes in a game from outside Plyboard, in one line: the file, the line and what is wrong."""

from __future__ import annotations

import re
import traceback
from pathlib import Path

from plyboard.errors import in_ascii

LONGEST, LONGEST_WORD = 400, 60
LONG_WORD = re.compile(rf"\S{{{LONGEST_WORD + 1},}}")
NOISE = ("Failed in nopython mode pipeline", "During: ")  # of the compiler
PLACE = re.compile(r'^File "(.+)", line ([0-9]+):', re.MULTILINE)

own_modules: set[str] = set()
"""The names of modules that games were loaded from."""


def own_place(fault: BaseException) -> str:
    """Return the last line of a loaded game that an exception came through: `file.py:41`, or ""."""
    frames = [
        (frame.f_code.co_filename, line)
        for frame, line in traceback.walk_tb(fault.__traceback__)
        if frame.f_globals.get("__name__") in own_modules
    ]
    return f"{Path(frames[-1][0]).name}:{frames[-1][1]}" if frames else ""


def mistake_text(fault: BaseException) -> str:
    """Return an exception of a game as one printable line, with its place if that is known."""
    place = own_place(fault) or _compiled_place(str(fault))
    short = LONG_WORD.sub(lambda word: f"{word[0][:LONGEST_WORD]}...", _essence(str(fault)))
    text = in_ascii(short.replace("'", '"'), LONGEST)
    name = type(fault).__name__
    return f"{name}{f' at {place}' if place else ''}{f': {text}' if text else ''}"


def _compiled_place(text: str) -> str:
    """Return the first place that the compiler names, which is the innermost one."""
    found = PLACE.search(text)
    return f"{Path(found[1]).name}:{found[2]}" if found else ""


def _essence(text: str) -> str:
    """Return the first lines of a message that say what is wrong, without source and places."""
    found = PLACE.search(text)
    lines = (text[: found.start()] if found else text).splitlines()
    kept = [line for line in lines if not line.startswith(NOISE)]
    return " ".join(" ".join(kept).split())
