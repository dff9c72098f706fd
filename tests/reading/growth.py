"""How the cost of reading grows with the size of a text."""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from plyboard.errors import PlyboardError

FACTOR = 16
MOST = 3 * FACTOR  # linear time grows 16-fold, quadratic time 256-fold
FLOOR = 0.0002  # seconds of processor time; less is mostly noise
TRIES = 6
LONG = 1.0  # seconds; so much is no noise, and is not measured again

Read = Callable[[str], object]
Text = Callable[[int], str]
"""Returns a text of about so many characters."""


@dataclass(frozen=True)
class Repeated:
    """One piece of text over and over, perhaps behind a good beginning and before a good end."""

    unit: str
    head: str = ""
    tail: str = ""

    def __call__(self, size: int) -> str:
        return self.head + self.unit * (size // len(self.unit)) + self.tail


@dataclass(frozen=True)
class Noise:
    """Signs drawn by chance, perhaps behind a good beginning."""

    signs: str
    head: str = ""

    def __call__(self, size: int) -> str:
        return self.head + "".join(random.Random(size).choices(self.signs, k=size))


def growth(read: Read, text: Text, size: int) -> float:
    """Return how many times longer a text of 16 times the size takes to read or refuse.

    What looks slow is measured again, and the best times count.
    """
    small, large = text(size), text(FACTOR * size)
    _cost(read, small)  # whatever is compiled or imported on first use
    lower, upper = _cost(read, small), _cost(read, large)
    for _ in range(TRIES):
        if upper <= MOST * max(lower, FLOOR) or upper > LONG:
            break
        lower, upper = min(lower, _cost(read, small)), min(upper, _cost(read, large))
    return upper / max(lower, FLOOR)


def _cost(read: Read, text: str) -> float:
    """Return the processor time that reading takes, whether or not the text is refused."""
    begun = time.thread_time()  # a search that another test has left running does not count
    with contextlib.suppress(PlyboardError):
        read(text)
    return time.thread_time() - begun
