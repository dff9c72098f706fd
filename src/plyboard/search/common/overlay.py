"""Overlays of arrays: plain Python reads an array through one, and writes to the overlay alone.

A call can so be abandoned at any time, and its arrays are as before. The numbers are Python's own,
which are faster than NumPy's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
SHORT = 256  # numbers of an array that is copied as a whole


class ListOverlay(list[Any]):
    """An overlay of a short array: a copy of it."""

    __slots__ = ("array", "shape")

    def __init__(self, array: Array) -> None:
        super().__init__(array.tolist())
        self.array, self.shape = array, array.shape

    def write_back(self) -> None:
        """Write the numbers to the array."""
        if self.array.flags.writeable:
            self.array[:] = self


class DictOverlay(dict[Any, Any]):
    """An overlay of a large array: the numbers that were written, or read from a constant one."""

    __slots__ = ("array", "is_constant", "read", "shape")

    def __init__(self, array: Array) -> None:
        super().__init__()
        self.array, self.read, self.shape = array, array.item, array.shape
        self.is_constant = not array.flags.writeable

    def __missing__(self, index: Any) -> Any:
        """Return a number that was not written."""
        number = self.read(index)
        if self.is_constant:
            self[index] = number
        return number

    def __len__(self) -> int:
        """Return the length of the array."""
        return len(self.array)

    def write_back(self) -> None:
        """Write the numbers to the array."""
        places = list(self)
        if places and not self.is_constant:
            indices = tuple(np.transpose(places)) if self.array.ndim > 1 else places
            self.array[indices] = np.array(list(self.values()), dtype=self.array.dtype)


Overlay = ListOverlay | DictOverlay


def overlay_of(array: Array) -> Overlay:
    """Return an overlay of an array."""
    return ListOverlay(array) if array.ndim == 1 and array.size <= SHORT else DictOverlay(array)
