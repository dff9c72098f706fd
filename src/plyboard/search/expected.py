"""The reply to expect from somebody who looks a few plies ahead, at nothing but points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from plyboard.evaluate.captured_cells import promise
from plyboard.evaluate.plain import plain
from plyboard.games import Game
from plyboard.games.rules import Rules, State
from plyboard.games.squatter import Squatter
from plyboard.kernel import Word, compiled, kernel
from plyboard.kernel.wide import wide
from plyboard.search.alpha_beta_loop import ENDLESS, SPAN
from plyboard.search.boundary import Words, words
from plyboard.search.control import FREE, LIMIT, NODES, STOP, Control, control_of


@dataclass(frozen=True)
class Reader:
    """Somebody who looks so many plies ahead; of moves alike, plays the most promising one."""

    promise: Callable[[State, int], int]
    depth: int = 4


def reader_of(game: Game) -> Reader | None:
    """Return whom to expect in a game; None where we expect nobody in particular."""
    return _reader(game.size) if isinstance(game, Squatter) else None


@cache
def _reader(size: int) -> Reader:
    return Reader(promise(size))


@cache
def answering(rules: Rules, reader: Reader) -> Callable[..., int]:
    """Return the kernel that plays an action and the reply to it.

    It takes the start, the action, how far the reader looks, the actions in the game's order, room
    for what each promises, an array for the state after both, and a control. It returns the reply,
    or -1 if there is none because the game is over or the search was stopped.
    """
    legal, play, over, lead = rules.legal, rules.play, rules.over, plain(rules).guess
    promised, n, load = reader.promise, len(rules.start), wide(len(rules.start)).load
    one: int = Word(1)

    @kernel
    def points(state: State, depth: int, alpha: int, beta: int, order: Any, control: Any) -> int:
        """Return the lead in points that can be had so many plies ahead, or a bound."""
        control[NODES] += 1
        if control[NODES] == control[LIMIT]:
            control[STOP] = 1
        if control[STOP]:
            return 0
        if depth == 0 or over(state):
            return lead(state)
        best, actions = -ENDLESS, legal(state)
        for index in range(order.shape[0]):
            action = int(order[index])
            if not (actions >> action) & one:
                continue
            worth = -points(
                play(state, action), depth - 1, -beta, -max(alpha, best), order, control
            )
            if control[STOP]:
                return 0
            best = max(best, worth)
            if best >= beta:
                break
        return best

    @kernel
    def ranked(state: State, order: Any, ranks: Any) -> int:
        """Write what each legal action promises, with its place in the order; count them."""
        moves, actions = 0, legal(state)
        for index in range(order.shape[0]):
            action = int(order[index])
            if (actions >> action) & one:
                ranks[moves] = (promised(state, action) << 8) | (SPAN - index)
                moves += 1
        return moves

    @kernel
    def answer(
        start: Any, action: int, depth: int, order: Any, ranks: Any, after: Any, control: Any
    ) -> int:
        state: State = play(load(start, 0), action)
        least, chosen = depth - depth - ENDLESS, -1
        if not over(state):
            best, moves = least, ranked(state, order, ranks)
            for index in range(moves):
                for other in range(index + 1, moves):
                    if ranks[other] > ranks[index]:
                        ranks[index], ranks[other] = ranks[other], ranks[index]
                reply = int(order[SPAN - (ranks[index] & 255)])
                worth = -points(play(state, reply), depth - 1, least, -best, order, control)
                if control[STOP]:
                    return -1
                if worth > best:
                    best, chosen = worth, reply
            state = play(state, chosen)
        for index in range(n):
            after[index] = state[index]
        return chosen

    return answer


class Expected:
    """The replies to expect in one game; no search waits for the compiler."""

    def __init__(self, rules: Rules, reader: Reader) -> None:
        self.depth, self.size = reader.depth, len(rules.start)
        self.order = np.array(rules.order, dtype=np.int64)
        self.ranks = np.zeros(SPAN + 1, dtype=np.int64)
        self.loop = _loop(rules, reader)
        stopped = control_of(FREE)
        stopped[STOP] = 1
        self.after(words(rules.start), rules.order[0], stopped)

    def after(self, start: Words, action: int, control: Control) -> tuple[int, Words]:
        """Return the reply to an action, -1 if there is none, and the state after both."""
        state = np.zeros(self.size, dtype=np.uint64)
        reply = self.loop(start, action, self.depth, self.order, self.ranks, state, control)
        return int(reply), state


@cache
def _loop(rules: Rules, reader: Reader) -> Callable[..., int]:
    return compiled(answering(rules, reader))
