"""Compiling plain Python functions to machine code, with a cache on disk."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar, cast

from plyboard.errors import UsageError, shown
from plyboard.kernel.loading import load_compiler
from plyboard.kernel.marks import FULL, WORD_BITS, Word, kernel
from plyboard.processes.uninterrupted import run_in_thread

if TYPE_CHECKING:
    from plyboard.kernel.compiler import Compilation

__all__ = [
    "FULL", "WORD_BITS", "Word", "compilations", "compiled", "jit_comes_first", "jit_is_on",
    "kernel",
]  # fmt: skip

ON = ("on", "1", "yes", "true")
OFF = ("off", "0", "no", "false")
FIRST = ("first",)

Function = TypeVar("Function", bound=Callable[..., object])


def jit_is_on() -> bool:
    """Tell whether kernels are compiled: yes, unless `PLYBOARD_JIT` is `off`.

    Numba's own switch, `NUMBA_DISABLE_JIT=1`, does the same.
    """
    if re.fullmatch(r"\s*[+-]?0*[1-9][0-9]*\s*", os.environ.get("NUMBA_DISABLE_JIT", "")):
        return False
    return _chosen() not in OFF


def jit_comes_first() -> bool:
    """Tell whether everything is compiled before it runs: if `PLYBOARD_JIT` is `first`.

    Otherwise searches start as plain Python.
    """
    return jit_is_on() and _chosen() in FIRST


def _chosen() -> str:
    chosen = os.environ.get("PLYBOARD_JIT", "on")
    if chosen.lower() not in (*ON, *OFF, *FIRST):
        raise UsageError("wrong PLYBOARD_JIT", got=shown(chosen), expected="on, off or first")
    return chosen.lower()


def compiled(function: Function) -> Function:
    """Return the compiled version of a kernel that Python calls once per search.

    With the JIT off it is the function itself. Boards go in as arrays of words.
    """
    if not jit_is_on():
        return function
    return cast("Function", run_in_thread(lambda: load_compiler().compile_entry(function)))


def compilations() -> list[Compilation]:
    """Return the compilations and loads of this process so far."""
    if not jit_is_on() or "plyboard.kernel.compiler" not in sys.modules:
        return []
    from plyboard.kernel.compiler import LOG

    return LOG
