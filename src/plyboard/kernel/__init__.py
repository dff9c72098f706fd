"""Plain Python functions compiled to machine code, and kept on disk."""

from __future__ import annotations

import os
from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, TypeVar, cast

from plyboard.errors import UnusableError, shown
from plyboard.kernel.marks import FULL, WORD_BITS, Word, kernel

if TYPE_CHECKING:
    from plyboard.kernel.compiler import Compilation

__all__ = ["FULL", "WORD_BITS", "Word", "compilations", "compiled", "jit_is_on", "kernel"]

Function = TypeVar("Function", bound=Callable[..., object])


def jit_is_on() -> bool:
    """Tell whether kernels are compiled: yes, unless `PLYBOARD_JIT` is `off`."""
    return os.environ.get("PLYBOARD_JIT", "on").lower() not in ("off", "0", "no", "false")


def compiled(function: Function) -> Function:
    """Return the fast twin of a kernel that Python calls once per search.

    With the JIT off it is the function itself. Boards go in as arrays of words.
    """
    if not jit_is_on():
        return function
    try:
        from plyboard.kernel.compiler import compile_entry
    except (ImportError, OSError, MemoryError) as fault:
        reason = shown(str(fault) or type(fault).__name__)
        raise UnusableError(
            f"cannot load the compiler: {reason}; PLYBOARD_JIT=off does without it"
        ) from fault
    return cast("Function", compile_entry(cast("FunctionType", function)))


def compilations() -> list[Compilation]:
    """Return what was compiled or loaded in this process so far."""
    if not jit_is_on():
        return []
    from plyboard.kernel.compiler import LOG

    return LOG
