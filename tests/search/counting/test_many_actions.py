"""Boards with more than 64 cells to choose from: the counts of Hex 11x11 and Gomoku 19x19."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from plyboard.errors import UsageError
from plyboard.games.action_sets import MOST_ACTIONS, words_of
from plyboard.games.rules import Rules, State
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import mix
from plyboard.kernel.wide import Board, split, wide, with_word, word_at
from plyboard.search.common.boundary import words
from plyboard.search.counting.perft import perft_kernel
from plyboard.search.counting.playout import playout_kernel
from plyboard.search.counting.trace import trace


def filling(cells: int, *, as_number: bool = False) -> Rules:
    """Return a game in which players fill a board of so many cells; the last one to move wins."""
    full = split((1 << cells) - 1, words_of(cells))
    kit = wide(len(full))
    without, fold, count = kit.without, kit.fold, kit.count
    zero: int = Word(0)
    one: int = Word(1)

    @kernel
    def legal(state: State) -> Board:
        return without(full, state)

    @kernel
    def number_of_legal(state: State) -> int:
        return full[0] & ~state[0]

    @kernel
    def play(state: State, action: int) -> State:
        word = word_at(state, action >> 6) | (one << (action & 63))
        return with_word(state, action >> 6, word)

    @kernel
    def mover(state: State) -> int:
        return count(state) & 1

    @kernel
    def over(state: State) -> bool:
        return count(state) == cells

    @kernel
    def value(_state: State) -> int:
        return -1

    @kernel
    def scores(_state: State) -> tuple[int, int]:
        return 0, 0

    @kernel
    def key(state: State) -> int:
        return mix(fold(state, zero))

    asked: Any = number_of_legal if as_number else legal
    return Rules(
        start=(Word(0),) * len(full), actions=cells, legal=asked, play=play, over=over,
        value=value, mover=mover, scores=scores, key=key, order=tuple(range(cells)),
        alternates=True,
    )  # fmt: skip


@pytest.mark.parametrize(("cells", "sequences"), [(121, 14_520), (361, 129_960)])
def test_perft_counts_every_cell(cells: int, sequences: int) -> None:
    rules = filling(cells)

    assert perft_kernel(rules)(words(rules.start), 2) == sequences


def test_a_random_game_fills_the_board() -> None:
    rules = filling(361)
    seeds, tally = np.array([7], dtype=np.uint64), np.zeros(4, dtype=np.int64)

    assert playout_kernel(rules)(words(rules.start), 2, seeds, tally) == 2 * 361
    assert tally.tolist() == [2, 0, 0, 2]


def test_a_trace_has_the_legal_actions_of_all_words() -> None:
    rules = filling(130)
    _, after = trace(rules, rules.start, [129])

    assert after.legal == (1 << 129) - 1
    assert rules.legal_actions(after.state) == list(range(129))
    assert not rules.is_legal(after.state, 129)


def test_too_many_actions_are_refused_wherever_the_game_is_opened() -> None:
    with pytest.raises(UsageError, match=f"got {MOST_ACTIONS + 1}; expected 1 to {MOST_ACTIONS}"):
        filling(MOST_ACTIONS + 1)


def test_a_number_for_more_than_64_actions_is_refused() -> None:
    with pytest.raises(UsageError, match="70 legal actions: got a number; expected a tuple of 2 w"):
        filling(70, as_number=True)
