"""Random playouts: games played to the end by chance, many in one compiled loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyboard.games import Position
from plyboard.games.rules import Rules, State
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import below, count, mix, nth, number, step_random
from plyboard.kernel.wide import wide
from plyboard.search.boundary import Words, ready, words


@dataclass(frozen=True)
class Playouts:
    """What came of some random games: results and points as the first player sees them."""

    wins: int
    draws: int
    losses: int
    plies: int
    points: int
    seed: int

    @property
    def games(self) -> int:
        """How many games were played."""
        return self.wins + self.draws + self.losses

    @property
    def mean(self) -> float:
        """The mean result: 1 if the first player won them all, -1 if none."""
        return (self.wins - self.losses) / max(self.games, 1)


def player(rules: Rules) -> Callable[[Words, int, Words], int]:
    """Return the kernel that plays random games and counts their results.

    It takes the start, how many games, and an array: the random state, then wins, draws, losses
    and points of the first player, added to what is there. It returns the plies played.
    """
    legal, play, over = rules.legal, rules.play, rules.over
    value, mover = rules.value, rules.mover
    load = wide(len(rules.start)).load

    @kernel
    def run(start: Any, games: int, tally: Any) -> int:
        origin: State = load(start, 0)
        seed = Word(tally[0])
        wins, draws, losses, points, plies = 0, 0, 0, 0, 0
        for _ in range(games):
            state = origin
            while not over(state):
                actions = legal(state)
                seed = step_random(seed)
                state = play(state, nth(actions, below(mix(seed), count(actions))))
                plies += 1
            result = value(state) if mover(state) == 0 else -value(state)
            points += result
            if result > 0:
                wins += 1
            elif result < 0:
                losses += 1
            else:
                draws += 1
        tally[0] = seed
        tally[1] = Word(number(Word(tally[1])) + wins)
        tally[2] = Word(number(Word(tally[2])) + draws)
        tally[3] = Word(number(Word(tally[3])) + losses)
        return plies * 1
    return run
