"""Kernels on words do what Python's own numbers do, compiled and plain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.strategies import integers, lists

from plyboard.kernel import FULL, Word, compiled, jit_is_on, kernel
from plyboard.kernel.bits import below, count, gather, lowest, mix, nth, number, step_random

pytestmark = pytest.mark.kernels

WORDS = integers(0, FULL)


def fast(function: Callable[..., int]) -> Callable[..., int]:
    """Return a way to call a kernel on one word from Python, through the compiler."""

    @kernel
    def call(words: Any, other: int) -> int:
        return function(Word(words[0]), other)

    loop = compiled(call)
    return lambda word, other=0: int(loop(np.array([word], dtype=np.uint64), other))


@kernel
def count_of(word: int, _other: int) -> int:
    return count(word)


@kernel
def lowest_of(word: int, _other: int) -> int:
    return lowest(word)


@kernel
def mix_of(word: int, _other: int) -> int:
    return mix(word)


@kernel
def random_of(word: int, _other: int) -> int:
    return step_random(word)


@kernel
def number_of(word: int, _other: int) -> int:
    return number(word & Word(0xFFFF)) - 5


@kernel
def gather_with(words: Any) -> int:
    return gather(Word(words[0]), Word(words[1]))


GATHERING = compiled(gather_with)


def gathered(word: int, places: int) -> int:
    return int(GATHERING(np.array([word, places], dtype=np.uint64)))


COUNT, LOWEST, MIX, RANDOM = fast(count_of), fast(lowest_of), fast(mix_of), fast(random_of)
NUMBER, NTH, BELOW = fast(number_of), fast(nth), fast(below)


@given(WORDS)
def test_count_is_the_number_of_bits_set(word: int) -> None:
    assert COUNT(word) == count(word) == f"{word:b}".count("1")


@given(WORDS)
def test_lowest_is_the_number_of_noughts_at_the_end(word: int) -> None:
    expected = len(f"{word:064b}") - len(f"{word:064b}".rstrip("0")) if word else 64

    assert LOWEST(word) == lowest(word) == expected


@given(WORDS.filter(bool), integers(0, 63))
def test_nth_is_the_place_of_that_bit(word: int, index: int) -> None:
    places = [place for place in range(64) if word >> place & 1]
    index %= len(places)

    assert NTH(word, index) == nth(word, index) == places[index]


@given(WORDS, WORDS)
def test_gather_brings_bits_side_by_side(word: int, places: int) -> None:
    chosen = [word >> place & 1 for place in range(64) if places >> place & 1]
    expected = sum(bit << index for index, bit in enumerate(chosen))

    assert gathered(word, places) == gather(word, places) == expected


def test_primitives_work_without_their_instruction(monkeypatch: pytest.MonkeyPatch) -> None:
    if jit_is_on():
        from plyboard.kernel import intrinsics

        monkeypatch.delitem(intrinsics.BY_NAME, "nth", raising=False)
        monkeypatch.delitem(intrinsics.BY_NAME, "gather", raising=False)
    other = Word(0b1011_0110_0000)

    @kernel
    def both(words: Any) -> int:
        return nth(Word(words[0]), 3) + 100 * number(gather(Word(words[0]), other))

    assert compiled(both)(np.array([0b1111_0000_0100], dtype=np.uint64)) == 10 + 100 * 0b11100


@given(WORDS)
def test_mix_stays_within_a_word_and_is_the_same_compiled(word: int) -> None:
    assert MIX(word) == mix(word) <= FULL
    assert RANDOM(word) == step_random(word) <= FULL
    assert NUMBER(word) == number_of(word, 0) == (word & 0xFFFF) - 5


@given(lists(WORDS, min_size=2, max_size=50, unique=True))
def test_mix_never_brings_two_words_together(words: list[int]) -> None:
    assert len({mix(word) for word in words}) == len(words)


@given(WORDS, integers(1, 64))
def test_below_is_below(word: int, bound: int) -> None:
    assert BELOW(word, bound) == below(word, bound) < bound


@settings(max_examples=20)
@given(integers(0, FULL), integers(2, 12))
def test_random_numbers_fall_on_all_sides_alike(seed: int, sides: int) -> None:
    falls = [0] * sides
    for _ in range(200 * sides):
        seed = step_random(seed)
        falls[below(mix(seed), sides)] += 1

    assert min(falls) > 100
    assert max(falls) < 300
