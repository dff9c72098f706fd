"""Learning repeats itself, and what it learns is better than nothing."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

import learn_patterns
import numpy as np
import pytest
from learn_patterns import VALIDATION, fit, learn_weights, play_samples, run

from plyboard.errors import shown
from plyboard.evaluate.patterns import ENDINGS, LEVEL, SHAPE, PatternWeights, learned_weights
from plyboard.kernel import compilations

NOTHING = PatternWeights(np.zeros(SHAPE, dtype=np.int16), np.zeros(ENDINGS, dtype=np.int16))


def test_the_same_seed_learns_the_same() -> None:
    told: list[str] = []

    first = learn_weights(20, NOTHING, 20, report=told.append)
    again, other = learn_weights(20, NOTHING, 20), learn_weights(20, NOTHING, 20, seed=1)

    assert first.patterns.shape == SHAPE
    assert np.array_equal(first.patterns, again.patterns)
    assert np.array_equal(first.endings, again.endings)
    assert not np.array_equal(first.patterns, other.patterns)
    assert told[0] == "20 of 20 games"


def test_it_goes_on_with_the_weights_that_it_gets() -> None:
    after_nothing, compiled = learn_weights(20, NOTHING, 20), len(compilations())
    after_learning = learn_weights(20, learned_weights(), 20)

    assert len(compilations()) == compiled
    assert not np.array_equal(after_nothing.patterns, after_learning.patterns)


def test_several_workers_learn_the_same_as_one() -> None:
    one, two = learn_weights(60, NOTHING, 10), learn_weights(60, NOTHING, 10, workers=2)

    assert np.array_equal(one.patterns, two.patterns)
    assert np.array_equal(one.endings, two.endings)


def test_what_was_fitted_tells_more_than_points_do() -> None:
    positions = play_samples(NOTHING, 400, 5, range(120))

    _, error = fit(positions, 5)

    others = positions.targets[positions.game % VALIDATION == 0]
    assert error < 0.95 * float(np.sqrt(np.mean(others**2)))


def test_it_learns_that_three_of_one_s_own_are_worth_more_than_one() -> None:
    table = learn_weights(100, NOTHING, 60).patterns[:, LEVEL, :, :, 0]
    three_and_fillable, one_and_fillable = 0b1000_1111, 0b1110_1111

    assert table[..., three_and_fillable].mean() > table[..., one_and_fillable].mean()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "wrong arguments: got 0; expected a number of games and a file"),
        (["5"], "wrong arguments: got 1; expected a number of games and a file"),
        (["x", "out.npz"], "wrong number of games: got 'x'; "),
        (["-1", "out.npz"], "wrong number of games: got '-1'; "),
        (["0", "out.npz"], "wrong number of games: got '0'; "),
        (["9", "out.npz"], "expected a whole number from 10 to 1000000"),
        (["1000001", "out.npz"], "expected a whole number from 10 to 1000000"),
        (["9" * 30, "out.npz"], "expected a whole number from 10 to 1000000"),
        (["\u0665\u0665", "out.npz"], r"got '\u0665\u0665'"),
    ],
)
def test_wrong_arguments_are_one_line(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, (out, error) = run(arguments), capsys.readouterr()

    assert (code, out, error.count("\n")) == (2, "", 1)
    assert error.startswith("error: wrong ")
    assert told in error


@pytest.mark.parametrize("name", ["no/such/folder/out.npz", ".", "out\0.npz", "x" * 300])
def test_a_file_that_cannot_be_written_is_one_line_before_any_work(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)

    code, (out, error) = run(["1000000", name]), capsys.readouterr()

    assert (code, out, error.count("\n")) == (4, "", 1)
    assert error.startswith(f"error: cannot write {shown(name)}: ")
    assert list(tmp_path.iterdir()) == []


def test_what_was_learned_is_in_the_file_that_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(learn_patterns, "learn_weights", partial(learn_weights, nodes=20))
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    path = tmp_path / "weights"
    path.write_bytes(b"of another run")

    code = run(["20", str(path)])

    assert (code, capsys.readouterr().err) == (0, "")
    with np.load(path) as file:
        assert np.array_equal(file["patterns"], learn_weights(20, learned_weights(), 20).patterns)
