"""Measures a game by self-play: an evaluation, the better search, expected scores, marks, levels.

Each part is stored beside the game's file when it is done, so an interrupted run goes on there. The
tasks are functions of a module and plain data, for worker processes.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from plyboard.agents.levels import level_choice
from plyboard.analysis.moves import Analyst
from plyboard.analysis.review import POINTS, SHARES, Assessment
from plyboard.errors import UsageError
from plyboard.evaluate import best_evaluation
from plyboard.evaluate.bit_weights import BIAS, LEAD, MOBILITY, WORD, features_of
from plyboard.evaluate.scale_fit import Samples, fit
from plyboard.games import Game, Position
from plyboard.games import game as find_game
from plyboard.games.level import DEFAULT_LEVELS, FULL, Level
from plyboard.games.rules import Rules, State
from plyboard.games.tuning import ALPHA_BETA, MCTS, Tuning, store_tuning, tuning_of
from plyboard.search.alpha_beta.iterative_deepening import AlphaBeta
from plyboard.search.common.budget import Budget
from plyboard.search.common.tiers import compiling_first
from plyboard.search.mcts.uct import Uct, UctSettings

Task = TypeVar("Task")
Answer = TypeVar("Answer")
Run = Callable[[Callable[[Any], Any], Sequence[Any], str], Iterable[tuple[Any, Any]]]
"""Runs a function on tasks and shows progress under a title; yields tasks with their results."""

SIMULATIONS = 200  # of each move of the games that weights are fitted to
SLIPS = 10  # of a hundred of these moves are random
OPENING = 6  # random moves at most at the start of a game
HELD_OUT = 5  # each so many games are not fitted
RIDGES = (1.0, 10.0, 100.0, 1000.0)  # penalties of the fit; one part of the games chooses
ROUNDS = 12  # of the fit of weights
LARGEST = 32_000  # weight
LARGEST_UNIT = 1000
MEBIBYTES = 16
CALIBRATION = 300_000  # nodes of a search whose processor time is measured
SECONDS = 0.1  # of processor time for each search of the comparison
ESTIMATE_NODES, REVIEW_NODES, CAREFUL_NODES = 1000, 5000, 50_000
QUANTILES = (0.95, 0.98, 0.995)  # of the losses of careful moves, which are errors of a review
LARGEST_SHARES = (0.3, 0.5, 0.8)  # of the marks, however noisy reviews are
STEP = 0.7  # what a level should score against the one below
TRIES = 5  # of a step
LAST = len(DEFAULT_LEVELS) - 2  # the last level below full strength


@dataclass(frozen=True)
class TuneTask:
    """One game of self-play, by its spec and seed."""

    spec: str
    seed: int


@dataclass(frozen=True)
class Duel:
    """One game between two players: each a search with its nodes, or a level."""

    spec: str
    seed: int
    players: tuple[tuple[str, int], tuple[str, int]] | tuple[Level, Level]
    swapped: bool


# ------------------------------------------------------------------------------- the evaluation


def self_play(task: TuneTask) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """Return the states of a game of MCTS, and rows of mover, mobility, lead and result."""
    game, chance = find_game(task.spec), random.Random(f"tune {task.spec} {task.seed}")
    rules, position, states, rows = game.rules, _opening(game, chance), [], []
    search = Uct(UctSettings(mebibytes=MEBIBYTES))
    while not position.is_over:
        actions = position.legal_actions()
        states.append([int(word) for word in position.state])
        rows.append([float(position.mover), float(len(actions)), _lead(rules, position.state)])
        if chance.randrange(100) < SLIPS:
            action = chance.choice(actions)
        else:
            limits = Budget(simulations=SIMULATIONS, seed=chance.randrange(1 << 32))
            action = search.search(position, limits).action
        position = position.apply_action(action)
    result = _result(position)
    facts = np.array([[*row, -result if row[0] else result] for row in rows])
    return np.array(states, dtype=np.uint64), facts


def _opening(game: Game, chance: random.Random) -> Position:
    position = Position(game)
    for _ in range(chance.randrange(OPENING + 1)):
        after = position.apply_action(chance.choice(position.legal_actions()))
        if after.is_over:
            break
        position = after
    return position


def _lead(rules: Rules, state: State) -> float:
    first, second = map(int, rules.scores(state))
    return float(second - first if rules.mover(state) else first - second)


def _result(position: Position) -> float:
    """Return the result for the first player: points, or 1, 0 and -1."""
    scores = position.scores()
    if scores is not None:
        return float(scores[0] - scores[1])
    return 0.0 if position.winner is None else 1.0 - 2.0 * position.winner


@dataclass(frozen=True)
class FittedWeights:
    """Weights of the tuned evaluation, and how well they predict games that were held out."""

    weights: tuple[int, ...]
    unit: int
    error: float  # cross-entropy, or the root of the mean square in points
    baseline: float  # the same without any feature
    positions: int


def fit_weights(
    rules: Rules, games: Sequence[tuple[NDArray[np.uint64], NDArray[np.float64]]]
) -> FittedWeights:
    """Return the weights that predict the results of these games best; raise if there are none."""
    width, columns = features_of(rules), list[NDArray[np.float64]]()
    errors, baselines, count = list[float](), list[float](), 0
    states = np.concatenate([each for each, _ in games])
    facts = np.concatenate([each for _, each in games])
    part = np.concatenate(
        [np.full(len(each), number % HELD_OUT) for number, (each, _) in enumerate(games)]
    )
    held, has_points = part == 0, rules.has_points
    bits = np.unpackbits(states.view(np.uint8), axis=1, bitorder="little").astype(np.float64)
    features = np.zeros((len(states), width))
    features[:, : bits.shape[1]] = bits
    features[:, bits.shape[1] + MOBILITY] = facts[:, 1]
    features[:, bits.shape[1] + LEAD] = facts[:, 2] if rules.has_points else 0
    features[:, bits.shape[1] + BIAS] = 1
    used = features.any(axis=0)  # few bits of the words are
    features = features[:, used]
    for mover in (0, 1):
        own = facts[:, 0] == mover
        chosen, target = features[own & ~held], facts[own & ~held, 3]
        if not len(chosen) or not (own & held).any():
            raise UsageError("too few games", got=f"{len(games)}", expected="more")
        ridge = _penalty(features, facts, own & ~held, part, has_points)
        found = np.zeros(width)
        found[used] = _solved(chosen, target, has_points, ridge)
        columns.append(found)
        rest, truth = features[own & held], facts[own & held, 3]
        errors.append(_error(rest @ found[used], truth, has_points) * len(rest))
        mean = _solved(np.ones((len(chosen), 1)), target, has_points, 0.01)
        nothing = np.full(len(rest), mean[0])
        baselines.append(_error(nothing, truth, has_points) * len(rest))
        count += len(rest)
    per_unit = 1.0 if has_points else 4.0  # without points a lead of 4 scores 0.73
    weights: NDArray[np.float64] = np.concatenate(columns) * per_unit
    weights = symmetric(rules, weights, states[:: max(1, len(states) // 50)])
    unit = max(1, int(min(LARGEST_UNIT, LARGEST / max(1e-9, np.abs(weights).max()))))
    whole = tuple(int(each) for each in np.rint(weights * unit))
    return FittedWeights(whole, unit, sum(errors) / count, sum(baselines) / count, len(states))


def _penalty(
    features: NDArray[np.float64],
    facts: NDArray[np.float64],
    chosen: NDArray[np.bool_],
    part: NDArray[np.int64],
    has_points: bool,
) -> float:
    """Return the penalty with which the weights predict one part of the games best."""
    fitted, asked = chosen & (part != 1), chosen & (part == 1)

    def error(penalty: float) -> float:
        found = _solved(features[fitted], facts[fitted, 3], has_points, penalty)
        return _error(features[asked] @ found, facts[asked, 3], has_points)

    return min(RIDGES, key=error)


def _solved(
    features: NDArray[np.float64], target: NDArray[np.float64], has_points: bool, ridge: float
) -> NDArray[np.float64]:
    """Return the weights of a linear regression, or of a logistic one by Newton's method."""
    penalty = ridge * np.eye(features.shape[1])
    weights: NDArray[np.float64] = np.zeros(features.shape[1])
    if has_points:
        weights += np.linalg.solve(features.T @ features + penalty, features.T @ target)
        return weights
    share = (target + 1) / 2
    for _ in range(ROUNDS):
        expected = 1 / (1 + np.exp(-np.clip(features @ weights, -30, 30)))
        slope = features.T @ (share - expected) - ridge * weights
        curve = features.T @ (features * (expected * (1 - expected))[:, None]) + penalty
        weights += np.linalg.solve(curve, slope)
    return weights


def _error(found: NDArray[np.float64], truth: NDArray[np.float64], has_points: bool) -> float:
    if not len(found):
        return 0.0
    if has_points:
        return float(np.sqrt(np.mean((found - truth) ** 2)))
    share = np.clip(1 / (1 + np.exp(-np.clip(found, -30, 30))), 1e-6, 1 - 1e-6)
    won = (truth + 1) / 2
    return float(-np.mean(won * np.log(share) + (1 - won) * np.log(1 - share)))


def symmetric(
    rules: Rules, weights: NDArray[np.float64], states: NDArray[np.uint64]
) -> NDArray[np.float64]:
    """Return the weights averaged over the symmetries, so that mirrored positions are equal.

    A symmetry has to permute the bits of the state; otherwise all weights become zero.
    """
    width, words = features_of(rules), len(rules.start)
    owner = np.arange(2 * width)
    for each in rules.symmetries:
        place = _permutation(each.state, words, states)
        if place is None:
            return np.zeros_like(weights)
        for mover in (0, 1):
            other = 1 - mover if each.swaps_players else mover
            for feature in range(width):
                goal = place[feature] if feature < WORD * words else feature
                a, b = _root(owner, mover * width + feature), _root(owner, other * width + goal)
                owner[max(a, b)] = min(a, b)
    roots = np.array([_root(owner, place) for place in range(2 * width)])
    sums = np.bincount(roots, weights, 2 * width)
    means: NDArray[np.float64] = sums[roots] / np.bincount(roots, minlength=2 * width)[roots]
    return means


def _root(owner: NDArray[np.int64], place: int) -> int:
    while owner[place] != place:
        place = int(owner[place])
    return place


def _permutation(
    change: Callable[[State], State], words: int, states: NDArray[np.uint64]
) -> list[int] | None:
    """Return the bit that each bit of a state becomes; None if it is not so for these states."""
    used = [int(np.bitwise_or.reduce(states[:, word])) for word in range(words)]
    place = list(range(WORD * words))
    for bit in range(WORD * words):
        if not used[bit // WORD] >> bit % WORD & 1:
            continue
        alone = tuple(1 << bit % WORD if word == bit // WORD else 0 for word in range(words))
        after = _bits(change(alone))
        if len(after) != 1:
            return None
        place[bit] = after[0]
    for row in states:
        state = tuple(int(word) for word in row)
        if sorted(place[bit] for bit in _bits(state)) != _bits(change(state)):
            return None
    return place


def _bits(state: State) -> list[int]:
    whole = sum(int(word) << WORD * at for at, word in enumerate(state))
    return [bit for bit in range(WORD * len(state)) if whole >> bit & 1]


# ------------------------------------------------------------------------------------- the games


def duel(task: Duel) -> float:
    """Return what the first of two players scores in a game: 0, 0.5 or 1."""
    game, chance = find_game(task.spec), random.Random(f"duel {task.spec} {task.seed}")
    position, engine = _opening(game, chance), AlphaBeta(MEBIBYTES)
    trees, small = Uct(UctSettings(MEBIBYTES)), AlphaBeta(1)
    while not position.is_over:
        player = task.players[position.mover ^ task.swapped]
        seed = chance.randrange(1 << 32)
        if isinstance(player, Level):
            choice = level_choice(position, player, Budget(seed=seed), small)
        elif player[0] == MCTS:
            choice = trees.search(position, Budget(nodes=player[1], seed=seed))
        else:
            choice = engine.search(position, best_evaluation(game), Budget(nodes=player[1]))
        position = position.apply_action(choice.action)
    if position.winner is None:
        return 0.5
    return float(position.winner == (1 if task.swapped else 0))


def duels(spec: str, players: Any, games: int, seed: int) -> list[Duel]:
    """Return the tasks of a match: each opening twice, with both colours."""
    return [Duel(spec, seed + number // 2, players, number % 2 == 1) for number in range(games)]


def nodes_a_second(game: Game) -> dict[str, int]:
    """Return how many nodes both searches look at in a second of processor time."""
    position, found = Position(game), {}
    engine, trees = AlphaBeta(MEBIBYTES), Uct(UctSettings(MEBIBYTES))
    searches: dict[str, Callable[[int], Any]] = {
        ALPHA_BETA: lambda nodes: engine.search(
            position, best_evaluation(game), Budget(nodes=nodes)
        ),
        MCTS: lambda nodes: trees.search(position, Budget(nodes=nodes)),
    }
    with compiling_first():
        for name, search in searches.items():
            search(CALIBRATION // 100)
            began = time.process_time()
            choice = search(CALIBRATION)
            found[name] = int(choice.nodes / max(1e-6, time.process_time() - began))
    return found


# ------------------------------------------------------------------- expected scores and reviews


def estimates(task: TuneTask) -> tuple[NDArray[np.float64], float]:
    """Return the estimates of a game of the engine against itself, and the first one's score."""
    from plyboard.evaluate.score_scale import phase_of

    game, chance = find_game(task.spec), random.Random(f"scale {task.spec} {task.seed}")
    position, engine, rows = _opening(game, chance), AlphaBeta(MEBIBYTES), []
    evaluation = best_evaluation(game)
    while not position.is_over:
        choice = engine.search(position, evaluation, Budget(nodes=ESTIMATE_NODES))
        if not choice.is_proved:
            rows.append([phase_of(position), choice.value, choice.depth, position.mover])
        position = position.apply_action(choice.action)
    first = 0.5 if position.winner is None else 1.0 - position.winner
    return np.array(rows, dtype=np.float64).reshape(-1, 4), first


def review_losses(task: TuneTask) -> NDArray[np.float64]:
    """Return what reviews say that careful moves cost, in games and in points."""
    game, chance = find_game(task.spec), random.Random(f"marks {task.spec} {task.seed}")
    position, engine, rows = _opening(game, chance), AlphaBeta(MEBIBYTES), []
    searcher, evaluation = Analyst(MEBIBYTES).searcher(game), best_evaluation(game)
    while not position.is_over:
        careful = engine.search(position, evaluation, Budget(nodes=CAREFUL_NODES))
        if chance.randrange(3) == 0:
            found = searcher.choose(position, Budget(nodes=REVIEW_NODES))
            assessment = Assessment(position, found.moves, careful.action)
            rows.append([assessment.loss, assessment.points_lost])
        position = position.apply_action(careful.action)
    return np.array(rows, dtype=np.float64).reshape(-1, 2)


# ------------------------------------------------------------------------------------ the stages


@dataclass(frozen=True)
class Tuner:
    """Runs the stages that have not been stored yet, and yields what each has found."""

    spec: str
    run: Run
    games: int = 400
    seed: int = 0
    again: bool = False

    @property
    def game(self) -> Game:
        """The game that is measured."""
        return find_game(self.spec)

    def stages(self) -> Iterator[dict[str, Any]]:
        """Yield what was measured, stage by stage, as facts with a name and a sentence."""
        if self.again:
            store_tuning(self.game, {name: getattr(Tuning(""), name) for name in STAGES})
        for name, measure in STAGES.items():
            found = tuning_of(self.game)
            if found is not None and getattr(found, name):
                yield {"stage": name, "about": "measured before"}
            else:
                yield {"stage": name, **measure(self)}

    def tasks(self, games: int) -> list[TuneTask]:
        """Return so many games of self-play."""
        first = self.seed * 1_000_000
        return [TuneTask(self.spec, first + number) for number in range(games)]

    def weights(self) -> dict[str, Any]:
        """Fit the weights of the evaluation."""
        found = sorted(
            self.run(self_play, self.tasks(self.games), "playing"), key=lambda each: each[0].seed
        )
        fitted = fit_weights(self.game.rules, [answer for _, answer in found])
        is_better = fitted.error < fitted.baseline and any(fitted.weights)
        if is_better:
            later = {name: getattr(Tuning(""), name) for name in STAGES}  # they depend on this
            store_tuning(self.game, {**later, "weights": fitted.weights, "unit": fitted.unit})
        measure = "points" if self.game.rules.has_points else "nats"
        told = f"error of held-out games {fitted.error:.3f} {measure}, without it"
        fate = "" if is_better else "; not stored, as it predicts nothing: try more --games"
        return {
            "about": f"{fitted.positions} positions; {told} {fitted.baseline:.3f}{fate}",
            "error": round(fitted.error, 4),
            "baseline": round(fitted.baseline, 4),
        }

    def search(self) -> dict[str, Any]:
        """Find the stronger search at equal processor time."""
        rates = nodes_a_second(self.game)
        players = tuple((name, max(1, int(SECONDS * rate))) for name, rate in rates.items())
        score, games = self.match(players, max(20, self.games // 10), "comparing")
        better = ALPHA_BETA if score >= 0.5 else MCTS
        store_tuning(self.game, {"search": better})
        about = f"{better}; alpha-beta scores {_percent(score, games)} against mcts"
        return {"about": about, "score": score, "games": games, "nodes": dict(players)}

    def scale(self) -> dict[str, Any]:
        """Fit the scale of expected scores."""
        found = self.run(estimates, self.tasks(max(40, self.games // 4)), "estimating")
        rows = [
            (task.seed, *row, first if row[3] == 0 else 1 - first)
            for task, (table, first) in sorted(found, key=lambda each: each[0].seed)
            for row in table.tolist()
        ]
        number, phase, value, depth, mover, score = np.array(rows).reshape(-1, 6).T
        whole = (each.astype(np.int64) for each in (number, depth, mover))
        number, depth, mover = whole
        fitted = fit([Samples(number, phase, value, depth, mover, score)])
        store_tuning(self.game, {"scale": astuple(fitted)})
        return {"about": f"{len(rows)} estimates", "scale": astuple(fitted)}

    def shares(self) -> dict[str, Any]:
        """Find the thresholds of the marks `?!`, `?` and `??`."""
        found = self.run(review_losses, self.tasks(max(20, self.games // 20)), "reviewing")
        losses = np.concatenate([table for _, table in found])
        quantiles = np.quantile(losses, QUANTILES, axis=0)
        shares = _rising(SHARES, quantiles[:, 0], LARGEST_SHARES)
        points = _rising(POINTS, np.ceil(quantiles[:, 1]), (math.inf,) * len(POINTS))
        has_points = self.game.rules.has_points
        store_tuning(self.game, {"shares": shares, "points": points if has_points else ()})
        told = ", ".join(f"{100 * share:.0f} %" for share in shares)
        measured = f" or {', '.join(f'{each:g}' for each in points)} points" if has_points else ""
        return {"about": f"marks from {told}{measured} lost", "shares": shares, "points": points}

    def levels(self) -> dict[str, Any]:
        """Find levels that score about 70 % against the one below."""
        places, steps = [0.0], list[float]()
        games = max(20, self.games // 10)
        for _ in range(LAST):
            low, high = places[-1], float(LAST)
            place, score = high, 0.5
            for _ in range(TRIES):
                place = (low + high) / 2
                pair = (level_at(place), level_at(places[-1]))
                score, _ = self.match(pair, games, f"level {len(places) + 1}")
                if abs(score - STEP) < 0.05:
                    break
                low, high = (low, place) if score > STEP else (place, high)
            places.append(place)
            steps.append(score)
        levels = (*map(level_at, places), FULL)
        store_tuning(self.game, {"levels": levels})
        told = ", ".join(f"{100 * step:.0f}" for step in steps)
        return {
            "about": f"levels 2 to 9 score {told} % against the one below ({games} games each)",
            "steps": steps,
        }

    def match(self, players: Any, games: int, title: str) -> tuple[float, int]:
        """Return what the first player scores in so many games, and their number."""
        tasks = duels(self.spec, players, games, self.seed * 1_000_000)
        scores = [score for _, score in self.run(duel, tasks, title)]
        return sum(scores) / len(scores), len(scores)


STAGES: dict[str, Callable[[Tuner], dict[str, Any]]] = {
    "weights": Tuner.weights,
    "search": Tuner.search,
    "scale": Tuner.scale,
    "shares": Tuner.shares,
    "levels": Tuner.levels,
}


def level_at(place: float) -> Level:
    """Return a level between those of other games: 0 is the first one, 8 the last but one."""
    below = DEFAULT_LEVELS[min(int(place), LAST - 1)]
    above = DEFAULT_LEVELS[min(int(place), LAST - 1) + 1]
    assert below.nodes is not None
    assert above.nodes is not None
    part = place - min(int(place), LAST - 1)
    nodes = below.nodes * (above.nodes / below.nodes) ** part
    percent = below.random_percent + (above.random_percent - below.random_percent) * part
    return Level(round(nodes), round(percent))


def _rising(
    least: Sequence[float], found: NDArray[np.float64], most: Sequence[float]
) -> tuple[float, ...]:
    """Return thresholds that are at least the usual ones and those found, none below the last."""
    limits = list[float]()
    for usual, measured, limit in zip(least, found.tolist(), most, strict=True):
        limits.append(round(min(limit, max(usual, measured, *limits)), 3))
    return tuple(limits)


def _percent(score: float, games: int) -> str:
    error = 196 * math.sqrt(max(score * (1 - score), 0.25 / games) / games)
    return f"{100 * score:.0f} +- {error:.0f} % of {games} games"
