"""The transposition table of the solver: of fixed size, cleared by counting generations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from plyboard.errors import UnusableError
from plyboard.search.solver.entries import BUCKET_ENTRIES, DATA_BITS

BUCKET_BYTES = 64


class SolverTable:
    """A transposition table in buckets of 64 bytes. Entries of older generations are ignored."""

    def __init__(self, index_bits: int, key_bits: int) -> None:
        self.index_bits = index_bits
        self.last_generation = (1 << 64 - DATA_BITS - (key_bits - index_bits)) - 1
        self.generation = 0
        self.is_stale = True  # whether to clear it before the next search
        try:
            self.entries: NDArray[np.uint64] = np.zeros(
                BUCKET_ENTRIES << index_bits, dtype=np.uint64
            )
        except MemoryError:
            size = (BUCKET_BYTES << index_bits) >> 20
            raise UnusableError(f"no memory for a table of {size} MiB; try a smaller one") from None

    def clear_if_stale(self) -> None:
        """Clear the table if it is stale."""
        if self.is_stale:
            self.clear()

    def clear(self) -> None:
        """Start a new generation, or wipe the table after the last one."""
        self.is_stale = False
        if self.generation < self.last_generation:
            self.generation += 1
        else:
            self.entries.fill(0)
            self.generation = min(1, self.last_generation)


def least_index_bits(key_bits: int) -> int:
    """Return the fewest index bits for which the other bits of a key fit into an entry."""
    return max(key_bits - (64 - DATA_BITS), 1)


def index_bits_for(mebibytes: int, key_bits: int) -> int:
    """Return the index bits of the largest table that fits into this size."""
    bits = (mebibytes * (1 << 20) // BUCKET_BYTES).bit_length() - 1
    least = least_index_bits(key_bits)
    if bits < least:
        needed = max((BUCKET_BYTES << least) >> 20, 1)
        raise UnusableError(
            "table too small", reason=f"got {mebibytes} MiB; this board needs {needed} MiB"
        )
    return min(bits, key_bits - 1)
