"""The sign between the values of a position and of the position after a move."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from plyboard.games.rules import Rules, State
from plyboard.kernel import kernel


@cache
def turn_sign(rules: Rules) -> Callable[[State, State], int]:
    """Return the kernel that compares the movers before and after a move: 1 if equal, else -1.

    A value for the player to move times this is the value for the other position's player to
    move. If the turns of the game alternate, it is always -1, and compiled code has no comparison.
    """
    mover = rules.mover

    @kernel
    def passes_on(_before: State, _after: State) -> int:
        return -1

    @kernel
    def compares_movers(before: State, after: State) -> int:
        return 1 if mover(before) == mover(after) else -1

    return passes_on if rules.alternates else compares_movers
