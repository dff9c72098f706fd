"""Kernels that many rules have in common."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from plyboard.games.rules import State
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import number
from plyboard.kernel.wide import wide


@kernel
def mover_has_lost(_state: State) -> int:
    """Return the value of games in which only the player who just moved can have won."""
    return -1


@kernel
def no_points(_state: State) -> tuple[int, int]:
    """Return the scores of games without points."""
    return (0, 0)


@cache
def player_at(index: int) -> Callable[[State], int]:
    """Return the mover of rules whose states have the player to move in the word at this index."""

    @kernel
    def mover(state: State) -> int:
        return number(state[index])

    return mover


@cache
def hash_of(words: int) -> Callable[[State], int]:
    """Return the key of rules whose states have so many words: a hash of all of them."""
    fold, one = wide(words).fold, Word(1)

    @kernel
    def key(state: State) -> int:
        return fold(state, one)

    return key
