"""A hash table of fixed size for searches in one thread, in buckets with replacement.

An entry is a key, a word of data, and a number in a separate array. The highest eight bits of the
data are the generation: entries of another generation count as empty. The other bits, never 0, are
the priority of the entry: the one with the least priority in a bucket is replaced.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from plyboard.errors import UnusableError
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import number

BUCKET_ENTRIES = 4
ENTRY_BYTES = 24
GENERATION = 56
PRIORITY: int = Word((1 << GENERATION) - 1)


@kernel
def probe(entries: Any, key: int, shift: int, generation: int) -> int:
    """Return the index of the entry of a key; -1 if there is none."""
    bucket = number(key >> shift) * BUCKET_ENTRIES
    for place in range(bucket, bucket + BUCKET_ENTRIES):
        data = Word(entries[place, 1])
        if Word(entries[place, 0]) == key and data >> GENERATION == Word(generation) and data:
            return place
    return -1


@kernel
def store(entries: Any, key: int, shift: int, generation: int, priority: int) -> int:
    """Write an entry and return its index.

    It replaces the entry of the same key, an empty one, or the one with the least priority.
    """
    bucket = number(key >> shift) * BUCKET_ENTRIES
    chosen, least = bucket, PRIORITY
    for place in range(bucket, bucket + BUCKET_ENTRIES):
        data = Word(entries[place, 1])
        if (
            data >> GENERATION != Word(generation)
            or data == Word(0)
            or Word(entries[place, 0]) == key
        ):
            chosen = place
            break
        if data & PRIORITY < least:
            chosen, least = place, data & PRIORITY
    entries[chosen, 0] = key
    entries[chosen, 1] = Word(priority) | (Word(generation) << GENERATION)
    return chosen


@kernel
def priority_of(entries: Any, place: int) -> int:
    """Return the priority of an entry."""
    return number(Word(entries[place, 1]) & PRIORITY)


class BucketTable:
    """The empty table of one search, of at most this size."""

    def __init__(self, mebibytes: int, kind: DTypeLike) -> None:
        self.index_bits = (mebibytes * (1 << 20) // (BUCKET_ENTRIES * ENTRY_BYTES)).bit_length() - 1
        count = BUCKET_ENTRIES << self.index_bits
        try:
            self.entries: NDArray[np.uint64] = np.zeros((count, 2), dtype=np.uint64)
            self.numbers: NDArray[Any] = np.zeros(count, dtype=kind)
        except MemoryError:
            raise UnusableError(
                f"no memory for a table of {mebibytes} MiB; try a smaller one"
            ) from None

    @property
    def shift(self) -> int:
        """The right shift that turns a key into the index of its bucket."""
        return 64 - self.index_bits
