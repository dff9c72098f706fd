"""Replaying a game in one compiled call, with all facts of the rules after each ply."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyboard.games.action_sets import action_sets, words_of
from plyboard.games.rules import Rules, State
from plyboard.kernel import Word, kernel
from plyboard.kernel.wide import join, wide
from plyboard.kernel.work import work
from plyboard.search.common.boundary import ready, state_of, words

FACTS = 5


@dataclass(frozen=True)
class TracedPosition:
    """One position of a game, as the compiled rules describe it."""

    state: State
    legal: int  # a bit for each legal action, however many there are
    key: int
    over: bool
    mover: int
    value: int
    scores: tuple[int, int]


def trace_kernel(rules: Rules) -> Callable[..., None]:
    """Return the kernel that replays actions and writes states, masks and facts.

    It takes the start, the actions, and three arrays with a row for each position: the words of
    the state; the key and the words of the legal mask; over, mover, value and both scores.
    """
    legal, play, over, key = rules.legal, rules.play, rules.over, rules.key
    mover, value, scores = rules.mover, rules.value, rules.scores
    size = len(rules.start)
    load, sets = wide(size).load, action_sets(rules.actions)
    some, lowest, rest = sets.some, sets.lowest, sets.rest
    one: int = Word(1)

    @kernel
    def write_row(state: State, row: int, states: Any, masks: Any, facts: Any) -> None:
        for index in range(size):
            states[row, index] = state[index]
        ended = over(state)
        masks[row, 0] = key(state)
        if not ended:
            left = legal(state)
            while some(left):
                action = lowest(left)
                left = rest(left)
                word = Word(masks[row, 1 + (action >> 6)])
                masks[row, 1 + (action >> 6)] = word | (one << (action & 63))
        first, second = scores(state)
        facts[row, 0] = 1 if ended else 0
        facts[row, 1] = mover(state)
        facts[row, 2] = value(state) if ended else 0
        facts[row, 3] = first
        facts[row, 4] = second

    @kernel
    def replay(start: Any, actions: Any, states: Any, masks: Any, facts: Any) -> None:
        state: State = load(start, 0)
        write_row(state, 0, states, masks, facts)
        for ply in range(actions.shape[0]):
            work(1)
            state = play(state, int(actions[ply]))
            write_row(state, ply + 1, states, masks, facts)

    return replay


def trace(rules: Rules, start: State, actions: Sequence[int]) -> list[TracedPosition]:
    """Return the positions of a game, from the start to the last action."""
    rows = len(actions) + 1
    states = np.zeros((rows, len(start)), dtype=np.uint64)
    masks = np.zeros((rows, 1 + words_of(rules.actions)), dtype=np.uint64)
    facts = np.zeros((rows, FACTS), dtype=np.int64)
    chosen = np.array(actions, dtype=np.int64)
    ready(trace_kernel, rules)(words(start), chosen, states, masks, facts)
    return [
        TracedPosition(
            state_of(state), join(tuple(legal)), key, bool(ended), mover, value, (first, second)
        )
        for state, (key, *legal), (ended, mover, value, first, second) in zip(
            states, masks.tolist(), facts.tolist(), strict=True
        )
    ]
