"""Passing states between Python and compiled kernels, as arrays of words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyboard.games.rules import Rules, State
from plyboard.kernel import Word, compilations
from plyboard.search.common.tiers import tiered

Words = NDArray[np.uint64]
Factory = Callable[[Rules], Callable[..., Any]]


def words(state: State) -> Words:
    """Return a state as the array that compiled kernels take."""
    return np.array(state, dtype=np.uint64)


def state_of(array: Words) -> State:
    """Return the state in an array of words."""
    return tuple(Word(word) for word in array.tolist())


@cache
def ready(factory: Factory, rules: Rules) -> Callable[..., Any]:
    """Return the kernel that a factory makes for some rules, as a loop of two tiers."""
    return tiered(factory(rules))


@contextmanager
def was_on_disk() -> Iterator[Callable[[], bool]]:
    """Yield a function that tells whether all code since then was loaded from disk."""
    before = len(compilations())
    yield lambda: all(each.cached for each in compilations()[before:])
