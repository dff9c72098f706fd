"""The boards on which compiled searches are tested.

A search takes seconds to compile for a board, so compiled tests share these. With the JIT off
any board costs nothing, and the same tests run on all of theirs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar
from unittest import mock

from plyboard.kernel import jit_is_on

COMPILED = (
    "connect-four",
    "connect-four:columns=4,rows=4",
    "conniption",
    "conniption:columns=4,rows=4,flips=2",
    "extended",
    "extended:rows=3,columns=4,pops=2",
    "extended:rows=12,columns=12",  # a state of many words
    "squatter",
    "squatter:size=4",
    "squatter:size=5",
)

Case = TypeVar("Case", bound=tuple[object, ...])


@contextmanager
def uncompiled() -> Iterator[None]:
    """Search in plain Python for a while: on a small board that no other test searches."""
    with mock.patch.dict(os.environ, PLYBOARD_JIT="off"):
        yield


def shared(cases: Sequence[Case]) -> list[Case]:
    """Return the cases, each of which begins with a board, that this run has time for."""
    return [case for case in cases if not jit_is_on() or case[0] in COMPILED]
