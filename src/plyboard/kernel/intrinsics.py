"""The machine instructions that stand for primitives in compiled code."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic


@intrinsic
def count(_context: Any, word: Any) -> Any:
    """Count the bits that are set."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic
def lowest(_context: Any, word: Any) -> Any:
    """Return the index of the lowest bit that is set; 64 if there is none."""

    def generate(_target: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), generate


@intrinsic
def number(_context: Any, word: Any) -> Any:
    """Read a word as a signed number."""

    def generate(_target: Any, _builder: Any, _signature: Any, arguments: Any) -> Any:
        return arguments[0]

    return types.int64(types.uint64), generate


BY_NAME = {"count": count, "lowest": lowest, "number": number}
