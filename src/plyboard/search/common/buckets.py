"""A table of fixed size: which slot is kept for a position, by its key.

An entry is its key, a word of facts, and a number in an array beside them. The highest eight bits
of the facts are a tag: entries with another tag count as empty. The rest, never 0, is what an
entry is worth keeping for.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from plyboard.errors import UnusableError
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import number

BUCKET_ENTRIES = 4  # slots that a key may be kept in
ENTRY_BYTES = 24
GENERATION = 56
PRIORITY: int = Word((1 << GENERATION) - 1)


@kernel
def probe(entries: Any, key: int, shift: int, generation: int) -> int:
    """Return the slot in which a key is kept; -1 if it is not."""
    bucket = number(key >> shift) * BUCKET_ENTRIES
    for place in range(bucket, bucket + BUCKET_ENTRIES):
        data = Word(entries[place, 1])
        if Word(entries[place, 0]) == key and data >> GENERATION == Word(generation) and data:
            return place
    return -1


@kernel
def store(entries: Any, key: int, shift: int, generation: int, priority: int) -> int:
    """Keep a key in the slot that it has, or in one that is empty or worth least; return the slot.

    Facts are `priority` with the tag above it.
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
    """Return the facts of a slot without the tag."""
    return number(Word(entries[place, 1]) & PRIORITY)


class BucketTable:
    """The memory of one search, of at most so many MiB: nothing in it at first."""

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
        """How far a key moves right to become the number of its bucket."""
        return 64 - self.index_bits
