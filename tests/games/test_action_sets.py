"""Sets of actions behave like sets of numbers, in one word and in several, compiled and plain."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

from plyboard.games.action_sets import action_sets, actions_in, contains_action, words_of
from plyboard.kernel import Word, compiled, kernel
from plyboard.kernel.wide import split, wide

pytestmark = pytest.mark.kernels


def results(actions: int, chosen: set[int]) -> tuple[list[int], list[bool], list[int]]:
    """Return a set by its loop, by membership and by rank, through the compiler."""
    sets = action_sets(actions)
    some, lowest, rest, contains = sets.some, sets.lowest, sets.rest, sets.contains
    count, nth, load = sets.count, sets.nth, wide(sets.words).load
    is_one_word = sets.words == 1

    @kernel
    def first_of(words: Any) -> int:
        return Word(words[0])

    @kernel
    def tuple_of(words: Any) -> Any:
        return load(words, 0)

    read = first_of if is_one_word else tuple_of

    @kernel
    def tell(words: Any, looped: Any, held: Any, ranked: Any) -> int:
        there = read(words)
        left, place = there, 0
        while some(left):
            looped[place] = lowest(left)
            left = rest(left)
            place += 1
        for action in range(actions):
            held[action] = contains(there, action)
        for index in range(count(there)):
            ranked[index] = nth(there, index)
        return place

    words = np.array(split(sum(1 << each for each in chosen), sets.words), dtype=np.uint64)
    looped, ranked = (np.zeros(actions, dtype=np.int64) for _ in range(2))
    held = np.zeros(actions, dtype=np.bool_)
    size = compiled(tell)(words, looped, held, ranked)
    return looped[:size].tolist(), held.tolist(), ranked[:size].tolist()


@pytest.mark.parametrize("actions", [1, 64, 65, 361])
def test_the_kernels_agree_with_sets_of_numbers(actions: int) -> None:
    chance = random.Random(actions)
    for size in (0, 1, actions // 3, actions):
        chosen = set(chance.sample(range(actions), size))
        looped, held, ranked = results(actions, chosen)

        assert looped == ranked == sorted(chosen)
        assert held == [action in chosen for action in range(actions)]


@pytest.mark.parametrize("actions", [7, 64, 121, 4097])
def test_python_reads_the_same_sets(actions: int) -> None:
    chosen = sorted(random.Random(actions).sample(range(actions), actions // 4))
    words = split(sum(1 << each for each in chosen), words_of(actions))
    legal = words[0] if actions <= 64 else words

    assert actions_in(legal) == chosen
    assert [each for each in range(actions) if contains_action(legal, each)] == chosen
