"""Ratings of all players of an event with intervals, by the Bradley-Terry model.

The expected score of the player who moves first is 1 / (1 + 10^(-(r1 - r2 + c) / 400)), where `c`
is the advantage of moving first in Elo (R. Bradley and M. Terry, Rank Analysis of Incomplete Block
Designs, 1952; BayesElo has the same model with draws of its own). A draw is half a point for each.

The ratings maximize the likelihood with the penalty of D. Firth (Bias Reduction of Maximum
Likelihood Estimates, 1993). It amounts to one virtual draw for each rated player and one for the
colours, spread over the games where they tell most, and it removes the bias of the estimate. With
it, players who won or lost every game have finite ratings (G. Heinze and M. Schemper, A Solution to
the Problem of Separation in Logistic Regression, 2002).

The intervals come from the inverse of the Fisher information, the Hessian of the log-likelihood.
Draws, and openings that are won for one side, make results vary less than the model expects. So
the variance is multiplied by the dispersion: the observed variance of pairs of games divided by
the expected one (P. McCullagh and J. Nelder, Generalized Linear Models, 1989, section 4.5).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plyboard.arena.statistics.elo import Z

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]

ELO_PER_LOGIT = 400 / math.log(10)
ROUNDS = 200
EXACT = 1e-10
LONGEST_STEP = 2.0  # logits


@dataclass(frozen=True)
class RatedGame:
    """The result of one game: the score of the player who moved first is 1, 1/2 or 0."""

    first: str
    second: str
    score: float
    pair: int  # games with the same number depend on each other


@dataclass(frozen=True)
class Rating:
    """The rating of a player; the mean of all players who met, directly or not, is 0."""

    player: str
    elo: float
    error: float  # half the width of the 95 % interval; infinite without games
    games: int
    points: float
    group: int = 0  # only ratings in the same group can be compared

    @property
    def low(self) -> float:
        """The lower end of the 95 % interval."""
        return self.elo - self.error

    @property
    def high(self) -> float:
        """The upper end of the 95 % interval."""
        return self.elo + self.error


@dataclass(frozen=True)
class RatingTable:
    """The ratings of an event, the best first, and the advantage of moving first."""

    ratings: tuple[Rating, ...]
    first_move: float  # Elo
    first_move_error: float  # half the width of the 95 % interval
    dispersion: float  # observed divided by expected variance

    def of(self, player: str) -> Rating:
        """Return the rating of a player."""
        return next(rating for rating in self.ratings if rating.player == player)


def rate(players: Sequence[str], games: Iterable[RatedGame]) -> RatingTable:
    """Return the ratings of players from all their games; games against oneself do not count."""
    counted = [game for game in games if game.first != game.second]
    if not counted:
        unrated = tuple(
            Rating(player, 0.0, math.inf, 0, 0.0, group) for group, player in enumerate(players)
        )
        return RatingTable(unrated, 0.0, math.inf, 1.0)
    place = {player: index for index, player in enumerate(players)}
    first = np.array([place[game.first] for game in counted])
    second = np.array([place[game.second] for game in counted])
    scores = np.array([game.score for game in counted])
    meetings = _Meetings.of(first, second, scores, len(players))
    logits = _maximize(meetings, len(players))
    expected = _expected(logits, first, second)
    pairs = np.array([game.pair for game in counted])
    dispersions = _dispersions(pairs, scores, expected, len(players))
    variances = np.diag(np.linalg.pinv(meetings.information(logits), hermitian=True)) * dispersions
    errors = Z * np.sqrt(variances) * ELO_PER_LOGIT
    groups = _groups(len(players), first, second)
    played = np.bincount(first, minlength=len(players)) + np.bincount(
        second, minlength=len(players)
    )
    points = np.bincount(first, scores, len(players)) + np.bincount(
        second, 1 - scores, len(players)
    )
    ratings = [
        Rating(
            player, float(logits[index]) * ELO_PER_LOGIT,
            float(errors[index]) if played[index] else math.inf,
            int(played[index]), float(points[index]), groups[index],
        )
        for index, player in enumerate(players)
    ]  # fmt: skip
    ratings.sort(key=lambda rating: (rating.group, -rating.elo))
    advantage, error = float(logits[-1]) * ELO_PER_LOGIT, float(errors[-1])
    return RatingTable(tuple(ratings), advantage, error, float(dispersions[0]))


@dataclass(frozen=True)
class _Meetings:
    """Games of the same two players with the same colours, taken together."""

    design: Numbers  # a row for each: +1 first, -1 second, and +1 for the colours
    games: Numbers
    points: Numbers  # of the player who moved first

    @classmethod
    def of(cls, first: Places, second: Places, scores: Numbers, players: int) -> _Meetings:
        keys, places = np.unique(first * players + second, return_inverse=True)
        design = np.zeros((len(keys), players + 1))
        rows = np.arange(len(keys))
        design[rows, keys // players] = 1
        design[rows, keys % players] = -1
        design[:, -1] = 1
        games = np.bincount(places).astype(np.float64)
        return cls(design, games, np.bincount(places, scores).astype(np.float64))

    def information(self, logits: Numbers) -> Numbers:
        """Return the Fisher information of ratings and colours."""
        expected = 1 / (1 + np.exp(-self.design @ logits))
        weights = self.games * expected * (1 - expected)
        return np.asarray((self.design.T * weights) @ self.design)


def _maximize(meetings: _Meetings, players: int) -> Numbers:
    """Return ratings and colours in logits that maximize the penalized likelihood, by Newton."""
    logits = np.zeros(players + 1)
    for _ in range(ROUNDS):
        expected = 1 / (1 + np.exp(-meetings.design @ logits))
        inverse = np.linalg.pinv(meetings.information(logits), hermitian=True)
        spread = meetings.games * expected * (1 - expected)
        leverage = spread * np.einsum("ij,jk,ik->i", meetings.design, inverse, meetings.design)
        virtual = leverage * (0.5 - expected)  # so many draws
        step = inverse @ meetings.design.T @ (meetings.points - meetings.games * expected + virtual)
        longest = np.abs(step).max()
        logits = logits + step * min(1.0, LONGEST_STEP / max(longest, EXACT))
        if longest < EXACT:
            break
    return logits


def _expected(logits: Numbers, first: Places, second: Places) -> Numbers:
    """Return the expected score of the player who moved first, for each game."""
    return np.asarray(1 / (1 + np.exp(-(logits[first] - logits[second] + logits[-1]))))


def _dispersions(pairs: Places, scores: Numbers, expected: Numbers, players: int) -> Numbers:
    """Return the observed variance divided by the expected one, for all ratings and the colours.

    A rating gains from both games of a pair, one with each colour, so the second counts from the
    other side; the colours gain from the first player's results in both. One virtual game is as
    expected. The observed variance is corrected for the number of fitted ratings.
    """
    _, places, sizes = np.unique(pairs, return_inverse=True, return_counts=True)
    order = np.argsort(places, kind="stable")
    starts = np.cumsum(sizes) - sizes
    signs = np.empty(len(scores))
    signs[order] = 1 - 2 * ((np.arange(len(scores)) - starts[places[order]]) % 2)
    residuals = scores - expected
    variance = float((expected * (1 - expected)).sum())
    correction = len(sizes) / max(len(sizes) - players, 1)
    of_ratings, of_colours = (
        (correction * float((np.bincount(places, weighted) ** 2).sum()) + 0.25) / (variance + 0.25)
        for weighted in (signs * residuals, residuals)
    )
    return np.array([of_ratings] * players + [of_colours])


def _groups(players: int, first: Places, second: Places) -> list[int]:
    """Return a number for each player, the same for players who met, directly or not."""
    groups = list(range(players))
    for one, other in {(int(one), int(other)) for one, other in zip(first, second, strict=True)}:
        old, new = groups[one], groups[other]
        groups = [new if group == old else group for group in groups]
    order = {group: index for index, group in enumerate(dict.fromkeys(groups))}
    return [order[group] for group in groups]
