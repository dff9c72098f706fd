"""Small kernels on one machine word."""

from __future__ import annotations

from typing import Any

from plyboard.kernel.marks import FULL, Word, kernel, primitive


@primitive("count")
def count(word: int) -> int:
    """Count the bits that are set."""
    return word.bit_count()


@primitive("lowest")
def lowest(word: int) -> int:
    """Return the index of the lowest bit that is set; 64 if there is none."""
    return (word & -word).bit_length() - 1 if word else 64


@primitive("number")
def number(word: int) -> int:
    """Return a word as a signed integer."""
    return int(word)


@primitive("nth")
def nth(word: int, index: int) -> int:
    """Return the position of the set bit with this many set bits below it."""
    for _ in range(index):
        word = word & (word - Word(1))
    return lowest(word)


@primitive("gather")
def gather(word: int, places: int) -> int:
    """Return the bits of a word at these places, packed from bit 0 on (PEXT)."""
    found, bit = Word(0) & places, Word(1) & FULL
    while places:
        rest = places & (places - Word(1))
        if word & (places ^ rest):
            found = found | bit
        places, bit = rest, (bit << 1) & FULL
    return found


@primitive("fetch")
def fetch(_array: Any, _index: int) -> None:
    """Prefetch an element of an array into the processor's cache."""


@kernel
def mix(word: int) -> int:
    """Hash a word by a permutation of all words (the finaliser of SplitMix64)."""
    word = word ^ (word >> 30)
    word = (word * Word(0xBF58476D1CE4E5B9)) & FULL
    word = word ^ (word >> 27)
    word = (word * Word(0x94D049BB133111EB)) & FULL
    return word ^ (word >> 31)


@kernel
def step_random(seed: int) -> int:
    """Return the next state of the random generator; `mix` of a state is a random word."""
    return (seed + Word(0x9E3779B97F4A7C15)) & FULL


@kernel
def below(word: int, bound: int) -> int:
    """Turn a random word into a number from 0 to bound - 1."""
    return number(((word >> 32) * Word(bound)) >> 32)
