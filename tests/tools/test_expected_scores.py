"""Scales of expected scores are found again in games whose results follow them. Promise T2."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path

import expected_scores
import numpy as np
import pytest
from expected_scores import Samples, bins, fit, main, scores
from numpy.typing import NDArray

from plyboard.evaluate.score_scale import USUAL, ScoreScale

SCALE = ScoreScale(-1.5, 0.5, 0.4, 3.0, 0.5, -0.2, -0.4, 0.3)


def drawn(count: int, seed: int = 1) -> Samples:
    """Return samples whose results are drawn by the scores of a scale."""
    chance = np.random.default_rng(seed)
    samples = Samples(
        np.arange(count), chance.random(count), chance.normal(0, 5, count),
        chance.integers(1, 14, count), chance.integers(0, 2, count), np.zeros(count),
    )  # fmt: skip
    won = chance.random(count) < expect(samples)
    return replace(samples, score=won.astype(np.float64))


def expect(samples: Samples) -> NDArray[np.float64]:
    """Return the scores of the scale, one by one, as the package computes them."""
    rows = zip(
        samples.value.tolist(), samples.phase.tolist(), samples.depth.tolist(),
        samples.mover.tolist(), strict=True,
    )  # fmt: skip
    return np.array([SCALE.score(*row) for row in rows])


def test_the_package_and_the_fit_compute_the_same_scores() -> None:
    samples = drawn(200)

    assert scores(SCALE, samples) == pytest.approx(expect(samples))


def test_a_fit_predicts_the_results_of_games_that_it_has_not_seen() -> None:
    samples = drawn(20_000)
    scale, unseen = fit([samples.part(~samples.is_held_out)]), samples.part(samples.is_held_out)

    errors = [error for count, error in bins(scores(scale, unseen), unseen.score) if count >= 100]
    usual = [error for count, error in bins(scores(USUAL, unseen), unseen.score) if count >= 100]

    assert max(map(abs, errors)) < 0.06 < max(map(abs, usual))


def test_the_errors_are_those_of_each_tenth() -> None:
    found = bins(np.array([0.05, 0.05, 0.55, 1.0]), np.array([0.0, 0.5, 1.0, 1.0]))

    assert [count for count, _ in found] == [2, 0, 0, 0, 0, 1, 0, 0, 0, 1]
    errors = [error for _, error in found]
    assert errors == pytest.approx([0.2, 0, 0, 0, 0, 0.45, 0, 0, 0, 0])


def test_an_interrupted_fit_goes_on_where_it_stopped(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(expected_scores, "GAMES", {"connect-four": {20: 6}})
    scales, games = tmp_path / "scales.json", tmp_path / "samples" / "connect-four-20-7.jsonl"
    options = [str(games.parent), "--seed", "7", "--scales", str(scales)]
    main(["fit", *options])
    whole, written = games.read_text(), scales.read_text()

    games.write_text(whole[: len(whole) // 2])  # in the middle of a line
    main(["fit", *options])
    main(["check", *options])

    assert (games.read_text(), scales.read_text()) == (whole, written)
    assert set(json.loads(written)["connect-four"]) == set(asdict(USUAL))
    assert capsys.readouterr().out.splitlines()[2].startswith("| connect-four | 20 |")
