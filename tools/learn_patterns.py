"""Learning the weights of patterns from self-play.

Games are played with the current weights. The target of each position is its value by a search,
less the points so far; new weights are fitted to these targets, and may play the next games.

    python tools/learn_patterns.py 6000 better.npz
"""

from __future__ import annotations

import io
import os
import random
import re
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyboard.durable import check_plain, replace_file
from plyboard.errors import PlyboardError, UnusableError, UsageError, shown
from plyboard.evaluate.evaluation import Evaluation
from plyboard.evaluate.patterns import (
    ENDINGS,
    HAS_DISCS,
    LENGTH,
    PHASES,
    SHAPE,
    PatternWeights,
    evaluation_by,
    learned_weights,
    pattern_facts,
    places,
    windows,
)
from plyboard.games import Position
from plyboard.games.extended import Extended
from plyboard.games.rules import State
from plyboard.kernel import compiled, kernel
from plyboard.kernel.bits import number
from plyboard.kernel.wide import wide
from plyboard.processes.executor import results
from plyboard.processes.local import LocalExecutor
from plyboard.search.alpha_beta.iterative_deepening import deepen
from plyboard.search.common.boundary import Words, words
from plyboard.search.common.budget import Budget

NODES = 8_000  # of the search of each position
GAME = Extended(pops=9)
POPS = (6, 6, 6, 6, 6, 6, 6, 0, 1, 3, 9)  # initial pops, drawn at random
OPENING = 14  # a game starts with fewer random moves than this
SLIPS = 0.06  # the share of moves that are random
SIDE_SAMPLES = 0.25  # the share of positions after which a random move is sampled as well
MEBIBYTES = 4
EPOCHS = 12  # passes over all positions
LEARNING_RATE, FINAL_RATE = 1.0, 0.05
MAX_ERROR = 50.0  # in points; larger errors are clipped
VALIDATION = 10  # every tenth game is for validation
BATCH = 25  # games that a process plays at a time
LEAST_GAMES, MOST_GAMES = 10, 10**6  # a million takes 3 GB
HUNDREDTHS = 100
PATTERN_WEIGHTS, ENDING_WEIGHTS = int(np.prod(SHAPE)), int(np.prod(ENDINGS))
Report = Callable[[str], None]


@dataclass(frozen=True)
class Samples:
    """Positions, their targets for the first player, and the numbers of their games."""

    states: Words
    targets: NDArray[np.float64]
    game: NDArray[np.int64]


def play_samples(weights: PatternWeights, nodes: int, seed: int, numbers: Iterable[int]) -> Samples:
    """Play the games with these numbers; search each position with this many nodes."""
    evaluation, rows = _evaluation(weights.patterns.tobytes(), weights.endings.tobytes()), []
    for number_of_game in numbers:
        rng = random.Random(f"{seed} {number_of_game}")
        for position, targets in _game(evaluation, Budget(nodes=nodes), rng):
            rows.append((words(position.state), targets, number_of_game))
    states, all_targets, game = zip(*rows, strict=True)
    return Samples(np.array(states, dtype=np.uint64), np.array(all_targets), np.array(game))


@lru_cache(maxsize=1)
def _evaluation(patterns: bytes, endings: bytes) -> Evaluation:
    """Return an evaluation with these weights; the last one is cached."""
    one, other = (np.frombuffer(each, dtype=np.int16) for each in (patterns, endings))
    return evaluation_by(
        GAME, PatternWeights(one.reshape(SHAPE), other.reshape(ENDINGS)), "learner"
    )


def _game(
    evaluation: Evaluation, budget: Budget, rng: random.Random
) -> Iterator[tuple[Position, float]]:
    """Play a game; yield its positions and some side positions with their targets."""
    pops = rng.choice(POPS)
    start = Position(GAME).text().rsplit(" ", 1)[0]
    position = Position(GAME, f"{start} {pops},{pops}")
    for _ in range(rng.randrange(OPENING)):
        position = position.apply_action(rng.choice(position.legal_actions()))
    while not position.is_over:
        choice = deepen(position, evaluation, budget, MEBIBYTES)
        yield position, _target(position, choice.value)
        strayed = position.apply_action(rng.choice(position.legal_actions()))
        if rng.random() < SIDE_SAMPLES and not strayed.is_over:
            value = deepen(strayed, evaluation, budget, MEBIBYTES).value
            yield strayed, _target(strayed, value)
        position = strayed if rng.random() < SLIPS else position.apply_action(choice.action)


def _target(position: Position, value: float) -> float:
    first, second = position.scores() or (0, 0)
    return (-value if position.mover else value) - (first - second)


@cache
def fit_kernel() -> Callable[..., float]:
    """Return the kernel that runs one epoch of AdaGrad, or only measures the error.

    It takes the states, their targets, the order of the positions, the weights of patterns and then
    of endings, the sums of squared gradients, two arrays as scratch space, and the learning rate: 0
    to change nothing. It returns the mean squared error.
    """
    found, facts = list(windows(GAME.board)), pattern_facts(GAME.columns, GAME.rows)
    n, n2, several = GAME.board.words, 2 * GAME.board.words, len(found)
    gather, either, heads = GAME.board.wide.gather, GAME.board.wide.either, GAME.board.heads
    load_mask, load = GAME.board.wide.load, wide(len(GAME.rules.start)).load
    masks = np.array([each.cells for each in found], dtype=np.uint64)
    kinds = np.array([each.kind for each in found], dtype=np.int64)
    stands, has_discs, in_phase = places(), HAS_DISCS, PATTERN_WEIGHTS // PHASES

    @kernel
    def features(state: State, at: Any, signs: Any) -> int:
        """Write the indices and signs of the weights of a position; return their number."""
        phase, odd, player, ending = facts(state)
        first, second = state[:n], state[n:n2]
        fillable = heads(either(first, second))
        first, second = either(first, fillable), either(second, fillable)
        at[0], signs[0] = PATTERN_WEIGHTS + ending, 1.0 - 2.0 * player
        count = 1
        for index in range(several):
            mask = load_mask(masks[index], 0)
            pattern = number(gather(first, mask)) | number(gather(second, mask)) << LENGTH
            if has_discs[pattern]:
                for looker in range(2):
                    place = stands[odd, player, kinds[index], looker, pattern]
                    at[count], signs[count] = phase * in_phase + place, 1.0 - 2.0 * looker
                    count += 1
        return count

    @kernel
    def run_epoch(
        states: Any, targets: Any, order: Any, weights: Any, squares: Any, at: Any, signs: Any,
        rate: float,
    ) -> float:  # fmt: skip
        total = 0.0
        for turn in range(order.shape[0]):
            index = order[turn]
            count = features(load(states[index], 0), at, signs)
            error = targets[index]
            for each in range(count):
                error -= weights[at[each]] * signs[each]
            total += error * error
            error = min(max(error, -MAX_ERROR), MAX_ERROR)
            for each in range(count if rate > 0.0 else 0):
                gradient = error * signs[each]
                squares[at[each]] += gradient * gradient
                weights[at[each]] += rate * gradient / np.sqrt(squares[at[each]] + 1.0)
        return float(total / max(order.shape[0], 1))

    return compiled(run_epoch)


def fit(positions: Samples, seed: int) -> tuple[PatternWeights, float]:
    """Return fitted weights, and their root mean square error in the validation games."""
    held_back = positions.game % VALIDATION == 0
    learned_from, others = np.flatnonzero(~held_back), np.flatnonzero(held_back)
    weights = np.zeros(PATTERN_WEIGHTS + ENDING_WEIGHTS)
    squares, at = np.zeros_like(weights), np.zeros(1 + 2 * len(list(windows(GAME.board))), np.int64)
    rng, signs = np.random.default_rng(seed), np.zeros(len(at))
    run_epoch = partial(fit_kernel(), positions.states, positions.targets)
    for turn in range(EPOCHS):
        rate = LEARNING_RATE * (1 - turn / EPOCHS) + FINAL_RATE
        run_epoch(rng.permutation(learned_from), weights, squares, at, signs, rate)
    error = float(np.sqrt(run_epoch(others, weights, squares, at, signs, 0.0)))
    whole = np.clip(np.rint(weights * HUNDREDTHS), -32000, 32000).astype(np.int16)
    patterns, endings = np.split(whole, [PATTERN_WEIGHTS])
    return PatternWeights(patterns.reshape(SHAPE), endings.reshape(ENDINGS)), error


def _played(
    weights: PatternWeights, nodes: int, seed: int, numbers: Iterable[int]
) -> tuple[Words, NDArray[np.float64], NDArray[np.int64]]:
    """Return the samples of some games as arrays, which a process can send."""
    samples = play_samples(weights, nodes, seed, numbers)
    return samples.states, samples.targets, samples.game


def learn_weights(
    games: int,
    weights: PatternWeights,
    nodes: int = NODES,
    seed: int = 4242,
    workers: int = 1,
    report: Report = lambda _: None,
) -> PatternWeights:
    """Return new weights in hundredths of a point; they do not depend on the workers."""
    parts = [range(at, min(at + BATCH, games)) for at in range(0, games, BATCH)]
    play, played, found = partial(_played, weights, nodes, seed), 0, dict[int, Samples]()
    each = (
        ((part, play(part)) for part in parts)
        if workers == 1
        else results(LocalExecutor(workers), play, parts)
    )
    for part, samples in each:
        found[part.start] = Samples(*samples)
        played += len(part)
        report(f"{played:,} of {games:,} games")
    positions = concatenated([found[part.start] for part in parts])
    better, error = fit(positions, seed)
    report(
        f"{len(positions.targets):,} positions; off by {error:.2f} points in games not learned from"
    )
    return better


def concatenated(parts: Sequence[Samples]) -> Samples:
    """Return the samples of several processes as one."""
    return Samples(
        np.concatenate([each.states for each in parts]),
        np.concatenate([each.targets for each in parts]),
        np.concatenate([each.game for each in parts]),
    )


def main(arguments: list[str]) -> None:
    """Learn weights and write them to a file, which is replaced if it exists."""
    if len(arguments) != 2:
        raise UsageError(
            "wrong arguments", got=str(len(arguments)), expected="a number of games and a file"
        )
    games, path = _games(arguments[0]), Path(arguments[1])
    _check_writable(path)
    workers = os.cpu_count() or 1
    weights = learn_weights(
        games, learned_weights(), workers=workers, report=lambda line: print(line, flush=True)
    )
    with _writing(path), io.BytesIO() as file:
        np.savez_compressed(file, patterns=weights.patterns, endings=weights.endings)
        replace_file(path, file.getvalue())


def _games(text: str) -> int:
    """Return the number of games to play."""
    if re.fullmatch(r"[0-9]{1,18}", text, re.ASCII) and LEAST_GAMES <= int(text) <= MOST_GAMES:
        return int(text)
    expected = f"a whole number from {LEAST_GAMES} to {MOST_GAMES}"
    raise UsageError("wrong number of games", got=shown(text), expected=expected)


def _check_writable(path: Path) -> None:
    """Raise `UnusableError` if a file cannot be written, without changing it."""
    with _writing(path):
        check_plain(path)
        was_there = path.exists()
        path.open("ab").close()
        if not was_there:
            path.unlink()


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as fault:
        raise UnusableError.of("cannot write", str(path), fault) from None


def run(arguments: list[str]) -> int:
    """Run the command; return its exit code, and print errors in one line."""
    try:
        main(arguments)
    except PlyboardError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return fault.exit_code
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # nothing is written before the end
    sys.exit(run(sys.argv[1:]))
