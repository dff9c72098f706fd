"""What a process may tell the one that started it: values of known kinds, which run no code.

A process that plays outside code may send anything. An ordinary unpickler would import and call
whatever it is told to; this one knows a single function, which makes the kinds listed here.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Mapping
from dataclasses import fields
from importlib import import_module
from typing import Any

from plyboard.processes.child_process import Connection

LARGEST = 1 << 28  # bytes of a message
PLAIN, ARRAY = "plain", "array"
PLAIN_KINDS: tuple[Any, ...] = (int, float, str, bytes)
NUMBERS = "biuf"  # kinds of arrays: truth values, integers and floating numbers
KINDS = {
    "plyboard.arena.game_task": ("GameResult",),
    "plyboard.errors": (
        "BotError", "ConformanceError", "DecidedError", "GameOverError", "IllegalMoveError",
        "NotationError", "PeerError", "Place", "PlyboardError", "SpecError", "UnreachableError",
        "UnusableError", "UsageError", "WorkerError",
    ),
    "plyboard.games.position": ("_restored",),
    "plyboard.processes.executor": ("LostTask", "RemoteError"),
    "plyboard.search.alpha_beta.duplicate_pruning": ("ChoiceWithSavings", "Saved", "Savings"),
    "plyboard.search.common.choice": ("Choice", "ValuedMove"),
    "plyboard.search.common.events": ("Events",),
    "plyboard.server.protocol": (
        "AnalysisView", "MoveValue", "RequestError", "ReviewView", "ReviewedMove",
    ),
    "plyboard.server.study.tasks": ("Done",),
    "plyboard.server.study.tree_pool": ("TreeChoice",),
}  # fmt: skip
"""Classes and functions by module. Calling them is harmless, whatever they are given."""


class UnreadableError(Exception):
    """A message that holds something else than values of known kinds."""


def send_value(pipe: Connection, value: object) -> None:
    """Send a value; raise `PicklingError` before that if it is of no known kind."""
    pipe.send_bytes(encode_value(value))


def receive_value(pipe: Connection) -> Any:
    """Return the next value; raise `UnreadableError` if a process sends anything else."""
    data = pipe.recv_bytes(LARGEST)
    try:
        return _Decoder(io.BytesIO(data)).load()
    except Exception as fault:
        raise UnreadableError(type(fault).__name__) from fault


def encode_value(value: object) -> bytes:
    """Return a value as a message."""
    buffer = io.BytesIO()
    _Encoder(buffer, pickle.HIGHEST_PROTOCOL).dump(value)
    return buffer.getvalue()


class _Encoder(pickle.Pickler):
    """Writes each object as the name of its kind and its content."""

    def reducer_override(self, value: Any) -> Any:
        """Return how a value is made that is no plain data."""
        return NotImplemented if value is made else (made, _parts(value))


class _Decoder(pickle.Unpickler):
    """Knows no function but `made`."""

    def find_class(self, module: str, name: str) -> Any:
        """Return the only function that a message may call."""
        if (module, name) == (made.__module__, made.__qualname__):
            return made
        raise pickle.UnpicklingError(f"no value: {module}.{name}")


def _parts(value: Any) -> tuple[str, Any]:
    """Return the kind and the content of an object; of a class derived from a kind, that kind."""
    kinds: tuple[Any, ...] = type(value).__mro__
    for each in kinds:
        if "__reduce__" in vars(each) and each.__module__ in KINDS:
            function, arguments = each.__reduce__(value)
            return f"{function.__module__}:{function.__qualname__}", arguments
        if each.__qualname__ in KINDS.get(each.__module__, ()):
            return f"{each.__module__}:{each.__qualname__}", _content(each, value)
    if type(value).__module__ == "numpy":
        is_array = hasattr(value, "shape") and value.shape
        return (ARRAY, _array(value)) if is_array else (PLAIN, value.item())
    for plain in PLAIN_KINDS:
        if isinstance(value, plain):
            return PLAIN, plain(value)
    if isinstance(value, Mapping):
        return PLAIN, dict(value)
    raise pickle.PicklingError(f"no value for another process: {type(value).__name__}")


def _content(kind: Any, value: Any) -> object:
    if issubclass(kind, BaseException):
        return value.args, vars(value)
    if "__getstate__" in vars(kind):
        return value.__getstate__()
    names = getattr(kind, "__struct_fields__", None) or [each.name for each in fields(kind)]
    return {name: getattr(value, name) for name in names}


def _array(value: Any) -> tuple[str, tuple[int, ...], bytes]:
    if value.dtype.kind not in NUMBERS:
        raise pickle.PicklingError(f"no value for another process: an array of {value.dtype}")
    return value.dtype.str, value.shape, value.tobytes()


def made(kind: str, content: Any) -> object:
    """Return the value of a kind with this content."""
    if kind == PLAIN:
        return content
    if kind == ARRAY:
        import numpy as np

        name, shape, data = content
        kind_of_number: Any = np.dtype(name)
        if kind_of_number.kind not in NUMBERS:
            raise pickle.UnpicklingError(f"no value: an array of {name}")
        return np.frombuffer(data, kind_of_number).reshape(shape)
    module, _, name = kind.partition(":")
    if name not in KINDS.get(module, ()):
        raise pickle.UnpicklingError(f"no value: {kind}")
    found: Any = getattr(import_module(module), name)
    if isinstance(content, tuple) and not isinstance(found, type):
        return found(*content)
    if isinstance(found, type) and issubclass(found, BaseException):
        arguments, state = content
        fault = found.__new__(found, *arguments)
        vars(fault).update(state)
        return fault
    if "__getstate__" in vars(found):
        value = found.__new__(found)
        vars(value).update(content)
        return value
    return found(**content)
