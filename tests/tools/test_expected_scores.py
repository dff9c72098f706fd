"""Scales of expected scores are found again in games whose results follow them. Promise T2."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from xml.etree import ElementTree

import expected_scores
import numpy as np
import pytest
from expected_scores import bins, main
from numpy.typing import NDArray

from plyboard.evaluate.scale_fit import Samples, fit, fit_curve, scores
from plyboard.evaluate.score_scale import USUAL, ScoreScale

CURVE = ((0.0, 0.0), (0.2, 0.3), (0.8, 0.7), (1.0, 1.0))
SCALE = ScoreScale(-1.5, 0.5, 0.4, 3.0, 0.5, -0.2, -0.4, 0.3, CURVE)


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

    errors, usual = (
        [error for count, error, _ in bins(scores(each, unseen), unseen) if count >= 100]
        for each in (scale, USUAL)
    )

    assert max(map(abs, errors)) < 0.06 < max(map(abs, usual))


def test_the_curve_is_what_scores_were_worth_and_rises() -> None:
    samples = drawn(20_000)
    plain = np.random.default_rng(2).random(20_000)
    worth = np.interp(plain, *np.transpose(CURVE))
    score = (np.random.default_rng(3).random(20_000) < worth).astype(np.float64)

    plains, found = np.transpose(fit_curve([plain], [replace(samples, score=score)]))

    assert np.interp([0.2, 0.35, 0.5, 0.65, 0.8], plains, found) == pytest.approx(
        np.interp([0.2, 0.35, 0.5, 0.65, 0.8], *np.transpose(CURVE)), abs=0.03
    )
    assert min(np.diff(plains)) > 0
    assert min(np.diff(found)) > 0


def test_the_errors_are_those_of_each_tenth() -> None:
    rest = drawn(4)
    samples = replace(rest, score=np.array([0.0, 0.5, 1.0, 1.0]), game=np.array([1, 2, 3, 4]))
    found = bins(np.array([0.05, 0.05, 0.55, 1.0]), samples)

    assert [count for count, _, _ in found] == [2, 0, 0, 0, 0, 1, 0, 0, 0, 1]
    errors = [error for _, error, _ in found]
    assert errors == pytest.approx([0.2, 0, 0, 0, 0, 0.45, 0, 0, 0, 0])
    assert found[0][2] == pytest.approx(0.25 / 2**0.5)


def test_estimates_of_one_game_are_no_more_certain_than_one() -> None:
    samples = drawn(100)
    one = replace(samples, game=np.repeat(np.arange(10), 10), score=np.repeat([0.0, 1.0] * 5, 10))
    each = replace(one, game=np.arange(100))

    errors = [bins(np.full(100, 0.5), samples)[5][2] for samples in (one, each)]
    assert errors == pytest.approx([0.5 / 10**0.5, 0.5 / 100**0.5])


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
    main(["check", *options, "--picture", str(tmp_path / "picture.svg")])

    ElementTree.parse(tmp_path / "picture.svg")
    assert (games.read_text(), scales.read_text()) == (whole, written)
    assert set(json.loads(written)["connect-four"]) == set(asdict(USUAL))
    assert capsys.readouterr().out.splitlines()[2].startswith("| connect-four | 20 |")
