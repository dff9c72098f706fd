"""The sequential test: log-likelihoods twice, published ratios, and error rates by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from arena.sprt_simulation import DISTRIBUTIONS, simulate, tilted
from numpy.typing import NDArray
from oracles import sprt as oracle

from plyboard.arena.statistics.elo import Counts, GameCounts, PairCounts
from plyboard.arena.statistics.sprt import EloModel, SprtTest
from plyboard.errors import UsageError

TESTS = 20_000  # simulated for each hypothesis
MOST_WRONG = 0.055  # at 5 percent
RESULTS = 1000


def random_results(kinds: int, seed: int) -> NDArray[np.float64]:
    """Return counts of 1 to 100,000 results of all shapes: even, one-sided, with empty kinds."""
    chance = np.random.default_rng(seed)
    rows = [
        chance.multinomial(
            chance.integers(1, 10 ** chance.integers(1, 6)),
            chance.dirichlet(np.full(kinds, chance.choice([0.3, 1.0, 5.0]))),
        )
        for _ in range(RESULTS)
    ]
    return np.array(rows, dtype=np.float64)


@pytest.mark.parametrize("kinds", [5, 3])
@pytest.mark.parametrize("bounds", [(0.0, 5.0), (-1.75, 0.25), (20.0, 120.0)])
def test_the_ratio_is_that_of_an_independent_calculation(
    kinds: int, bounds: tuple[float, float]
) -> None:
    results = random_results(kinds, seed=kinds)
    expected = oracle.llrs(results, *bounds)
    found = SprtTest(*bounds).llrs(results)

    assert np.all(np.abs(found - expected) <= 1e-9 * np.maximum(1, np.abs(expected)))


def test_the_normalized_ratio_is_that_of_an_independent_calculation() -> None:
    results = random_results(5, seed=8)
    expected = oracle.llrs(results, 0, 100, is_normalized=True)
    found = SprtTest(0, 100, model="normalized").llrs(results)

    assert np.all(np.abs(found - expected) <= 1e-9 * np.maximum(1, np.abs(expected)))


@pytest.mark.parametrize(
    ("elos", "model", "counts", "published"),
    [
        # From the tests of fastchess, app/tests/sprt_test.cpp.
        ((0, 2), "normalized", GameCounts(36027, 68692, 36433), 0.92),
        ((-1.75, 0.25), "normalized", GameCounts(10650, 20431, 10871), 2.30),
        ((0.5, 2.5), "logistic", GameCounts(21184, 40708, 21404), -1.57),
        ((0, 2), "logistic", GameCounts(57030, 106593, 57433), -2.59),
        ((0, 2), "normalized", PairCounts(365, 16618, 36229, 16974, 390), 2.25),
        ((-1.75, 0.25), "normalized", PairCounts(127, 4883, 10712, 5150, 104), 3.01),
        ((0.5, 2.5), "logistic", PairCounts(223, 9863, 21279, 10037, 246), -3.07),
        ((0, 2), "logistic", PairCounts(871, 26175, 55983, 26678, 821), -4.98),
        # From tests that engines published: https://github.com/official-clockwork/Clockwork/pull/364
        ((0, 3), "normalized", PairCounts(398, 4112, 7672, 4336, 430), 2.96),
        ((0, 3), "normalized", PairCounts(56, 1144, 2546, 1310, 77), 2.95),
        ((0, 3), "normalized", PairCounts(5, 295, 1145, 466, 2), 2.98),
        # https://github.com/codedeliveryservice/Reckless/pull/1025
        ((-2.75, 0.25), "normalized", PairCounts(54, 1974, 5267, 2134, 40), 2.93),
        # https://github.com/ProgramciDusunur/Potential/pull/289
        ((0, 5), "normalized", PairCounts(15, 109, 160, 78, 25), -0.32),
        ((0, 5), "normalized", PairCounts(165, 910, 1827, 880, 180), -0.82),
    ],
)
def test_published_ratios_are_reproduced(
    elos: tuple[float, float], model: EloModel, counts: Counts, published: float
) -> None:
    found = SprtTest(*elos, model=model).llr(counts)

    assert found == pytest.approx(published, abs=0.006)


@pytest.mark.parametrize("name", DISTRIBUTIONS)
def test_errors_are_as_rare_as_promised(name: str) -> None:
    test = SprtTest(0, 100)
    type_1, type_2 = (
        simulate(test, tilted(DISTRIBUTIONS[name], elo, test.model), TESTS, seed=1)
        for elo in (test.elo0, test.elo1)
    )

    assert type_1.accepted <= MOST_WRONG
    assert 1 - type_2.accepted <= MOST_WRONG


def test_errors_of_normalized_tests_are_as_rare_as_promised() -> None:
    test = SprtTest(0, 100, model="normalized")
    type_1, type_2 = (
        simulate(test, tilted(DISTRIBUTIONS["varied"], elo, test.model), 5000, seed=1)
        for elo in (test.elo0, test.elo1)
    )

    assert type_1.accepted <= MOST_WRONG
    assert 1 - type_2.accepted <= MOST_WRONG


def test_the_bounds_are_those_of_wald() -> None:
    test = SprtTest(0, 10, alpha=0.05, beta=0.1)

    assert test.bounds == pytest.approx((math.log(0.1 / 0.95), math.log(18)))


def test_a_test_goes_on_until_a_bound_is_reached() -> None:
    test = SprtTest(0, 100)

    assert test.llr(PairCounts()) == 0
    assert test.decision(PairCounts()) is None
    assert test.decision(PairCounts(5, 0, 10, 0, 6)) is None
    assert test.decision(PairCounts(5, 0, 30, 0, 40)) == "H1"
    assert test.decision(PairCounts(20, 0, 30, 0, 20)) == "H0"


def test_exchanged_players_and_hypotheses_exchange_the_sign() -> None:
    counts = (14, 9, 60, 22, 31)
    for model in ("logistic", "normalized"):
        one = SprtTest(10, 35, model=model).llr(PairCounts(*counts))
        other = SprtTest(-35, -10, model=model).llr(PairCounts(*reversed(counts)))
        assert one == pytest.approx(-other)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"elo0": 5, "elo1": 5}, "wrong hypotheses: got '5' and '5'; expected elo0 below elo1"),
        ({"elo0": 0, "elo1": math.nan}, "wrong hypotheses: got '0' and 'nan'"),
        (
            {"elo0": 0, "elo1": 5, "alpha": 0.5},
            "wrong error rate at alpha: got '0.5'; expected a number above 0 and below 0.5",
        ),
        ({"elo0": 0, "elo1": 5, "beta": 0}, "wrong error rate at beta: got '0'"),
        (
            {"elo0": 0, "elo1": 5, "model": "bayes"},
            "wrong model: got 'bayes'; expected logistic or normalized",
        ),
        (
            {"elo0": 0, "elo1": 120, "model": "normalized"},
            "wrong hypotheses: got '120'; expected at most 100 normalized Elo",
        ),
        (
            {"elo0": -99999, "elo1": 5},
            "wrong hypotheses: got '99999'; expected at most 2000 logistic Elo",
        ),
    ],
)
def test_impossible_tests_are_refused(settings: dict[str, float], said: str) -> None:
    with pytest.raises(UsageError) as refused:
        SprtTest(**settings)  # type: ignore[arg-type]

    assert str(refused.value).startswith(said)


@pytest.mark.parametrize(
    ("test", "pairs", "decided"),
    [
        (SprtTest(0, 10), PairCounts(two=100), PairCounts(two=104)),
        (SprtTest(0, 10), PairCounts(one=90), PairCounts(one=102)),
        (SprtTest(0, 100), PairCounts(half=2, one=2), PairCounts(half=5, one=5)),
    ],
)
def test_equal_results_need_as_many_more_as_it_says(
    test: SprtTest, pairs: PairCounts, decided: PairCounts
) -> None:
    more = sum(decided.frequencies) - sum(pairs.frequencies)

    assert test.decision(decided) is not None
    assert test.pairs_left(pairs) == pytest.approx(more, rel=0.2)
    assert test.pairs_left(decided) == 0


def test_equal_results_between_two_hypotheses_never_tell_them_apart() -> None:
    assert SprtTest(-5, 5).pairs_left(PairCounts(one=10)) == math.inf
    assert SprtTest(-5, 5, model="normalized").pairs_left(PairCounts(one=10)) == math.inf
    assert SprtTest(-5, 5).pairs_left(PairCounts(zero=25, one=50, two=25)) < 10_000
