"""Kernels on boards of more than 64 cells: a board is a tuple of words, lowest first.

Each kernel for n words handles the first word and calls the kernel for n - 1 words, so that the
compiled code has no loops, and a board of one word costs as much as a word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from plyboard.kernel import bits
from plyboard.kernel.marks import FULL, WORD_BITS, Word, kernel, primitive

Board = tuple[int, ...]
ZERO: int = Word(0)


@dataclass(frozen=True)
class Wide:
    """The kernels for boards of so many words."""

    both: Callable[[Board, Board], Board]  # a & b
    either: Callable[[Board, Board], Board]  # a | b
    differ: Callable[[Board, Board], Board]  # a ^ b
    without: Callable[[Board, Board], Board]  # a & ~b
    right: Callable[[Board, int], Board]  # a >> places, any number of places
    left: Callable[[Board, int, int], Board]  # a << places | low, fewer than 64 places
    place: Callable[[int, int], Board]  # word << places, any number of places
    some: Callable[[Board], bool]  # a != 0
    count: Callable[[Board], int]  # how many bits are set
    gather: Callable[[Board, Board], int]  # the bits at some places, side by side in one word
    fold: Callable[[Board, int], int]  # a hash of the board and of a word
    load: Callable[[Board, int], Board]  # words from an array or a longer tuple, from an index on


def split(board: int, words: int) -> Board:
    """Return the words of a board given as one number."""
    return tuple(Word(board >> WORD_BITS * index & FULL) for index in range(words))


def join(board: Board) -> int:
    """Return a board of words as one number."""
    return sum(word << WORD_BITS * index for index, word in enumerate(board))


@primitive("word_at", always=True)
def word_at(board: Board, index: int) -> int:
    """Return a word of a board of two words or more; kernels may compute the index."""
    return board[index]


@primitive("with_word", always=True)
def with_word(board: Board, index: int, word: int) -> Board:
    """Return a board of two words or more with another word at an index."""
    return (*board[:index], word, *board[index + 1 :])


@kernel
def spill(word: int, places: int) -> int:
    """Return the bits that a right shift by fewer than 64 moves out of a word."""
    return (word << (64 - places)) & FULL if places > 0 else ZERO


@kernel
def carry(word: int, places: int) -> int:
    """Return the bits that a left shift by fewer than 64 moves out of a word."""
    return word >> (64 - places) if places > 0 else ZERO


@cache
def wide(words: int) -> Wide:
    """Return the kernels for boards of this many words."""
    return _one() if words == 1 else _more(wide(words - 1))


def _one() -> Wide:
    count_word, mix, gather_word = bits.count, bits.mix, bits.gather

    @kernel
    def both(a: Board, b: Board) -> Board:
        return (a[0] & b[0],)

    @kernel
    def either(a: Board, b: Board) -> Board:
        return (a[0] | b[0],)

    @kernel
    def differ(a: Board, b: Board) -> Board:
        return (a[0] ^ b[0],)

    @kernel
    def without(a: Board, b: Board) -> Board:
        return (a[0] & ~b[0],)

    @kernel
    def right(a: Board, places: int) -> Board:
        return (a[0] >> places,) if places < 64 else (ZERO,)

    @kernel
    def left(a: Board, places: int, low: int) -> Board:
        return (((a[0] << places) & FULL) | low,)

    @kernel
    def place(word: int, places: int) -> Board:
        return ((word << places) & FULL,) if places < 64 else (ZERO,)

    @kernel
    def some(a: Board) -> bool:
        return a[0] != ZERO

    @kernel
    def count(a: Board) -> int:
        return count_word(a[0])

    @kernel
    def gather(a: Board, places: Board) -> int:
        return gather_word(a[0], places[0])

    @kernel
    def fold(a: Board, word: int) -> int:
        return mix(a[0] ^ word)

    @kernel
    def load(words: Board, index: int) -> Board:
        return (Word(words[index]),)

    return Wide(both, either, differ, without, right, left, place, some, count, gather, fold, load)


def _more(rest: Wide) -> Wide:
    rest_both, rest_either, rest_differ = rest.both, rest.either, rest.differ
    rest_without, rest_right, rest_left = rest.without, rest.right, rest.left
    rest_place, rest_some, rest_count = rest.place, rest.some, rest.count
    rest_gather, rest_fold, rest_load = rest.gather, rest.fold, rest.load
    count_word, mix, gather_word = bits.count, bits.mix, bits.gather

    @kernel
    def both(a: Board, b: Board) -> Board:
        return (a[0] & b[0],) + rest_both(a[1:], b[1:])

    @kernel
    def either(a: Board, b: Board) -> Board:
        return (a[0] | b[0],) + rest_either(a[1:], b[1:])

    @kernel
    def differ(a: Board, b: Board) -> Board:
        return (a[0] ^ b[0],) + rest_differ(a[1:], b[1:])

    @kernel
    def without(a: Board, b: Board) -> Board:
        return (a[0] & ~b[0],) + rest_without(a[1:], b[1:])

    @kernel
    def right(a: Board, places: int) -> Board:
        if places >= 64:
            return rest_right(a[1:], places - 64) + (ZERO,)
        return ((a[0] >> places) | spill(a[1], places),) + rest_right(a[1:], places)

    @kernel
    def left(a: Board, places: int, low: int) -> Board:
        return (((a[0] << places) & FULL) | low,) + rest_left(a[1:], places, carry(a[0], places))

    @kernel
    def place(word: int, places: int) -> Board:
        if places >= 64:
            return (ZERO,) + rest_place(word, places - 64)
        return ((word << places) & FULL,) + rest_place(carry(word, places), 0)

    @kernel
    def some(a: Board) -> bool:
        return a[0] != ZERO or rest_some(a[1:])

    @kernel
    def count(a: Board) -> int:
        return count_word(a[0]) + rest_count(a[1:])

    @kernel
    def gather(a: Board, places: Board) -> int:
        further = rest_gather(a[1:], places[1:])
        return gather_word(a[0], places[0]) | (further << count_word(places[0]))

    @kernel
    def fold(a: Board, word: int) -> int:
        return rest_fold(a[1:], mix(a[0] ^ word))

    @kernel
    def load(words: Board, index: int) -> Board:
        return (Word(words[index]),) + rest_load(words, index + 1)

    return Wide(both, either, differ, without, right, left, place, some, count, gather, fold, load)
