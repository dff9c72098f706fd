"""Random playouts: many games of random moves in one compiled call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyboard.games import Position
from plyboard.games.action_sets import action_sets
from plyboard.games.rules import Rules, State
from plyboard.kernel import FULL, Word, kernel
from plyboard.kernel.bits import below, mix, step_random
from plyboard.kernel.wide import wide
from plyboard.kernel.work import work
from plyboard.search.common.boundary import Words, ready, words

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Playouts:
    """The results of random games, for the first player."""

    wins: int
    draws: int
    losses: int
    plies: int
    points: int
    seed: int

    @property
    def games(self) -> int:
        """The number of games."""
        return self.wins + self.draws + self.losses

    @property
    def mean(self) -> float:
        """The mean result, from -1 to 1."""
        return (self.wins - self.losses) / max(self.games, 1)


def playout_kernel(rules: Rules) -> Callable[[Words, int, Words, Counts], int]:
    """Return the kernel that plays random games and counts their results.

    It takes the start, the number of games, an array with the state of the random generator and an
    array of wins, draws, losses and points of the first player. It returns the plies played.
    """
    legal, play, over = rules.legal, rules.play, rules.over
    value, mover = rules.value, rules.mover
    load, sets = wide(len(rules.start)).load, action_sets(rules.actions)
    count, nth = sets.count, sets.nth

    @kernel
    def play_games(start: Any, games: int, seeds: Any, tally: Any) -> int:
        origin: State = load(start, 0)
        seed: int = Word(seeds[0])
        plies = 0
        for _ in range(games):
            state = origin
            while not over(state):
                work(1)
                actions = legal(state)
                seed = step_random(seed)
                state = play(state, nth(actions, below(mix(seed), count(actions))))
                plies += 1
            result = value(state) if mover(state) == 0 else -value(state)
            tally[0 if result > 0 else 1 if result == 0 else 2] += 1
            tally[3] += result
        seeds[0] = seed
        return plies

    return play_games


def playouts(position: Position, games: int, seed: int = 0) -> Playouts:
    """Play random games from a position; the same seed gives the same games."""
    seeds, tally = np.array([seed & FULL], dtype=np.uint64), np.zeros(4, dtype=np.int64)
    plies = int(
        ready(playout_kernel, position.game.rules)(words(position.state), games, seeds, tally)
    )
    wins, draws, losses, points = tally.tolist()
    return Playouts(wins, draws, losses, plies, points, int(seeds[0]))
