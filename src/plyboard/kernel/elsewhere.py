"""Compiling kernels in another process, which stores their code on disk.

A thread that compiles holds the interpreter, and would slow down the searches beside it.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from types import FunctionType
from typing import Any

from plyboard.errors import UnusableError
from plyboard.kernel.digest import digest
from plyboard.kernel.store import STORE
from plyboard.kernel.transport import pickled, unpickled
from plyboard.processes.background import call_later
from plyboard.processes.python import RunningProgram, start_helper

SERVE = "from plyboard.kernel.elsewhere import serve; serve(*sys.argv[1:])"
DONE = b"done\n"
LOW_PRIORITY = 10
MOST_SECONDS = 600  # for one kernel; usually it takes a few, on a busy machine a minute


class CompilerProcess:
    """A process that compiles one kernel after another, started when it is first needed.

    It finishes what it has begun even if this process ends before.
    """

    def __init__(self, niceness: int = 0) -> None:
        self._niceness = niceness
        self._process: RunningProgram | None = None
        self._lock = threading.Lock()  # held while it compiles

    def compile(self, function: FunctionType, arguments: Sequence[Any]) -> bool:
        """Have a kernel compiled for arguments of these types; return whether that succeeded.

        A process that does not answer is killed, and `UnusableError` is raised.
        """
        try:
            told = pickled((function, tuple(arguments)))
        except (pickle.PicklingError, AttributeError, TypeError, ValueError):
            return False  # an argument or constant that only this process knows
        with self._lock:
            try:
                return self._answer(told) == DONE
            except OSError:
                return False

    def close(self) -> None:
        """End the process, after what it has begun."""
        with self._lock:
            if self._process is not None:
                self._process.communicate()
                self._process = None

    def _answer(self, told: bytes) -> bytes:
        if self._process is None or self._process.poll() is not None:
            self._process = start_helper(SERVE, str(self._niceness))
        pipe, answers = self._process.stdin, self._process.stdout
        assert pipe is not None
        assert answers is not None
        late = threading.Event()
        in_time = call_later(MOST_SECONDS, partial(_end, self._process, late))
        try:
            pipe.write(len(told).to_bytes(8, "little") + told)
            pipe.flush()
            return answers.readline()
        finally:
            in_time()
            if late.is_set():
                raise UnusableError(f"cannot compile: no code after {MOST_SECONDS} seconds")


def _end(process: RunningProgram, late: threading.Event) -> None:
    late.set()
    process.kill()


def was_stored(function: FunctionType, arguments: Sequence[Any]) -> bool:
    """Tell whether the code of a kernel has once been stored, without loading the compiler.

    With another version of the compiler, or on another processor, it may be gone.
    """
    return STORE.has(_note_of(function, arguments))


def _note_of(function: FunctionType, arguments: Sequence[Any]) -> str:
    """Return the key of an empty entry, which says that there is one with code."""
    types = [getattr(each, "dtype", type(each)) for each in arguments]
    return hashlib.sha256(f"stored {digest(function)} {types}".encode()).hexdigest()


def serve(niceness: str) -> None:
    """Compile what standard input asks for until it ends."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing else may answer
    if int(niceness) and hasattr(os, "nice"):
        os.nice(int(niceness))
    with suppress(BrokenPipeError):
        while size := sys.stdin.buffer.read(8):
            told = sys.stdin.buffer.read(int.from_bytes(size, "little"))
            answers.write(DONE if _compile(told, niceness) else b"failed\n")
            answers.flush()


def _compile(told: bytes, niceness: str) -> bool:
    """Compile and store a kernel; return whether it is now on disk."""
    from plyboard.kernel.compiler import compile_for, is_stored

    function, arguments = unpickled(told)
    with suppress(Exception):  # whatever it is, the other process will hear of it, too
        # Another process may compile the same; nobody waits for one of lower priority.
        with STORE.lock(f"{niceness}-{digest(function)}") as has_room:
            if has_room and not is_stored(function, arguments):
                compile_for(function, arguments)
        if is_stored(function, arguments):
            STORE.save(_note_of(function, arguments), b"")
            return True
    return False
