"""Ratings: closed forms for two players, and strengths found again in simulated leagues."""

from __future__ import annotations

import math

import numpy as np
import pytest

from plyboard.arena.statistics.elo import Z, elo_difference
from plyboard.arena.statistics.ratings import RatedGame, rate

STRENGTHS = (-400, -200, -100, 0, 100, 250, 350)
FIRST_MOVE = 40.0


def league(
    chance: np.random.Generator, pairs: int, draws: float, *, same_openings: bool
) -> list[RatedGame]:
    """Play a round robin of players with known strengths, in pairs with exchanged colours.

    If the openings are the same, the luck of an opening belongs to a colour in both games.
    """
    games = list[RatedGame]()
    for one in range(len(STRENGTHS)):
        for other in range(one):
            for _ in range(pairs):
                luck = chance.random()
                for first, second in ((one, other), (other, one)):
                    difference = STRENGTHS[first] - STRENGTHS[second] + FIRST_MOVE
                    expected = 1 / (1 + 10 ** (-difference / 400))
                    drawn = draws * 2 * min(expected, 1 - expected)
                    spot = luck if same_openings else chance.random()
                    win = expected - drawn / 2
                    score = 1.0 if spot < win else 0.5 if spot < win + drawn else 0.0
                    games.append(RatedGame(str(first), str(second), score, len(games) // 2))
    return games


@pytest.mark.parametrize(
    ("draws", "same_openings"), [(0.0, False), (0.6, False), (0.0, True), (0.5, True)]
)
def test_strengths_are_recovered_and_intervals_hold_them(draws: float, same_openings: bool) -> None:
    chance = np.random.default_rng(6)
    true = np.array(STRENGTHS) - np.mean(STRENGTHS)
    players, leagues = [str(index) for index in range(len(STRENGTHS))], 300
    found, errors, first_moves = [], [], 0
    for _ in range(leagues):
        table = rate(players, league(chance, 20, draws, same_openings=same_openings))
        found.append([table.of(player).elo for player in players])
        errors.append([table.of(player).error for player in players])
        first_moves += abs(table.first_move - FIRST_MOVE) < table.first_move_error
    held = np.abs(np.array(found) - true) < np.array(errors)

    assert np.abs(np.mean(found, axis=0) - true).max() < 8  # no bias
    assert 0.93 < held.mean() < 0.97
    assert 0.92 < first_moves / leagues <= 1.0


def test_two_players_are_as_far_apart_as_their_score_says() -> None:
    # 300 of 400 points, the colours make no difference: 400 log10(3) Elo, and the error of a
    # binomial distribution; half of it for each, since their mean is 0.
    games = [RatedGame("a", "b", float(number < 150), number) for number in range(200)]
    games += [RatedGame("b", "a", float(number < 50), 200 + number) for number in range(200)]
    table = rate(["a", "b"], games)
    error = Z * 400 / math.log(10) / math.sqrt(400 * 0.75 * 0.25)

    assert table.of("a").elo - table.of("b").elo == pytest.approx(elo_difference(0.75), rel=0.01)
    assert table.of("a").elo == pytest.approx(-table.of("b").elo)
    assert table.of("a").error == pytest.approx(error / 2, rel=0.02)
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
    assert (table.of("e").error, table.of("e").games) == (math.inf, 0)


def test_without_games_everybody_is_equal() -> None:
    table = rate(["a", "b"], [RatedGame("a", "a", 1.0, 0)])

    assert [rating.elo for rating in table.ratings] == [0.0, 0.0]
    assert table.first_move_error == math.inf


def test_the_order_of_games_makes_no_difference() -> None:
    games = league(np.random.default_rng(2), 3, 0.3, same_openings=False)
    players = [str(index) for index in range(len(STRENGTHS))]

    there, back = rate(players, games), rate(players, games[::-1])
    assert [rating.elo for rating in there.ratings] == pytest.approx(
        [rating.elo for rating in back.ratings]
    )
    assert there.dispersion == pytest.approx(back.dispersion)
