"""Sending a kernel to another process by value: its bytecode, its constants, what it calls.

A process that compiles a kernel need not import where it was made, be it a file of the user. Both
processes must run the same Python.
"""

from __future__ import annotations

import io
import marshal
import pickle
from collections.abc import Callable
from functools import partial
from importlib import import_module
from types import CellType, FunctionType, ModuleType
from typing import Any

from plyboard.kernel.digest import reached
from plyboard.kernel.marks import is_kernel, is_replaced, kernel, primitive, primitive_name


def pickled(value: object) -> bytes:
    """Return a value in bytes; it may contain kernels, in its parts and in theirs."""
    paper = io.BytesIO()
    _Packer(paper, protocol=pickle.HIGHEST_PROTOCOL).dump(value)
    return paper.getvalue()


unpickled: Callable[[bytes], Any] = pickle.loads
"""Return the value in some bytes of this program; its kernels have the same digests."""


class _Packer(pickle.Pickler):
    def reducer_override(self, value: object) -> Any:
        """Return how a kernel is made anew: first empty, because it may refer to itself."""
        if isinstance(value, ModuleType):
            return import_module, (value.__name__,)
        if not isinstance(value, FunctionType) or not is_kernel(value):
            return NotImplemented
        code, name = marshal.dumps(value.__code__), primitive_name(value)
        made = (code, value.__module__, value.__qualname__, name, is_replaced(value))
        parts = (value.__defaults__, list(reached(value)))
        return _empty_kernel, made, parts, None, None, _fill


def _empty_kernel(
    code: bytes, module: str, qualname: str, name: str | None, always: bool
) -> FunctionType:
    loaded = marshal.loads(code)
    closure = tuple(CellType() for _ in loaded.co_freevars)
    function = FunctionType(loaded, {"__builtins__": __builtins__}, closure=closure)
    function.__module__, function.__qualname__ = module, qualname
    mark = kernel if name is None else partial(primitive(name, always=always))
    mark(function)
    return function


def _fill(function: FunctionType, parts: tuple[Any, list[tuple[str, object, bool]]]) -> None:
    function.__defaults__, used = parts
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    for name, value, is_closed_over in used:
        if is_closed_over:
            cells[name].cell_contents = value
        else:
            function.__globals__[name] = value
