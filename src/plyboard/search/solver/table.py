"""The memory of the solver: a table of fixed size, emptied at no cost."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from plyboard.errors import UnusableError
from plyboard.search.solver.negamax import BUCKET_ENTRIES, DATA_BITS

BUCKET_BYTES = 64


class SolverTable:
    """Buckets of 64 bytes. Entries of another generation count as empty."""

    def __init__(self, index_bits: int, key_bits: int) -> None:
        self.index_bits = index_bits
        self.last_generation = (1 << 64 - DATA_BITS - (key_bits - index_bits)) - 1
        self.generation = 0
        self.is_stale = True  # whether what it holds is of no more use
        try:
            self.entries: NDArray[np.uint64] = np.zeros(
                BUCKET_ENTRIES << index_bits, dtype=np.uint64
            )
        except MemoryError:
            size = (BUCKET_BYTES << index_bits) >> 20
            raise UnusableError(f"no memory for a table of {size} MiB; try a smaller one") from None

    def clear_if_stale(self) -> None:
        """Forget everything if it is stale."""
        if self.is_stale:
            self.clear()

    def clear(self) -> None:
        """Forget everything: by counting on, or by wiping when the counter is at its end."""
        self.is_stale = False
        if self.generation < self.last_generation:
            self.generation += 1
        else:
            self.entries.fill(0)
            self.generation = min(1, self.last_generation)


def least_index_bits(key_bits: int) -> int:
    """Return the fewest bits of index for which the rest of a key fits into an entry."""
    return max(key_bits - (64 - DATA_BITS), 1)


def index_bits_for(mebibytes: int, key_bits: int) -> int:
    """Return the bits of index for a table of at most this size."""
    bits = (mebibytes * (1 << 20) // BUCKET_BYTES).bit_length() - 1
    least = least_index_bits(key_bits)
    if bits < least:
        needed = max((BUCKET_BYTES << least) >> 20, 1)
        raise UnusableError(f"table too small: got {mebibytes} MiB; this board needs {needed} MiB")
    return min(bits, key_bits - 1)
