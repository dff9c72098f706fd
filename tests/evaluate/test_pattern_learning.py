"""Learning repeats itself, and what it learns is better than nothing."""

from __future__ import annotations

import numpy as np
import pytest

from plyboard.errors import UsageError
from plyboard.evaluate.pattern_learning import learned, main
from plyboard.evaluate.patterns import POPS, WEIGHTS


def test_the_same_seed_learns_the_same() -> None:
    told: list[str] = []

    first, again, other = learned(300, tell=told.append), learned(300), learned(300, seed=1)

    assert first.shape == (WEIGHTS,)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    assert told[-1] == "300 of 300 games"


def test_it_learns_that_three_of_one_s_own_are_worth_more_than_two() -> None:
    table = learned(3000)[:POPS].reshape(3, 3, 2, 16, 16, 16)  # phase, way, rows, free, other, own

    threes, twos = table[:, :, :, 8, 0, 7].mean(), table[:, :, :, 4, 0, 3].mean()

    assert threes > twos


@pytest.mark.parametrize("arguments", [[], ["x", "out.npz"], ["-1", "out.npz"], ["5"]])
def test_wrong_arguments_are_refused(arguments: list[str]) -> None:
    with pytest.raises(UsageError, match="expected a number of games and a file"):
        main(arguments)
