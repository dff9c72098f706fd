"""Sets of actions with a bit each: one word for up to 64 actions, a tuple of words for more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from plyboard.kernel import bits
from plyboard.kernel.marks import WORD_BITS, Word, kernel
from plyboard.kernel.wide import join, with_word, word_at

ActionSet: TypeAlias = Any
"""A word, or a tuple of words, the lowest first: bit `a % 64` of word `a // 64` is action `a`."""

MOST_ACTIONS = 8191
"""The most actions of a game: tables and trees pack an action into 13 bits, with 0 for none."""


@dataclass(frozen=True)
class ActionSets:
    """The kernels for the sets of a game with so many actions.

    The loop over a set is `while some(left): action, left = lowest(left), rest(left)`.
    """

    words: int
    some: Callable[[ActionSet], bool]  # whether the set has an action
    lowest: Callable[[ActionSet], int]  # its lowest action; the set has one
    rest: Callable[[ActionSet], ActionSet]  # the set without its lowest action
    contains: Callable[[ActionSet, int], bool]
    count: Callable[[ActionSet], int]
    nth: Callable[[ActionSet, int], int]  # the action with this many lower ones in the set


def words_of(actions: int) -> int:
    """Return the number of words of a set of this many actions."""
    return max(-(-actions // WORD_BITS), 1)


def mask_of(legal: ActionSet) -> int:
    """Return a set as one number of Python, with a bit for each action."""
    return join(legal) if isinstance(legal, tuple) else int(legal)


def actions_in(legal: ActionSet) -> list[int]:
    """Return the actions of a set, ascending."""
    left, found = mask_of(legal), []
    while left:
        lowest = left & -left
        found.append(lowest.bit_length() - 1)
        left ^= lowest
    return found


def contains_action(legal: ActionSet, action: int) -> bool:
    """Tell whether an action of the game is in a set."""
    word = legal[action // WORD_BITS] if isinstance(legal, tuple) else legal
    return bool(word >> action % WORD_BITS & 1)


@cache
def action_sets(actions: int) -> ActionSets:
    """Return the kernels for sets of this many actions."""
    words = words_of(actions)
    return _in_one_word() if words == 1 else _in_words(words)


@cache
def _in_one_word() -> ActionSets:
    zero: int = Word(0)
    one: int = Word(1)

    @kernel
    def some(actions: int) -> bool:
        return actions != zero

    @kernel
    def rest(actions: int) -> int:
        return actions & (actions - one)

    @kernel
    def contains(actions: int, action: int) -> bool:
        return (actions >> action) & one != zero

    return ActionSets(1, some, bits.lowest, rest, contains, bits.count, bits.nth)


@cache
def _in_words(words: int) -> ActionSets:
    zero: int = Word(0)
    one: int = Word(1)
    lowest_bit, count_bits, nth_bit = bits.lowest, bits.count, bits.nth

    @kernel
    def some(actions: ActionSet) -> bool:
        found = zero
        for index in range(words):
            found = found | word_at(actions, index)
        return found != zero

    @kernel
    def lowest(actions: ActionSet) -> int:
        for index in range(words):
            word = word_at(actions, index)
            if word != zero:
                return index * WORD_BITS + lowest_bit(word)
        return words * WORD_BITS

    @kernel
    def rest(actions: ActionSet) -> ActionSet:
        for index in range(words):
            word = word_at(actions, index)
            if word != zero:
                return with_word(actions, index, word & (word - one))
        return actions

    @kernel
    def contains(actions: ActionSet, action: int) -> bool:
        return (word_at(actions, action >> 6) >> (action & 63)) & one != zero

    @kernel
    def count(actions: ActionSet) -> int:
        found = 0
        for index in range(words):
            found += count_bits(word_at(actions, index))
        return found

    @kernel
    def nth(actions: ActionSet, place: int) -> int:
        for index in range(words):
            word = word_at(actions, index)
            inside = count_bits(word)
            if place < inside:
                return index * WORD_BITS + nth_bit(word, place)
            place -= inside
        return words * WORD_BITS

    return ActionSets(words, some, lowest, rest, contains, count, nth)
