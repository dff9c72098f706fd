"""Parsers for arguments that several commands share."""

from __future__ import annotations

import errno
import os
import re
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from plyboard.durable import replace_file
from plyboard.errors import UnusableError, UsageError, shown

if TYPE_CHECKING:
    from plyboard.search.common.budget import Budget

MOST_THREADS = 64
MOST_SECONDS = 10**6


def whole(text: str, name: str, least: int, most: int) -> int:
    """Return a whole number written in ASCII digits; the error names the range."""
    text = text.strip(" ")
    if re.fullmatch(r"[0-9]{1,18}", text, re.ASCII) and least <= int(text) <= most:
        return int(text)
    raise UsageError(
        f"wrong {name}", got=shown(text), expected=f"a whole number from {least} to {most}"
    )


def check_new(name: str, *, force: bool) -> None:
    """Raise early, before the work is done, if `write_new` would not replace this file."""
    if os.path.lexists(Path(name)) and not force:
        raise UnusableError(f"{shown(name)} exists; --force replaces it")
    try:
        if Path(name).is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISDIR(Path(name).parent.stat().st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
    except (OSError, ValueError) as fault:
        raise UnusableError.of("cannot write", name, fault) from None


def seconds_of(text: str) -> float:
    """Return a number of seconds written in ASCII digits, with an optional fraction."""
    text = text.strip(" ")
    number = float(text) if re.fullmatch(r"[0-9]{1,7}(\.[0-9]{1,9})?", text, re.ASCII) else 0
    if 0 < number <= MOST_SECONDS:
        return number
    expected = f"a number above 0, up to {MOST_SECONDS}"
    raise UsageError("wrong seconds", got=shown(text), expected=expected)


def write_new(name: str, text: str, *, force: bool) -> None:
    """Write a file atomically; an existing one is replaced only with `--force`."""
    path = Path(name)
    try:
        check_new(name, force=force)
        if os.path.lexists(path):
            path = path.resolve(strict=True)  # replace the target of a link, not the link
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not path.is_file():
                raise UnusableError(f"{shown(name)} is no plain file; it is left as it is")
        replace_file(path, text.encode("utf-8"))
    except (OSError, ValueError, RuntimeError) as fault:
        raise UnusableError.of("cannot write", name, fault) from None


def budget_of(seconds: str | None, depth: str | None, nodes: str | None) -> Budget:
    """Return the budget given by the options of a command; no limits if there are none."""
    from plyboard.search.common.budget import DEEPEST, MOST, Budget

    return Budget(
        seconds=None if seconds is None else seconds_of(seconds),
        depth=None if depth is None else whole(depth, "depth", 1, DEEPEST),
        nodes=None if nodes is None else whole(nodes, "nodes", 1, MOST),
    )


def mebibytes_of(text: str, tables: int = 1) -> int:
    """Return the size of a table; raise if the machine lacks the memory for all tables."""
    from plyboard.search.solver.solver import MOST_MEBIBYTES

    size = whole(text, "hash", 1, MOST_MEBIBYTES)
    if not hasattr(os, "sysconf"):  # unknown memory: a table that is too large fails itself
        return size
    there = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") >> 20
    if size * tables > there:
        wanted = f"{tables} times {size}" if tables > 1 else size
        raise UnusableError(
            f"cannot use {wanted} MiB at --hash", reason=f"this machine has {there} MiB"
        )
    return size


def thread_count(text: str) -> int:
    """Return the number of threads to use; notes on standard error a cut to four per core."""
    wanted, most = whole(text, "threads", 1, MOST_THREADS), 4 * (os.cpu_count() or 1)
    if wanted > most:
        print(f"note: {most} threads, not {wanted}: at most four per core", file=sys.stderr)
    return min(wanted, most)
