"""Loading the compiler, with errors in one line."""

from __future__ import annotations

import os
import re
import warnings
from functools import cache
from types import ModuleType
from typing import NoReturn

from plyboard.errors import UnusableError, UsageError, shown

UNREADABLE = (
    "Environment variable '(NUMBA_[A-Z_]+)' is defined but"  # the beginning of Numba's warning
)


@cache
def load_compiler() -> ModuleType:
    """Return the module that compiles kernels; importing Numba takes about half a second."""
    _check_features(os.environ.get("NUMBA_CPU_FEATURES", ""))
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("error", UNREADABLE, RuntimeWarning)
            from plyboard.kernel import compiler
    except (ImportError, OSError, MemoryError) as fault:
        reason = shown(str(fault) or type(fault).__name__)
        raise UnusableError(
            "cannot load the compiler", reason=f"{reason}; PLYBOARD_JIT=off does without it"
        ) from fault
    except (RuntimeWarning, ValueError) as fault:
        named = re.match(UNREADABLE, str(fault))
        _refuse([named[1]] if named else numba_variables(), fault)
    return compiler


def numba_variables() -> list[str]:
    """Return the names of the environment variables for Numba."""
    return sorted(name for name in os.environ if name.startswith("NUMBA_"))


def _refuse(names: list[str], fault: Exception) -> NoReturn:
    """Raise an error about the variables that may be wrong, or the fault if there are none."""
    if not names:
        raise fault
    values = ", ".join(shown(os.environ[name]) for name in names)
    raise UsageError(
        f"wrong {', '.join(names)}", got=values, expected="what Numba accepts"
    ) from fault


def _check_features(features: str) -> None:
    """Raise `UsageError` for a list of processor features at which LLVM would abort."""
    if not all(each[0] in "+-" for each in features.split(",") if each):
        raise UsageError(
            "wrong NUMBA_CPU_FEATURES", got=shown(features), expected="features like +avx2,-bmi2"
        )
