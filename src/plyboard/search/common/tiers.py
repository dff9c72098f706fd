"""Two tiers of a loop: plain Python at once, and compiled code as soon as it is there.

A call of a loop begins in plain Python, on overlays of its arrays. If compiled code arrives before
it ends, the overlays are dropped, and the compiled loop makes the same call from its start. So a
search finds the same in either tier, and whenever the tier changes.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np

from plyboard.errors import PlyboardError
from plyboard.kernel import compiled, jit_comes_first, jit_is_on
from plyboard.kernel.elsewhere import LOW_PRIORITY, CompilerProcess, was_stored
from plyboard.kernel.loading import load_compiler
from plyboard.kernel.work import COUNTER
from plyboard.processes.background import TICK, Task, in_background
from plyboard.processes.uninterrupted import run_in_thread
from plyboard.search.common.budget import Budget
from plyboard.search.common.control import STOP
from plyboard.search.common.overlay import Overlay, overlay_of

Function = TypeVar("Function", bound=Callable[..., object])

# The work of a loop in plain Python before its compiled code is asked for, and before a call waits
# while stored code is loaded. Loading takes about as long as such a call.
ALLOWANCE, PATIENCE = 30_000, 110_000
# With a single one, a call also waits while its code is compiled: it would only delay that.
PROCESSORS = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
QUIET_SECONDS = 0.05  # without work of a loop, after which its code is loaded
CONTROL = "control"  # the argument through which other threads stop a loop
WANTED, FOR_LATER = CompilerProcess(), CompilerProcess(LOW_PRIORITY)


class ArrivedError(Exception):
    """Ends a call in plain Python: the compiled code has arrived."""


class TieredLoop:
    """A kernel that Python calls once per search, in two tiers."""

    def __init__(self, function: FunctionType) -> None:
        self.function = function
        self.names = function.__code__.co_varnames[: function.__code__.co_argcount]
        self.work = 0  # in plain Python so far
        self.compiled: Callable[..., Any] | None = None
        self._examples: tuple[Any, ...] = ()  # of its arguments
        self._arrival: Task[None] | None = None
        self._is_loading, self._is_awaited = False, threading.Event()
        self._lock = threading.Lock()

    def __call__(self, *arguments: Any) -> Any:
        """Make one call."""
        if self.compiled is None:
            self._note(arguments)
            if _compiles_first or jit_comes_first():
                return self._loaded()(*arguments)
            with suppress(ArrivedError):
                return _PlainCall(self, arguments).result()
        assert self.compiled is not None
        return self.compiled(*arguments)

    def arrival(self) -> Task[None]:
        """Ask for the compiled code, and return the task that ends when it is there.

        It is loaded from disk. If it is not there, another process compiles it, or this one if that
        fails. The loop must have been called before, because its code depends on the types of its
        arguments.
        """
        with self._lock:
            if self._arrival is None:
                self._arrival = in_background(self._arrive)
            return self._arrival

    def _loaded(self) -> Callable[..., Any]:
        """Return the compiled code, from disk or compiled in this process."""
        self.compiled = run_in_thread(
            lambda: load_compiler().compile_for(self.function, self._examples), always=True
        )
        return self.compiled

    def compile_for_later(self) -> None:
        """Have the code compiled and stored at low priority, and wait for that."""
        if self.compiled is None:
            FOR_LATER.compile(self.function, self._examples)

    def _note(self, arguments: Sequence[Any]) -> None:
        if not self._examples:
            self._examples = tuple(map(_example, arguments))
        for called in _listeners:
            called.append(self)

    def count(self, units: int, is_stopped: Callable[[], bool]) -> None:
        """Count work in plain Python; raise `ArrivedError` if compiled code can do it instead."""
        self.work += units
        if self.work > ALLOWANCE and self._arrival is None:
            self.arrival()
        if self.work > PATIENCE and (self._is_loading or PROCESSORS == 1):
            self._is_awaited.set()
            while not is_stopped() and not self.arrival().wait(TICK):
                pass
        if self.compiled is not None:
            raise ArrivedError

    def _arrive(self) -> None:
        function, examples = self.function, self._examples
        try:
            if was_stored(function, examples) or WANTED.compile(function, examples):
                self._wait_for_quiet()
            compiler = run_in_thread(load_compiler, always=True)
            if self._is_loading and not compiler.is_stored(function, examples):
                self._is_loading = False  # it was stored by another version of the compiler
                WANTED.compile(function, examples)
            self.compiled = run_in_thread(
                lambda: compiler.compile_for(function, examples), always=True
            )
        finally:
            self._is_loading = False

    def _wait_for_quiet(self) -> None:
        """Wait until no call runs in plain Python, or one waits: beside it, loading takes long."""
        self._is_loading, before = True, -1
        while before != self.work and not self._is_awaited.wait(QUIET_SECONDS):
            before = self.work


class _PlainCall:
    """One call of a loop in plain Python."""

    def __init__(self, loop: TieredLoop, arguments: Sequence[Any]) -> None:
        self.loop = loop
        self.arguments = [
            overlay_of(each) if isinstance(each, np.ndarray) else each for each in arguments
        ]
        self.control: Overlay | None = None
        if CONTROL in loop.names:
            self.control = self.arguments[loop.names.index(CONTROL)]

    def result(self) -> Any:
        """Return the result; raise `ArrivedError` if the compiled code arrives before."""
        COUNTER.tick = self._tick
        try:
            result = self.loop.function(*self.arguments)
        finally:
            COUNTER.tick = None
        self._stop_if_told()
        for each in self.arguments:
            if isinstance(each, Overlay):
                each.write_back()
        return result

    def _tick(self, units: int) -> None:
        self.loop.count(units, self._stop_if_told)
        self._stop_if_told()

    def _stop_if_told(self) -> bool:
        """Take over the stop flag of other threads, and return it."""
        if self.control is not None and self.control.array[STOP]:
            self.control[STOP] = 1
            return True
        return False


_listeners: tuple[list[TieredLoop], ...] = ()
_compiles_first = 0  # blocks of `compiling_first` that run


def tiered(function: Function) -> Function:
    """Return a kernel that Python calls once per search as a loop of two tiers.

    With the JIT off it is the function itself, and if the JIT comes first its compiled version.
    """
    if not jit_is_on() or jit_comes_first():
        return compiled(function)
    return cast("Function", TieredLoop(cast("FunctionType", function)))


@contextmanager
def compiling_first() -> Iterator[None]:
    """Compile loops before they run, in this process, as long as the block lasts."""
    global _compiles_first
    _compiles_first += 1
    try:
        yield
    finally:
        _compiles_first -= 1


@contextmanager
def loops_called() -> Iterator[list[TieredLoop]]:
    """Yield a list of the loops that are called from now on and have no compiled code yet."""
    global _listeners
    called: list[TieredLoop] = []
    _listeners = (*_listeners, called)
    try:
        yield called
    finally:
        _listeners = tuple(each for each in _listeners if each is not called)


def usable_threads(kernel: Callable[..., Any], threads: int, budget: Budget) -> int:
    """Return how many threads can run a kernel that was called before: only one in plain Python.

    A search that may do much work, and has the time, waits for the compiled code.
    """
    if threads == 1 or not isinstance(kernel, TieredLoop) or kernel.compiled is not None:
        return threads
    is_short = budget.nodes is not None and budget.nodes <= ALLOWANCE
    if budget.seconds is None and not is_short:
        with suppress(PlyboardError):
            kernel.arrival().result()
    return threads if kernel.compiled is not None else 1


def _example(argument: Any) -> Any:
    """Return an argument of the same type, with an array of no size."""
    if not isinstance(argument, np.ndarray):
        return argument
    assert argument.flags.c_contiguous
    example = np.zeros((0,) * argument.ndim, dtype=argument.dtype)
    example.flags.writeable = argument.flags.writeable
    return example
