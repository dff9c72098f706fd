"""Node counter, stop flag and node limit of a compiled search, in an array shared with Python."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Control = NDArray[np.int64]

# The first numbers mean the same in every search; those from FREE on depend on the search.
NODES = 0  # nodes visited so far
STOP = 1  # stop flag: not 0 ends the search, which also sets it when LIMIT is reached
LIMIT = 2  # node limit; 0 for none
EVENTS = 3  # events so far, including those that did not fit into the log
FREE = 4
CACHE_LINES = 16  # numbers in two cache lines, which processors fetch in pairs


def control_of(size: int, limit: int | None = None) -> Control:
    """Return the control of a new search, with no other data in its cache lines."""
    control = np.zeros(CACHE_LINES + size + CACHE_LINES, dtype=np.int64)[
        CACHE_LINES : CACHE_LINES + size
    ]
    control[LIMIT] = limit or 0
    return control
