"""The transposition table of alpha-beta, of fixed size and shared by threads without locks.

Two threads may write the same entry at once. The first word of an entry is the key XOR its data
(Hyatt's lockless hashing), so that a torn entry matches no key.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyboard.errors import UnusableError
from plyboard.kernel import FULL, Word, kernel
from plyboard.kernel.bits import number

ENTRY_BYTES = 16
BUCKET_ENTRIES = 4  # in 64 bytes, one cache line
LAST_GENERATION = 255

# The data of an entry, from the lowest bit.
VALUE_BITS, VALUE_BIAS = 32, 1 << 31
DEPTH, BOUND, ESTIMATED, MOVE, GENERATION = 32, 40, 42, 43, 56
UPPER, LOWER, EXACT = 1, 2, 3  # kinds of bound; no entry has 0

ONE, EIGHT_BITS = Word(1), Word(255)
MOVE_MASK = Word((1 << GENERATION - MOVE) - 1)
VALUE_MASK, BOUND_MASK = Word((1 << VALUE_BITS) - 1), Word(3)


@kernel
def value_of(data: int) -> int:
    """Return the value in an entry."""
    return number(data & VALUE_MASK) - VALUE_BIAS


@kernel
def depth_of(data: int) -> int:
    """Return the depth of the search that stored an entry."""
    return number((data >> DEPTH) & EIGHT_BITS)


@kernel
def bound_of(data: int) -> int:
    """Return the kind of bound: EXACT, LOWER or UPPER."""
    return number((data >> BOUND) & BOUND_MASK)


@kernel
def is_estimate(data: int) -> bool:
    """Tell whether the value depends on an evaluation, and is not proved."""
    return (data >> ESTIMATED) & ONE != Word(0)


@kernel
def move_of(data: int) -> int:
    """Return the best move of an entry; -1 if it has none."""
    return number((data >> MOVE) & MOVE_MASK) - 1


@kernel
def packed(value: int, depth: int, bound: int, estimated: int, move: int, generation: int) -> int:
    """Return the data of an entry in one word."""
    low = Word(value + VALUE_BIAS) | Word(depth) << DEPTH | Word(bound) << BOUND
    return (
        low | Word(estimated) << ESTIMATED | Word(move + 1) << MOVE | Word(generation) << GENERATION
    )


@kernel
def probe(table: Any, key: int, shift: int, generation: int) -> int:
    """Return the data stored for a key in this generation, or 0."""
    bucket = number(key >> shift) * (2 * BUCKET_ENTRIES)
    for place in range(bucket, bucket + 2 * BUCKET_ENTRIES, 2):
        data = Word(table[place + 1])
        if Word(table[place]) ^ data == key and number(data >> GENERATION) == generation:
            return data
    return Word(0) & key


@kernel
def store(table: Any, key: int, shift: int, data: int) -> None:
    """Write an entry over the same key, or an older generation, or the least depth."""
    bucket = number(key >> shift) * (2 * BUCKET_ENTRIES)
    victim, least = bucket, 1 << 30
    for place in range(bucket, bucket + 2 * BUCKET_ENTRIES, 2):
        old = Word(table[place + 1])
        priority = depth_of(old) if old >> GENERATION == data >> GENERATION else -1
        if priority >= 0 and Word(table[place]) ^ old == key:
            victim = place
            break
        if priority < least:
            victim, least = place, priority
    table[victim] = (key ^ data) & FULL
    table[victim + 1] = data


class TranspositionTable:
    """Entries of 16 bytes, in as many buckets as fit. Older generations count as empty."""

    def __init__(self, mebibytes: int) -> None:
        self.index_bits = (mebibytes * (1 << 20) // (BUCKET_ENTRIES * ENTRY_BYTES)).bit_length() - 1
        self.generation = 0
        try:
            self.entries: NDArray[np.uint64] = np.zeros(
                2 * BUCKET_ENTRIES << self.index_bits, dtype=np.uint64
            )
        except MemoryError:
            raise UnusableError(
                f"no memory for a table of {mebibytes} MiB; try a smaller one"
            ) from None

    @property
    def shift(self) -> int:
        """The right shift that turns a key into the index of its bucket."""
        return 64 - self.index_bits

    def empty(self) -> None:
        """Start a new generation; wipe the table after the last one."""
        if self.generation == LAST_GENERATION:
            self.entries.fill(0)
            self.generation = 0
        self.generation += 1

    def used(self) -> float:
        """Return the share of entries of this generation, from a sample."""
        data = self.entries[1 : 2 * BUCKET_ENTRIES * 250 : 2]
        return float(np.mean(data >> np.uint64(GENERATION) == self.generation))
