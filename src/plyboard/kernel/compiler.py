"""Machine code for kernels; with `intrinsics` the only files that import Numba."""

from __future__ import annotations

import builtins
import hashlib
import os
import pickle
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CellType, FunctionType
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import caching, compiler, serialize
from numba.core.errors import NumbaError

from plyboard.kernel import intrinsics
from plyboard.kernel.digest import digest, reached
from plyboard.kernel.loading import numba_variables
from plyboard.kernel.marks import Word, is_kernel, primitive_name
from plyboard.kernel.store import STORE
from plyboard.processes.uninterrupted import run_in_thread

OPTIONS: dict[str, Any] = {
    "nopython": True,
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": False,
    "no_cfunc_wrapper": True,
}
INNER: dict[str, Any] = OPTIONS | {"no_cpython_wrapper": True}  # what Python never calls itself
MADE_BY = ("compiler.py", "digest.py", "intrinsics.py", "marks.py")


@dataclass(frozen=True)
class Compilation:
    """The seconds to compile or load one entry point, and whether it was in the disk cache."""

    name: str
    seconds: float
    cached: bool


LOG: list[Compilation] = []


def compile_entry(function: FunctionType) -> Callable[..., Any]:
    """Return the compiled version of a kernel that Python calls; its code is cached on disk.

    It is the kernel itself if Numba's JIT is disabled.

    Kernels are compiled without Numba's memory management, which counts references to each array
    at each call. Only a kernel that allocates lists or arrays is compiled with it.
    """
    config: Any = numba.config
    if config.DISABLE_JIT:
        return function
    entry: Callable[..., Any] = _entry(function, allocates=False)
    return entry


def _entry(function: FunctionType, *, allocates: bool) -> Any:
    """Return the dispatcher of a kernel that Python calls."""
    dispatcher = _build(function, allocates, OPTIONS)
    if not isinstance(dispatcher._cache, caching.NullCache):
        return dispatcher
    name = f"{function.__module__}.{function.__qualname__}"
    dispatcher._cache = DiskCache(name, f"{digest(function)} {allocates}")
    compile_for = dispatcher._compile_for_args

    def compile_in_thread(*arguments: Any) -> Any:  # called for arguments of new types
        try:
            return run_in_thread(lambda: compile_for(*arguments))
        except NumbaError:
            if allocates:
                raise
        allocating = _entry(function, allocates=True)
        dispatcher._compile_for_args = lambda *_: allocating  # which Numba then calls
        return allocating

    dispatcher._compile_for_args = compile_in_thread
    return dispatcher


def compile_for(function: FunctionType, arguments: Sequence[Any]) -> Callable[..., Any]:
    """Return the compiled version of a kernel, with code for arguments of these types.

    It is loaded from disk, or compiled and stored, now and in this thread.
    """
    for allocates in (False, True):
        entry = _entry(function, allocates=allocates)
        try:
            entry.compile(_types(entry, arguments))
        except NumbaError:
            if allocates:
                raise
        else:
            break
    found: Callable[..., Any] = entry
    return found


def is_stored(function: FunctionType, arguments: Sequence[Any]) -> bool:
    """Tell whether the disk has the code of a kernel for arguments of these types."""
    entries = (_entry(function, allocates=allocates) for allocates in (False, True))
    return any(each._cache.has(_types(each, arguments), each.targetctx) for each in entries)


def _types(entry: Any, arguments: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(entry.typeof_pyval(each) for each in arguments)


_BUILT: dict[tuple[str, bool, bool], Any] = {}


def _build(function: FunctionType, allocates: bool, options: dict[str, Any] = INNER) -> Any:
    """Return the dispatcher of a kernel, with everything that it references prepared for Numba.

    Its name carries its digest: Numba's symbols are made from names, and code loaded from disk
    must never meet other code of the same name.
    """
    name = primitive_name(function)
    if name in intrinsics.BY_NAME:
        return intrinsics.BY_NAME[name]
    stamp = digest(function)
    if (stamp, allocates, options is INNER) not in _BUILT:
        _rebuild(function, stamp, allocates, options)
    return _BUILT[stamp, allocates, options is INNER]


def _rebuild(function: FunctionType, stamp: str, allocates: bool, options: dict[str, Any]) -> None:
    """Build a dispatcher; it is registered before its names are bound, to allow recursion."""
    code = function.__code__
    names: dict[str, Any] = {"__builtins__": builtins, "__name__": __name__}
    cells = {name: CellType() for name in code.co_freevars}
    closure = tuple(cells[name] for name in code.co_freevars)
    defaults = _ready(function.__defaults__, allocates)
    twin = FunctionType(code, names, function.__name__, defaults, closure)
    twin.__qualname__ = f"{function.__qualname__}_{stamp[:24]}"
    twin.__module__ = __name__  # Numba looks modules up, and not every kernel's can be imported
    dispatcher: Any = numba.jit(**options | {"_nrt": allocates})(twin)
    _BUILT[stamp, allocates, options is INNER] = dispatcher
    for name, value, closed_over in reached(function):
        ready = dispatcher if value is function else _ready(value, allocates)
        if closed_over:
            cells[name].cell_contents = ready
        else:
            names[name] = ready


def _ready(value: Any, allocates: bool) -> Any:
    """Return what replaces a value that a kernel references in compiled code."""
    if is_kernel(value):
        return _build(value, allocates)
    if value is Word:
        return np.uint64
    if isinstance(value, Word):
        return np.uint64(value)
    if isinstance(value, tuple):
        return tuple(_ready(item, allocates) for item in value)
    return value


class DiskCache(caching._Cache):
    """The disk cache of one entry point, with one file per signature.

    Numba's own cache keys closures by something that changes with each process, does not see an
    edit in another file, and shares an index between processes that write at the same time. Here
    the name of the file is a digest of all that the code depends on, and there is no index.
    """

    def __init__(self, name: str, stamp: str) -> None:
        self.name = name
        self.stamp = stamp
        self.asked = 0.0

    @property
    def cache_path(self) -> str:
        """The folder of the cache."""
        return str(STORE.folder)

    def has(self, sig: Any, target_context: Any) -> bool:
        """Tell whether the code for a signature is cached."""
        target_context.refresh()
        return STORE.has(self._key(sig, target_context))

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the code for a signature, or None if it is not cached."""
        self.asked = time.perf_counter()
        target_context.refresh()
        payload = STORE.load(self._key(sig, target_context))
        if payload is None:
            return None
        rebuild: Any = compiler.CompileResult._rebuild
        try:
            found = rebuild(target_context, *pickle.loads(payload))
        except Exception:  # whatever is wrong with it, compiling anew puts it right
            return None
        self._note(cached=True)
        return found

    def save_overload(self, sig: Any, data: Any) -> None:
        """Cache the code for a signature."""
        self._note(cached=False)
        if not data.lifted and not data.library.has_dynamic_globals and not _is_torn(data):
            dumps: Any = serialize.dumps
            STORE.save(self._key(sig, data.target_context), dumps(data._reduce()))

    def _note(self, *, cached: bool) -> None:
        LOG.append(Compilation(self.name, time.perf_counter() - self.asked, cached))

    def _key(self, sig: Any, target_context: Any) -> str:
        parts = (self.stamp, str(sig), _made_by(), target_context.codegen().magic_tuple())
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def enable(self) -> None:
        """Do nothing: the store itself decides whether it can save anything."""

    disable = flush = enable


def _is_torn(data: Any) -> bool:
    """Tell whether code contains an address that is valid only in this process.

    Numba leaves such a gap in functions that call each other; loaded from disk it would be a call
    into nothing. A function that only calls itself has none.
    """
    variables = data.library._final_module.global_variables
    return any(each.name.startswith(".numba.unresolved$") for each in variables)


@cache
def _made_by() -> str:
    """Return a text of all that affects compilation: versions, settings, options, this folder.

    Numba's settings are its environment variables: `NUMBA_OPT=1`, say, makes slower code.
    """
    here = Path(__file__).parent
    sources = [hashlib.sha256((here / name).read_bytes()).hexdigest() for name in MADE_BY]
    versions = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    settings = [(name, os.environ[name]) for name in numba_variables()]
    return repr((versions, sorted(OPTIONS.items()), sources, settings))
