"""Entries of the solver's transposition table, as kernels: hashing, probing, storing, copying.

The key is scrambled by an invertible function. Its highest bits are the index of a bucket and the
others are stored in the entry, so that no two positions are confused.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import number
from plyboard.kernel.work import work

# A table entry, from its lowest bit: lower bound, upper bound, best move, logarithm of the nodes
# that it cost; then the generation, then the bits of the key that are not in the index.
UPPER, MOVE, WORK, DATA_BITS = 6, 12, 17, 21
BIAS = 32
BUCKET_ENTRIES = 8  # in 64 bytes, one cache line


@dataclass(frozen=True)
class EntryKernels:
    """The kernels for keys of one length."""

    scrambled: Callable[[int], int]
    bucket_of: Callable[[int, int], int]
    tag_of: Callable[[int, int, int], int]
    probe: Callable[[Any, int, int], int]
    store: Callable[[Any, int, int, int, int], None]
    lower_of: Callable[[int], int]
    upper_of: Callable[[int], int]
    copy_entries: Callable[[Any, int, int, Any, int, int], int]


@cache
def entry_kernels(key_bits: int) -> EntryKernels:
    """Return the kernels for keys of this length.

    Long because it holds the kernels, which close over the length of a key.
    """
    key_mask = Word((1 << key_bits) - 1)
    half = key_bits // 2
    multiplier = Word(0x9E3779B97F4A7C15 & key_mask | 1)
    bound_mask, work_mask, data_mask = Word(63), Word(15), Word((1 << DATA_BITS) - 1)
    zero: int = Word(0)
    one: int = Word(1)

    @kernel
    def scrambled(key: int) -> int:
        """Hash a key; the hash is a permutation, so that no two keys collide."""
        key = key ^ (key >> half)
        key = (key * multiplier) & key_mask
        key = key ^ (key >> half)
        key = (key * multiplier) & key_mask
        return key ^ (key >> half)

    @kernel
    def bucket_of(key: int, index_bits: int) -> int:
        """Return the index of the first entry of a bucket: the highest bits of the key."""
        return number(key >> (key_bits - index_bits)) * BUCKET_ENTRIES

    @kernel
    def tag_of(key: int, index_bits: int, generation: int) -> int:
        """Return the other bits of the key followed by the generation."""
        rest_bits = key_bits - index_bits
        rest = key & ((one << rest_bits) - one)
        return (rest << (64 - DATA_BITS - rest_bits)) | generation

    @kernel
    def probe(table: Any, bucket: int, tag: int) -> int:
        """Return the entry with this tag, or 0 if there is none."""
        for index in range(bucket, bucket + BUCKET_ENTRIES):
            entry = Word(table[index])
            if entry >> DATA_BITS == tag and entry:
                return entry
        return zero

    @kernel
    def store(table: Any, bucket: int, tag: int, index_bits: int, data: int) -> None:
        """Write an entry: over the same position, or else over the entry that cost least."""
        generation_mask = (one << (64 - DATA_BITS - (key_bits - index_bits))) - one
        victim, least = bucket, 1 << 20
        for index in range(bucket, bucket + BUCKET_ENTRIES):
            entry = Word(table[index])
            if entry >> DATA_BITS == tag:
                victim = index
                break
            current = (entry >> DATA_BITS) & generation_mask == tag & generation_mask
            cost = number((entry >> WORK) & work_mask) if entry and current else -1
            if cost < least:
                victim, least = index, cost
        table[victim] = (tag << DATA_BITS) | data

    @kernel
    def lower_of(entry: int) -> int:
        return number(entry & bound_mask) - BIAS

    @kernel
    def upper_of(entry: int) -> int:
        return number((entry >> UPPER) & bound_mask) - BIAS

    @kernel
    def copy_entries(
        source: Any, source_bits: int, source_generation: int,
        target: Any, target_bits: int, target_generation: int,
    ) -> int:  # fmt: skip
        """Store the current entries of a table in another one; return their number."""
        rest_bits = key_bits - source_bits
        spare = 64 - DATA_BITS - rest_bits
        copied = 0
        for index in range(len(source)):
            work(1)
            entry = Word(source[index])
            tag = entry >> DATA_BITS
            if entry and tag & ((one << spare) - one) == Word(source_generation):
                key = (Word(index // BUCKET_ENTRIES) << rest_bits) | (tag >> spare)
                target_tag = tag_of(key, target_bits, Word(target_generation))
                bucket = bucket_of(key, target_bits)
                store(target, bucket, target_tag, target_bits, entry & data_mask)
                copied += 1
        return copied

    return EntryKernels(
        scrambled, bucket_of, tag_of, probe, store, lower_of, upper_of, copy_entries
    )
