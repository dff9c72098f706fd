"""Boards of several words behave like one long number, compiled and plain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis.strategies import data, integers, sampled_from

from plyboard.kernel import Word, compiled, kernel
from plyboard.kernel.wide import Board, join, split, wide

pytestmark = pytest.mark.kernels

SIZES = (1, 2, 3, 5)
DRAW = data()


def on_two(words: int, operation: Callable[[Board, Board, int], Board]) -> Callable[..., int]:
    """Return a way to run an operation on two long numbers, through the compiler."""
    load = wide(words).load

    @kernel
    def call(a: Any, b: Any, places: int, out: Any) -> None:
        result = operation(load(a, 0), load(b, 0), places)
        for index in range(words):
            out[index] = result[index]

    loop = compiled(call)

    def run(a: int, b: int = 0, places: int = 0) -> int:
        out = np.zeros(words, dtype=np.uint64)
        first, second = (np.array(split(board, words), dtype=np.uint64) for board in (a, b))
        loop(first, second, places, out)
        return join(tuple(out.tolist()))

    return run


def all_at_once(words: int) -> Callable[..., int]:
    """Return (((a & b) | (a ^ b)) & ~(b >> places)) << 1, which uses every operation."""
    kit = wide(words)
    both, either, differ, without = kit.both, kit.either, kit.differ, kit.without
    right, left = kit.right, kit.left
    nothing = Word(0)

    @kernel
    def operation(a: Board, b: Board, places: int) -> Board:
        mixed = either(both(a, b), differ(a, b))
        return left(without(mixed, right(b, places)), 1, nothing)

    return on_two(words, operation)


def placed(words: int) -> Callable[..., int]:
    """Return the lowest word of a, placed, with how many bits b has in the lowest place."""
    kit = wide(words)
    place, either, count, some = kit.place, kit.either, kit.count, kit.some

    @kernel
    def operation(a: Board, b: Board, places: int) -> Board:
        bits = Word(count(b)) if some(b) else Word(0)
        return either(place(a[0], places), place(bits, 0))

    return on_two(words, operation)


FAST = {words: all_at_once(words) for words in SIZES}
PLACED = {words: placed(words) for words in SIZES}


@given(sampled_from(SIZES), DRAW)
def test_operations_agree_with_long_numbers(words: int, draw: Any) -> None:
    full = (1 << 64 * words) - 1
    a, b = draw.draw(integers(0, full)), draw.draw(integers(0, full))
    places = draw.draw(integers(0, 64 * words + 10))

    assert FAST[words](a, b, places) == ((a & b | a ^ b) & ~(b >> places)) << 1 & full


@given(sampled_from(SIZES), DRAW)
def test_a_word_can_be_placed_anywhere(words: int, draw: Any) -> None:
    full = (1 << 64 * words) - 1
    a, b = draw.draw(integers(0, (1 << 64) - 1)), draw.draw(integers(0, full))
    places = draw.draw(integers(0, 64 * words))

    assert PLACED[words](a, b, places) == (a << places & full) | b.bit_count()


@given(integers(0, (1 << 320) - 1))
def test_splitting_and_joining_are_inverse(board: int) -> None:
    assert join(split(board, 5)) == board
