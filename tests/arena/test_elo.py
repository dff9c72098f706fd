"""Elo differences and intervals: closed forms, and what fastchess printed for the same games."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pytest
from arena.interval_simulation import MATCHES, MatchCase, matches_held

from plyboard.arena.statistics.elo import (
    Counts,
    GameCounts,
    PairCounts,
    Z,
    elo_difference,
    estimate_elo,
    expected_score,
    student_probability,
    student_quantile,
)

SHARED_GAMES = Path(__file__).parents[1] / "data" / "matches" / "fastchess_400_games.txt"


def read_shared_games() -> tuple[GameCounts, PairCounts]:
    """Count the games of the list for player A, singly and in pairs."""
    games, pairs = Counter[float](), defaultdict[str, float](float)
    for line in SHARED_GAMES.read_text("utf-8").splitlines():
        if line.startswith("#"):
            continue
        pair, first, _, result = line.split()
        score = {"1-0": 1.0, "1/2-1/2": 0.5, "0-1": 0.0}[result]
        own = score if first == "A" else 1 - score
        games[own] += 1
        pairs[pair] += own
    counted = Counter(pairs.values())
    return (
        GameCounts(games[0.0], games[0.5], games[1.0]),
        PairCounts(*(counted[points / 2] for points in range(5))),
    )


def test_a_shared_match_is_counted_as_fastchess_counts_it() -> None:
    # Elo: 277.00 +/- 40.90, nElo: 345.17 +/- 34.05, LOS: 100.00 %, DrawRatio: 17.00 %,
    # PairsRatio: 22.71, Games: 400, Wins: 307, Losses: 42, Draws: 51, Points: 332.5 (83.12 %),
    # Ptnml(0-2): [4, 3, 34, 42, 117]; from https://chess.stackexchange.com/questions/45881
    games, pairs = read_shared_games()
    found = estimate_elo(pairs)

    assert games == GameCounts(losses=42, draws=51, wins=307)
    assert pairs.frequencies == (4, 3, 34, 42, 117)
    assert found.games == 400
    assert f"{found.elo:.2f}" == "277.00"
    assert found.elo_error == pytest.approx(40.90, rel=0.01)  # ours is a little wider
    assert f"{found.normalized:.2f} +/- {found.normalized_error:.2f}" == "345.17 +/- 34.05"
    assert (f"{found.los:.2%}", f"{found.score:.2%}") == ("100.00%", "83.12%")
    assert (f"{pairs.draw_ratio:.2%}", f"{pairs.pairs_ratio:.2f}") == ("17.00%", "22.71")


@pytest.mark.parametrize(
    ("counts", "elo", "error", "normalized", "normalized_error", "los"),
    [
        # From the tests of fastchess, app/tests/elo_test.cpp, which round to one percent.
        (GameCounts(89, 123, 76), None, None, -20.76, 40.13, 0.1553),
        (GameCounts(96, 111, 136), 40.70, 30.43, 49.77, 36.77, 0.9960),
        (GameCounts(356, 0, 34), None, None, -508.44, 34.48, None),
        (PairCounts(34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 28.28, 1.0),
        (PairCounts(332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 10.96, 0.0505),
        (PairCounts(7895, 8757, 5685, 568, 9999), -21.04, 2.95, -19.01, 2.65, None),
        # From matches published by Reckless, https://github.com/codedeliveryservice/Reckless/wiki
        (PairCounts(59, 1751, 4800, 3267, 169), 30.09, 2.56, 56.71, 4.80, None),
        (PairCounts(5, 782, 2540, 1655, 19), 31.38, 3.35, 64.29, 6.81, None),
    ],
)
def test_published_examples_are_reproduced(
    counts: Counts,
    elo: float | None,
    error: float | None,
    normalized: float,
    normalized_error: float,
    los: float | None,
) -> None:
    found = estimate_elo(counts)

    for published, ours in (
        (elo, found.elo), (error, found.elo_error), (normalized, found.normalized),
        (normalized_error, found.normalized_error), (los, found.los),
    ):  # fmt: skip
        assert published is None or ours == pytest.approx(published, rel=0.02)


def test_elo_and_score_are_inverse() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    assert elo_difference(0.75) == pytest.approx(400 * math.log10(3))
    for elo in (-700, -35.5, 12, 241):
        assert elo_difference(expected_score(elo)) == pytest.approx(elo)
    assert (elo_difference(0), elo_difference(1)) == (-math.inf, math.inf)


def test_without_draws_the_interval_is_that_of_wilson() -> None:
    # 60 of 100: 0.5020 to 0.6906 with 1.96 standard errors, a little wider with Student's t.
    found = estimate_elo(GameCounts(losses=40, draws=0, wins=60))

    assert found.score == 0.6
    assert expected_score(found.low) == pytest.approx(0.502, abs=0.003)
    assert expected_score(found.high) == pytest.approx(0.691, abs=0.003)
    assert found.los == pytest.approx(0.976, abs=0.003)


@pytest.mark.parametrize(
    ("freedom", "quantile"), [(4, 2.776), (9, 2.262), (29, 2.045), (1000, 1.962)]
)
def test_student_is_as_in_printed_tables(freedom: int, quantile: float) -> None:
    assert student_quantile(Z, freedom) == pytest.approx(quantile, rel=0.01)
    assert student_probability(quantile, freedom) == pytest.approx(0.975, abs=0.001)
    assert student_probability(-quantile, freedom) == pytest.approx(0.025, abs=0.001)


def test_independent_games_give_the_same_error_singly_and_in_pairs() -> None:
    # A quarter of all pairs lost, half even, a quarter won: as if coins were tossed.
    by_games, by_pairs = (
        estimate_elo(counts) for counts in (GameCounts(100, 0, 100), PairCounts(25, 0, 50, 0, 25))
    )

    assert by_games.error == pytest.approx(by_pairs.error, rel=0.02)
    assert by_games.normalized_error == pytest.approx(by_pairs.normalized_error)


def test_decided_openings_do_not_count_as_doubt() -> None:
    # Each opening wins for one side, and only five pairs tell the players apart.
    by_games = estimate_elo(GameCounts(95, 0, 105))
    by_pairs = estimate_elo(PairCounts(0, 0, 95, 0, 5))

    assert by_games.score == by_pairs.score
    assert by_pairs.error < by_games.error / 2.8
    assert by_pairs.los > 0.97 > 0.9 > by_games.los


@pytest.mark.parametrize(
    ("counts", "low", "high"),
    [
        (GameCounts(wins=10), (0.60, 0.72), (1, 1)),  # exact bound of the binomial: 0.69
        (PairCounts(zero=20), (0, 0), (0.05, 0.17)),
        (PairCounts(one=5), (0.2, 0.4), (0.6, 0.8)),
    ],
)
def test_equal_results_leave_doubt_about_what_was_never_seen(
    counts: Counts, low: tuple[float, float], high: tuple[float, float]
) -> None:
    found = estimate_elo(counts)

    assert low[0] <= expected_score(found.low) <= low[1]
    assert high[0] <= expected_score(found.high) <= high[1]
    assert (found.los > 0.5, found.los < 0.5) == (found.score > 0.5, found.score < 0.5)
    assert 0 < found.los < 1


def test_an_interval_stays_within_what_is_possible() -> None:
    found = estimate_elo(PairCounts(two=9, three_halves=1))  # 97.5 %

    assert 0.7 < expected_score(found.low) < 0.95
    assert found.score < expected_score(found.high) < 1


def test_before_the_first_game_nothing_is_known() -> None:
    found = estimate_elo(PairCounts())

    assert (found.score, found.elo, found.los) == (0.5, 0.0, 0.5)
    assert (found.low, found.high) == (-math.inf, math.inf)
    assert (PairCounts().pairs_ratio, PairCounts().draw_ratio) == (1.0, 0.0)
    assert PairCounts(two=1).pairs_ratio == math.inf


@pytest.mark.parametrize(
    "case",
    [case for case in MATCHES if case.elo in (0, 300, 600) and case.pairs in (10, 50)],
    ids=str,
)
def test_intervals_of_matches_hold_what_they_say(case: MatchCase) -> None:
    """Promise T3; interval_simulation.py plays more cases and more matches."""
    assert matches_held(case, 1000, seed=3) > 0.925


@pytest.mark.parametrize("pairs", [5, 10, 50])
def test_equal_players_rarely_seem_to_be_unequal(pairs: int) -> None:
    truth = MatchCase(pairs, 0.0, 0.3).probabilities()
    matches = np.random.default_rng(4).multinomial(pairs, truth, size=1000)
    sure = [estimate_elo(PairCounts(*map(int, each))).los > 0.95 for each in matches]

    assert sum(sure) < 0.07 * len(sure)
