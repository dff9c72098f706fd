"""What a compiled search counts and obeys: an array of numbers that Python can reach meanwhile."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Control = NDArray[np.int64]

# The first places mean the same in every search; those from FREE on belong to the search.
NODES = 0  # positions looked at so far
STOP = 1  # not 0: leave at once; the search sets it itself when LIMIT is reached
LIMIT = 2  # nodes that may be looked at; 0 for any number
EVENTS = 3  # events noted so far, those included for which there was no room
FREE = 4
CACHE_LINES = 16  # numbers in two lines of a processor's cache, which it fetches in pairs


def control_of(size: int, limit: int | None = None) -> Control:
    """Return the control of a search that has not begun, in lines of the cache of its own."""
    control = np.zeros(CACHE_LINES + size + CACHE_LINES, dtype=np.int64)[
        CACHE_LINES : CACHE_LINES + size
    ]
    control[LIMIT] = limit or 0
    return control
