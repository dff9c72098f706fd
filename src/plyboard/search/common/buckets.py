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

BUCKET = 4  # slots that a key may be kept in
ENTRY_BYTES = 24
TAG = 56
WORTH: int = Word((1 << TAG) - 1)


@kernel
def slot_of(entries: Any, key: int, shift: int, tag: int) -> int:
    """Return the slot in which a key is kept; -1 if it is not."""
    bucket = number(key >> shift) * BUCKET
    for slot in range(bucket, bucket + BUCKET):
        facts = Word(entries[slot, 1])
        if Word(entries[slot, 0]) == key and facts >> TAG == Word(tag) and facts:
            return slot
    return -1


@kernel
def claim(entries: Any, key: int, shift: int, tag: int, worth: int) -> int:
    """Keep a key in the slot that it has, or in one that is empty or worth least; return the slot.

    Facts are `worth` with the tag above it.
    """
    bucket = number(key >> shift) * BUCKET
    chosen, least = bucket, WORTH
    for slot in range(bucket, bucket + BUCKET):
        facts = Word(entries[slot, 1])
        if facts >> TAG != Word(tag) or facts == Word(0) or Word(entries[slot, 0]) == key:
            chosen = slot
            break
        if facts & WORTH < least:
            chosen, least = slot, facts & WORTH
    entries[chosen, 0] = key
    entries[chosen, 1] = Word(worth) | (Word(tag) << TAG)
    return chosen


@kernel
def worth_of(entries: Any, slot: int) -> int:
    """Return the facts of a slot without the tag."""
    return number(Word(entries[slot, 1]) & WORTH)


class Slots:
    """The memory of one search, of at most so many MiB: nothing in it at first."""

    def __init__(self, mebibytes: int, kind: DTypeLike) -> None:
        self.index_bits = (mebibytes * (1 << 20) // (BUCKET * ENTRY_BYTES)).bit_length() - 1
        slots = BUCKET << self.index_bits
        try:
            self.entries: NDArray[np.uint64] = np.zeros((slots, 2), dtype=np.uint64)
            self.numbers: NDArray[Any] = np.zeros(slots, dtype=kind)
        except MemoryError:
            raise UnusableError(
                f"no memory for a table of {mebibytes} MiB; try a smaller one"
            ) from None

    @property
    def shift(self) -> int:
        """How far a key moves right to become the number of its bucket."""
        return 64 - self.index_bits
