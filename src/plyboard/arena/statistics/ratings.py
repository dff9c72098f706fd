"""Ratings of all players of an event with intervals, by the Bradley-Terry model.

The expected score of the player who moves first is 1 / (1 + 10^(-(r1 - r2 + c) / 400)), where `c`
is the advantage of moving first in Elo (R. Bradley and M. Terry, Rank Analysis of Incomplete Block
Designs, 1952; BayesElo has the same model with draws of its own). A draw is half a point for each.

The ratings maximize the likelihood with the penalty of D. Firth (Bias Reduction of Maximum
Likelihood Estimates, 1993). It amounts to one virtual draw for each rated player and one for the
colours, spread over the games where they tell most, and it removes the bias of the estimate. With
it, players who won or lost every game have finite ratings (G. Heinze and M. Schemper, A Solution to
the Problem of Separation in Logistic Regression, 2002).

The zero of the scale is the mean of all ratings in a group, each weighted by the Fisher information
in that player's games. A player who loses nearly always tells little, and so does not move it.

An interval is that of the player's own likelihood: not a parabola around the rating, but the curve
that these games have, flatter on the side of the wins and losses that were never seen. It is
narrowed or widened so that near its maximum it has the variance of the whole fit, and ends where
2.5 % of the area are left on either side. If a player won or lost every game, it has one end.

Draws, and openings that are won for one side, make results vary less than the model expects. So
variances are multiplied by the dispersion: the observed variance of pairs of games divided by the
expected one (P. McCullagh and J. Nelder, Generalized Linear Models, 1989, section 4.5), and
Student's t takes the place of the normal distribution.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from plyboard.arena.statistics.elo import CONFIDENCE, Z, student_quantile

Numbers = NDArray[np.float64]
Places = NDArray[np.int64]

ELO_PER_LOGIT = 400 / math.log(10)
ROUNDS = 200
EXACT = 1e-10
SMALLEST = 1e-300
LONGEST_STEP = 2.0  # logits
POINTS = 201  # at which a likelihood is computed
WIDEST = 8.0  # standard errors on either side that these cover


@dataclass(frozen=True)
class RatedGame:
    """The result of one game: the score of the player who moved first is 1, 1/2 or 0."""

    first: str
    second: str
    score: float
    pair: int  # games with the same number depend on each other


@dataclass(frozen=True)
class Rating:
    """The rating of a player; 0 is the weighted mean of all who met, directly or not."""

    player: str
    elo: float
    low: float  # end of the 95 % interval; infinite if no game was won or drawn
    high: float  # infinite if no game was lost or drawn
    games: int
    points: float
    group: int = 0  # only ratings in the same group can be compared
    weight: float = 0.0  # in the mean of its group


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
        unrated = tuple(_unrated(player, group) for group, player in enumerate(players))
        return RatingTable(unrated, 0.0, math.inf, 1.0)
    place = {player: index for index, player in enumerate(players)}
    first = np.array([place[game.first] for game in counted])
    second = np.array([place[game.second] for game in counted])
    scores = np.array([game.score for game in counted])
    meetings = _Meetings.of(first, second, scores, len(players))
    logits = _maximize(meetings, len(players))
    expected = _expected(logits, first, second)
    pairs = np.array([game.pair for game in counted])
    dispersions, freedom = _dispersions(pairs, scores, expected, len(players))
    fit = _Fit.of(meetings, logits, _groups(len(players), first, second), dispersions[0], freedom)
    ratings = [fit.rating(player, index) for index, player in enumerate(players)]
    ratings.sort(key=lambda rating: (rating.group, -rating.elo))
    variance = fit.covariances[-1, -1] * dispersions[-1]
    error = float(student_quantile(Z, freedom) * math.sqrt(variance) * ELO_PER_LOGIT)
    advantage = float(logits[-1]) * ELO_PER_LOGIT
    return RatingTable(tuple(ratings), advantage, error, float(dispersions[0]))


def _unrated(player: str, group: int) -> Rating:
    return Rating(player, 0.0, -math.inf, math.inf, 0, 0.0, group)


@dataclass(frozen=True)
class _Fit:
    """Ratings in logits, and what their intervals follow from."""

    meetings: _Meetings
    logits: Numbers
    groups: list[int]
    information: Numbers  # in the games of each player
    covariances: Numbers
    weights: Numbers  # a row for each player: of all ratings in the zero of its group
    dispersion: float
    freedom: float

    @classmethod
    def of(
        cls,
        meetings: _Meetings,
        logits: Numbers,
        groups: list[int],
        dispersion: float,
        freedom: float,
    ) -> _Fit:
        information = meetings.information(logits)
        own: Numbers = np.asarray(np.diag(information)[:-1], np.float64)
        weights: Numbers = np.equal.outer(groups, groups) * own
        weights /= np.maximum(weights.sum(axis=1, keepdims=True), EXACT)
        covariances = _inverse(information)
        return cls(meetings, logits, groups, own, covariances, weights, float(dispersion), freedom)

    def rating(self, player: str, index: int) -> Rating:
        """Return the rating of a player with its interval."""
        games, points, opponents = self.meetings.of_player(index, self.logits)
        if not games.sum():
            return _unrated(player, self.groups[index])
        contrast = -self.weights[index]
        contrast[index] += 1
        zero = float(self.weights[index] @ self.logits[:-1])
        variance = float(contrast @ self.covariances[:-1, :-1] @ contrast)
        student = (student_quantile(Z, self.freedom) / Z) ** 2
        share = 1 / max(self.information[index] * variance * self.dispersion * student, EXACT)
        spread = math.sqrt(variance * self.dispersion * student)
        middle = float(self.logits[index])
        low, high = _ends_of_likelihood(games, points, opponents, middle, spread, share)
        return Rating(
            player,
            (middle - zero) * ELO_PER_LOGIT,
            -math.inf if not points.sum() else (low - zero) * ELO_PER_LOGIT,
            math.inf if points.sum() == games.sum() else (high - zero) * ELO_PER_LOGIT,
            int(games.sum()),
            float(points.sum()),
            self.groups[index],
            float(self.weights[index, index]),
        )


def _ends_of_likelihood(
    games: Numbers, points: Numbers, opponents: Numbers, middle: float, spread: float, share: float
) -> tuple[float, float]:
    """Return where 2.5 % of the area under this power of the penalized likelihood are left.

    The opponents are as strong as they were rated, in logits, with the advantage of the colour.
    """
    reach = WIDEST * spread + 2
    at = np.linspace(middle - reach, middle + reach, POINTS)
    odds = np.exp(opponents - at[:, None])  # against the player
    lost = (games - points) @ (opponents - at[:, None]).T
    likelihood = lost - np.log1p(odds) @ games
    penalty = np.log((odds / (1 + odds) ** 2) @ games) / 2
    density = np.exp(share * (likelihood - likelihood.max()) + penalty - penalty.max())
    area = np.cumsum(density) - density / 2
    ends = np.interp([0.5 * (1 - CONFIDENCE), 0.5 * (1 + CONFIDENCE)], area / density.sum(), at)
    return float(ends[0]), float(ends[1])


@dataclass(frozen=True)
class _Meetings:
    """Games of the same two players with the same colours, taken together."""

    first: Places
    second: Places
    games: Numbers
    points: Numbers  # of the player who moved first
    players: int

    @classmethod
    def of(cls, first: Places, second: Places, scores: Numbers, players: int) -> _Meetings:
        keys, places = np.unique(first * players + second, return_inverse=True)
        games = np.bincount(places).astype(np.float64)
        points = np.bincount(places, scores).astype(np.float64)
        return cls(keys // players, keys % players, games, points, players)

    def expected(self, logits: Numbers) -> Numbers:
        """Return the expected score of the player who moved first, for each meeting."""
        return _expected(logits, self.first, self.second)

    def of_player(self, index: int, logits: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Return the games and points of a player by meetings, and the opponents' strengths."""
        begun, other = self.first == index, self.second == index
        games = np.concatenate((self.games[begun], self.games[other]))
        lost = self.games[other] - self.points[other]
        opponents = (
            logits[self.second[begun]] - logits[-1], logits[self.first[other]] + logits[-1]
        )  # fmt: skip
        return games, np.concatenate((self.points[begun], lost)), np.concatenate(opponents)

    def information(self, logits: Numbers) -> Numbers:
        """Return the Fisher information of ratings and colours."""
        expected, size = self.expected(logits), self.players + 1
        weights = self.games * expected * (1 - expected)
        one, other, colours = self.first, self.second, np.full(len(weights), self.players)
        found = np.zeros(size * size)
        for row, column, sign in (
            (one, one, 1), (other, other, 1), (one, other, -1), (other, one, -1),
            (one, colours, 1), (colours, one, 1), (other, colours, -1), (colours, other, -1),
            (colours, colours, 1),
        ):  # fmt: skip
            found += np.bincount(row * size + column, sign * weights, size * size)
        return found.reshape(size, size)

    def variances(self, covariances: Numbers) -> Numbers:
        """Return the variance of the lead of the player who moved first, for each meeting."""
        one, other, own = self.first, self.second, np.diag(covariances)
        mixed = covariances[one, -1] - covariances[other, -1] - covariances[one, other]
        return np.asarray(own[one] + own[other] + own[-1] + 2 * mixed)

    def gradient(self, residuals: Numbers) -> Numbers:
        """Return how much more or less than expected each player scored, and the first one."""
        own = np.bincount(self.first, residuals, self.players)
        return np.append(own - np.bincount(self.second, residuals, self.players), residuals.sum())


def _maximize(meetings: _Meetings, players: int) -> Numbers:
    """Return ratings and colours in logits that maximize the penalized likelihood, by Newton.

    A step that would lead down is halved: after few games the penalty is far from a parabola.
    """
    logits = np.zeros(players + 1)
    rank = int(np.linalg.matrix_rank(meetings.information(logits), hermitian=True))
    best = _penalized_likelihood(meetings, logits, rank)
    for _ in range(ROUNDS):
        expected = meetings.expected(logits)
        inverse = _inverse(meetings.information(logits))
        leverage = meetings.games * expected * (1 - expected) * meetings.variances(inverse)
        virtual = leverage * (0.5 - expected)  # so many draws
        residuals = meetings.points - meetings.games * expected + virtual
        step = inverse @ meetings.gradient(residuals)
        longest = np.abs(step).max()
        step *= min(1.0, LONGEST_STEP / max(longest, EXACT))
        while longest >= EXACT:
            value = _penalized_likelihood(meetings, logits + step, rank)
            if value >= best:
                break
            step, longest = step / 2, longest / 2
        if longest < EXACT:
            break
        logits, best = logits + step, value
    return logits


def _penalized_likelihood(meetings: _Meetings, logits: Numbers, rank: int) -> float:
    """Return the logarithm of the likelihood, with half of that of the information."""
    lead = logits[meetings.first] - logits[meetings.second] + logits[-1]
    likelihood = (meetings.points - meetings.games) @ lead - meetings.games @ np.log1p(
        np.exp(-lead)
    )
    spread = np.linalg.eigvalsh(meetings.information(logits))[-rank:]
    return float(likelihood + np.log(np.maximum(spread, SMALLEST)).sum() / 2)


def _inverse(information: Numbers) -> Numbers:
    """Return the inverse; of ratings that cannot be compared, the one with the least sums."""
    return np.asarray(np.linalg.pinv(information, hermitian=True), np.float64)


def _expected(logits: Numbers, first: Places, second: Places) -> Numbers:
    """Return the expected score of the player who moved first, for each game."""
    return np.asarray(1 / (1 + np.exp(-(logits[first] - logits[second] + logits[-1]))))


def _dispersions(
    pairs: Places, scores: Numbers, expected: Numbers, players: int
) -> tuple[Numbers, float]:
    """Return the observed variance divided by the expected one, for all ratings and the colours.

    The second result are the degrees of freedom of this variance.

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
    return np.array([of_ratings] * players + [of_colours]), max(len(sizes) - players, 1) + 1.0


def _groups(players: int, first: Places, second: Places) -> list[int]:
    """Return a number for each player, the same for players who met, directly or not."""
    groups = list(range(players))
    for one, other in {(int(one), int(other)) for one, other in zip(first, second, strict=True)}:
        old, new = groups[one], groups[other]
        if old != new:
            groups = [new if group == old else group for group in groups]
    order = {group: index for index, group in enumerate(dict.fromkeys(groups))}
    return [order[group] for group in groups]
