"""Machine words, and decorators that mark functions as kernels; needs no Numba."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import ParamSpec, TypeVar, cast

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

WORD_BITS = 64


class Word(int):
    """A 64-bit unsigned machine word: an ordinary number in plain Python, `uint64` compiled.

    A kernel closes over words, or writes `Word(1)`, wherever a number meets a board. Left
    shifts, sums, differences and products of words are masked with `FULL`, which costs nothing
    compiled and keeps plain Python within 64 bits.
    """

    __slots__ = ()


FULL = Word((1 << WORD_BITS) - 1)


def kernel(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
    """Mark a pure function as one that compiles; calling it still runs it as plain Python.

    A kernel may use numbers, words, tuples of them, arrays and other kernels, raises nothing
    and does no input or output.
    """
    function.__is_kernel__ = True  # type: ignore[attr-defined]
    return function


def primitive(
    name: str, *, always: bool = False
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Mark a kernel that the machine instruction of this name replaces when compiled.

    If every processor has the instruction `always`, the function itself is never compiled, and may
    do what no other kernel may.
    """

    def mark(function: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        function.__is_primitive__ = name  # type: ignore[attr-defined]
        function.__is_replaced__ = always  # type: ignore[attr-defined]
        return kernel(function)

    return mark


def is_kernel(value: object) -> bool:
    """Tell whether this is a function marked with `kernel`."""
    return isinstance(value, FunctionType) and hasattr(value, "__is_kernel__")


def primitive_name(function: FunctionType) -> str | None:
    """Return the machine instruction that replaces this kernel, or None."""
    return cast("str | None", getattr(function, "__is_primitive__", None))


def is_replaced(function: FunctionType) -> bool:
    """Tell whether this kernel is replaced by a machine instruction on every processor."""
    return bool(getattr(function, "__is_replaced__", False))
