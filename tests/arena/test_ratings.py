"""Ratings: closed forms for two players, and strengths found again in simulated leagues."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import numpy as np
import pytest
from arena.interval_simulation import FIRST_MOVE, LEAGUES, LeagueCase, leagues_held

from plyboard.arena.statistics import ratings
from plyboard.arena.statistics.elo import Z, elo_difference
from plyboard.arena.statistics.ratings import RatedGame, rate

LEAGUE = LeagueCase("seven", (-400.0, -200.0, -100.0, 0.0, 100.0, 250.0, 350.0), 20)


@pytest.mark.parametrize(("draws", "has_luck"), [(0.0, False), (0.6, False), (0.5, True)])
def test_strengths_are_recovered(draws: float, has_luck: bool) -> None:
    case, chance = replace(LEAGUE, draws=draws, has_luck=has_luck), np.random.default_rng(6)
    found, first_moves, leagues = [], 0, 60
    for _ in range(leagues):
        table = case.table(chance)
        rows = [table.of(str(each)) for each in range(7)]
        zero = sum(row.weight * true for row, true in zip(rows, case.strengths, strict=True))
        found.append([row.elo + zero for row in rows])
        first_moves += abs(table.first_move - FIRST_MOVE) < table.first_move_error

    assert np.abs(np.mean(found, axis=0) - case.strengths).max() < 15  # no bias
    assert first_moves > 0.85 * leagues


@pytest.mark.parametrize("case", [LEAGUES[0], LEAGUES[3], LEAGUES[7], LEAGUES[9]], ids=str)
def test_intervals_of_ratings_hold_what_they_say(case: LeagueCase) -> None:
    """Promise T3; interval_simulation.py plays more cases and more leagues."""
    shares = leagues_held(case, 60, seed=3)

    assert 0.91 < np.mean(shares) < 0.99
    assert min(shares) > 0.85


def test_two_players_are_as_far_apart_as_their_score_says() -> None:
    # 300 of 400 points, the colours make no difference: 400 log10(3) Elo, and the error of a
    # binomial distribution; half of it for each, since their mean is 0.
    games = [RatedGame("a", "b", float(number < 150), number) for number in range(200)]
    games += [RatedGame("b", "a", float(number < 50), 200 + number) for number in range(200)]
    table = rate(["a", "b"], games)
    error = Z * 400 / math.log(10) / math.sqrt(400 * 0.75 * 0.25)

    assert table.of("a").elo - table.of("b").elo == pytest.approx(elo_difference(0.75), rel=0.01)
    assert table.of("a").elo == pytest.approx(-table.of("b").elo)
    assert (table.of("a").high - table.of("a").low) / 2 == pytest.approx(error / 2, rel=0.04)
    assert table.first_move == pytest.approx(0, abs=1e-6)
    assert table.dispersion == pytest.approx(1, abs=0.02)
    assert (table.of("a").games, table.of("a").points) == (400, 300)


def test_the_advantage_of_moving_first_is_kept_apart_from_strength() -> None:
    games = [
        RatedGame(*players, float(number // 2 % 4 > 0), number // 2)
        for number in range(200)
        for players in [("a", "b") if number % 2 else ("b", "a")]
    ]
    table = rate(["a", "b"], games)

    assert table.first_move == pytest.approx(elo_difference(0.75), rel=0.05)


def test_players_who_only_won_or_lost_have_finite_ratings() -> None:
    games = [
        RatedGame(first, second, float(first < second), number)
        for number, (first, second) in enumerate(
            [("a", "b"), ("b", "a"), ("b", "c"), ("c", "b"), ("a", "c"), ("c", "a")] * 10
        )
    ]
    table = rate(["c", "a", "b"], games)

    assert [rating.player for rating in table.ratings] == ["a", "b", "c"]
    assert all(math.isfinite(rating.elo) for rating in table.ratings)
    assert 200 < table.of("a").elo < 1500
    assert table.of("a").low > table.of("b").elo
    assert table.of("a").high == math.inf
    assert table.of("c").low == -math.inf
    assert -math.inf < table.of("b").low < table.of("b").high < math.inf


def test_a_colour_that_always_wins_has_a_finite_advantage() -> None:
    table = rate(["a", "b"], [RatedGame("a", "b", 1.0, 0), RatedGame("b", "a", 1.0, 0)] * 10)

    assert 300 < table.first_move < 1500
    assert table.of("a").elo == pytest.approx(0, abs=1e-6)


def test_players_who_never_met_cannot_be_compared() -> None:
    games = [RatedGame("a", "b", 1.0, 0), RatedGame("d", "c", 0.5, 1), RatedGame("b", "a", 1.0, 0)]
    table = rate(["a", "b", "c", "d", "e"], games)
    groups = {rating.player: rating.group for rating in table.ratings}

    assert groups["a"] == groups["b"] != groups["c"] == groups["d"]
    assert groups["e"] not in (groups["a"], groups["c"])
    assert (table.of("e").low, table.of("e").high, table.of("e").games) == (-math.inf, math.inf, 0)


def test_without_games_everybody_is_equal() -> None:
    table = rate(["a", "b"], [RatedGame("a", "a", 1.0, 0)])

    assert [rating.elo for rating in table.ratings] == [0.0, 0.0]
    assert table.first_move_error == math.inf


def test_the_order_of_games_makes_no_difference() -> None:
    chance, players = random.Random(2), [str(index) for index in range(7)]
    games = list[RatedGame]()
    for number in range(120):
        first, second = chance.sample(players, 2)
        games.append(RatedGame(first, second, chance.choice((0.0, 0.5, 1.0)), number // 2))

    there, back = rate(players, games), rate(players, games[::-1])
    assert [rating.elo for rating in there.ratings] == pytest.approx(
        [rating.elo for rating in back.ratings]
    )
    assert there.dispersion == pytest.approx(back.dispersion)


def test_a_player_who_always_loses_does_not_move_the_others() -> None:
    near = [("a", "b", 1.0), ("b", "a", 0.0), ("b", "a", 1.0), ("a", "b", 0.5)] * 10
    games = [RatedGame(*game, number // 2) for number, game in enumerate(near)]
    lost = [RatedGame(each, "c", 1.0, 50 + number) for number, each in enumerate("ab" * 10)]
    alone, together = rate("ab", games), rate("abc", games + lost)

    for each in "ab":
        assert together.of(each).elo == pytest.approx(alone.of(each).elo, abs=25)
    assert together.of("c").high < alone.of("b").low


def test_few_games_have_one_best_set_of_ratings(monkeypatch: pytest.MonkeyPatch) -> None:
    chance, players = random.Random(3), [str(index) for index in range(15)]
    games = list[RatedGame]()
    for number in range(20):
        first, second = chance.sample(players, 2)
        games.append(RatedGame(first, second, chance.choice((0.0, 0.5, 1.0, 1.0)), number))
    usual = rate(players, games)
    monkeypatch.setattr(ratings, "ROUNDS", ratings.ROUNDS + 1)
    longer = rate(players, games)

    assert [row.elo for row in longer.ratings] == pytest.approx([row.elo for row in usual.ratings])
