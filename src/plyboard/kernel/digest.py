"""The digest of a kernel: the same for the same code and constants in every process."""

from __future__ import annotations

import builtins
import dis
import hashlib
from collections.abc import Iterator
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType

from plyboard.kernel.marks import Word, is_kernel, is_replaced, primitive_name

MODULES = ("numpy", "math")


def digest(function: FunctionType) -> str:
    """Return a hex digest of a kernel and of everything it reaches.

    It covers the bytecode, the closed-over constants and all kernels that it calls, in any file,
    but not comments and line numbers.
    """
    return _Digest().of(function)


def reached(function: FunctionType) -> Iterator[tuple[str, object, bool]]:
    """Yield (name, value, is closed over) for each name outside itself that a kernel uses."""
    if is_replaced(function):
        return
    code = function.__code__
    for name, cell in zip(code.co_freevars, function.__closure__ or (), strict=True):
        yield name, cell.cell_contents, True
    for name in sorted(
        {step.argval for step in dis.get_instructions(code) if step.opname == "LOAD_GLOBAL"}
    ):
        if name in function.__globals__:
            yield name, function.__globals__[name], False


def builtins_used(function: FunctionType, seen: set[FunctionType] | None = None) -> set[str]:
    """Return the names of Python's built-in functions that a kernel and those it calls use."""
    seen = {function} if seen is None else seen | {function}
    names = {
        step.argval
        for step in dis.get_instructions(function.__code__)
        if step.opname == "LOAD_GLOBAL" and step.argval not in function.__globals__
    }
    for _, value, _ in reached(function):
        if isinstance(value, FunctionType) and is_kernel(value) and value not in seen:
            names |= builtins_used(value, seen)
    return names


class _Digest:
    """One traversal of a graph of kernels; a repeated kernel is named by its number."""

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}

    def of(self, function: FunctionType) -> str:
        if id(function) in self.numbers:
            return f"again {self.numbers[id(function)]}"
        self.numbers[id(function)] = len(self.numbers)
        parts = [function.__module__, function.__qualname__, self._value(function.__defaults__)]
        assert not function.__kwdefaults__, f"{function.__qualname__} has keyword defaults"
        parts += [str(primitive_name(function)), self._code(function.__code__)]
        parts += [f"{name}={self._value(value)}" for name, value, _ in reached(function)]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    def _code(self, code: CodeType) -> str:
        constants = [
            self._code(constant) if isinstance(constant, CodeType) else _plain(constant)
            for constant in code.co_consts
        ]
        names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
        return f"{code.co_code.hex()} {constants} {names} {code.co_flags}"

    def _value(self, value: object) -> str:
        if is_kernel(value):
            assert isinstance(value, FunctionType)
            return self.of(value)
        if isinstance(value, tuple):
            return f"({', '.join(self._value(item) for item in value)})"
        return _plain(value)


def _plain(value: object) -> str:
    """Return a text that identifies a constant; raise `TypeError` if there is none."""
    if value is None or isinstance(value, bool | int | float | str | bytes | tuple):
        return f"{type(value).__name__} {value!r}"
    if isinstance(value, frozenset):
        return f"frozenset {sorted(map(_plain, value))}"
    if isinstance(value, ModuleType) and value.__name__ in MODULES:
        return f"module {value.__name__}"
    if type(value).__module__ == "numpy":
        return _array(value)
    if value is Word or (isinstance(value, BuiltinFunctionType) and value.__self__ is builtins):
        return f"builtin {value!r}"
    shown = f"the module {value.__name__}" if isinstance(value, ModuleType) else repr(value)
    raise TypeError(f"a kernel cannot use {shown}: it is no kernel, word, number or array")


def _array(value: object) -> str:
    import numpy as np

    array = np.asarray(value)
    return f"array {array.dtype} {array.shape} {hashlib.sha256(array.tobytes()).hexdigest()}"
