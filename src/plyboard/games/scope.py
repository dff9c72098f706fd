"""Which games Plyboard plays: finite ones of two players without chance and hidden information."""

from __future__ import annotations

from typing import Any

from plyboard.kernel.digest import digest, reached
from plyboard.kernel.marks import is_kernel

KERNELS = ("legal", "play", "over", "value", "mover", "scores", "key")
OUT_OF_SCOPE = "games of chance, with hidden cards or of more than two players are out of scope"


def scope_fault(game: Any) -> str | None:
    """Return why a game is none that Plyboard plays, or None.

    What a kernel computes depends on nothing but its arguments, so rules have no dice to throw. A
    state is open to both players.
    """
    if len(game.players) != 2:
        return f"it has {len(game.players)} players, and {OUT_OF_SCOPE}"
    for name in KERNELS:
        function = getattr(game.rules, name)
        if not is_kernel(function):
            return f"{name} is no kernel: mark it with @kernel"
        try:
            digest(function)
        except TypeError as fault:
            return f"{name}: {fault}; {OUT_OF_SCOPE}"
        used = {getattr(value, "__name__", "") for _, value, _ in reached(function)}
        if "numpy" in used and "random" in function.__code__.co_names:
            return f"{name}: a kernel cannot use numpy.random; {OUT_OF_SCOPE}"
    if game.rules.mover(game.rules.start) != 0:
        return f"player {game.rules.mover(game.rules.start)} begins; player 0 must"
    return None
