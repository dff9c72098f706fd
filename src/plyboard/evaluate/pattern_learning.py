"""Weights of patterns, learned from games that the evaluation plays against itself.

After each game every position is moved a little towards what came later (temporal differences with
eligibility: `TRACE` of what the next position was worth and the rest of the way to the result).

    python -m plyboard.evaluate.pattern_learning 400000 extended-patterns.npz
"""

from __future__ import annotations

import re
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyboard.errors import PlyboardError, UnusableError, UsageError, shown
from plyboard.evaluate.patterns import BACKWARDS, LEVEL, PATTERNS, PHASES, POPS, WEIGHTS, kit_of
from plyboard.games.extended import Extended
from plyboard.games.rules import State
from plyboard.kernel import Word, compiled, kernel
from plyboard.kernel.bits import below, count, lowest, mix, nth, step_random
from plyboard.kernel.wide import wide

TRACE = 0.8
LONGEST = 400  # plies that a game may have and still be learned from
RATES = (0.002, 0.0002)  # at the beginning and at the end
SLIPS = (100, 20)  # random moves in a thousand, likewise
OPENING = 9  # a game begins with up to so many random moves, less one
PARTS = 15
MOST_GAMES = 10**9
HUNDREDTHS = 100


def learner(game: Extended) -> Callable[..., None]:
    """Return the kernel that plays games and learns from each."""
    rules, kit = game.rules, kit_of(game)
    legal, play, over, scores = rules.legal, rules.play, rules.over, rules.scores
    total, change = kit.total, kit.change
    size = len(rules.start)
    load, last, one = wide(size).load, size - 1, Word(1)

    @kernel
    def worth(state: State, weights: Any) -> float:
        points = scores(state)
        lead = float(points[0] - points[1])
        return lead if over(state) else lead + total(state, weights)

    @kernel
    def best_after(state: State, weights: Any) -> State:
        actions = legal(state)
        sign = -1.0 if state[last] & one else 1.0
        best, found = -1e9, state
        while actions:
            after = play(state, lowest(actions))
            actions = actions & (actions - one)
            value = sign * worth(after, weights)
            if value > best:
                best, found = value, after
        return found

    @kernel
    def learn(
        start: Any, weights: Any, seeds: Any, games: int, rate: float, slips: int,
        path: Any, values: Any,
    ) -> None:  # fmt: skip
        seed: int = Word(seeds[0])
        for _ in range(games):
            state: State = load(start, 0)
            seed = step_random(seed)
            opening, plies = below(mix(seed), OPENING), 0
            while not over(state) and plies < LONGEST:
                seed = step_random(seed)
                if plies < opening or below(mix(seed), 1000) < slips:
                    actions = legal(state)
                    seed = step_random(seed)
                    state = play(state, nth(actions, below(mix(seed), count(actions))))
                else:
                    state = best_after(state, weights)
                for index in range(size):
                    path[plies, index] = state[index]
                values[plies] = worth(state, weights)
                plies += 1
            target = values[plies - 1]
            for ply in range(plies - 2, -1, -1):
                state = load(path[ply], 0)
                change(state, weights, rate * (target - worth(state, weights)))
                target = TRACE * target + (1.0 - TRACE) * values[ply]
        seeds[0] = seed

    return learn


def learned(
    games: int, seed: int = 4242, tell: Callable[[str], None] = lambda _: None
) -> NDArray[np.int16]:
    """Return weights in hundredths of a point, learned from so many games."""
    game = Extended()
    run = compiled(learner(game))
    weights = np.zeros(WEIGHTS)
    seeds = np.array([seed], dtype=np.uint64)
    start = np.array(game.rules.start, dtype=np.uint64)
    path, values = np.zeros((LONGEST, len(start)), dtype=np.uint64), np.zeros(LONGEST)
    for part in range(PARTS):
        done = part / PARTS
        rate = RATES[0] * (1 - done) + RATES[1]
        slips = int(SLIPS[0] * (1 - done) + SLIPS[1])
        run(start, weights, seeds, games // PARTS, rate, slips, path, values)
        _make_even(weights)
        tell(f"{(part + 1) * (games // PARTS):,} of {games:,} games")
    return np.clip(np.round(weights * HUNDREDTHS), -32000, 32000).astype(np.int16)


def _make_even(weights: NDArray[np.float64]) -> None:
    """Give a level window and its mirror image the same weight."""
    table = weights[:POPS].reshape(PHASES, 3, PATTERNS // 4096, 16, 16, 16)
    turn = np.array(BACKWARDS)
    level = table[:, LEVEL]
    table[:, LEVEL] = (level + level[:, :, turn][:, :, :, turn][:, :, :, :, turn]) / 2


def main(arguments: list[str]) -> None:
    """Learn and write the weights to a file; one that exists is replaced."""
    if len(arguments) != 2:
        raise UsageError(
            f"wrong arguments: got {len(arguments)}; expected a number of games and a file"
        )
    games, path = _games(arguments[0]), Path(arguments[1])
    _check(path)
    weights = learned(games, tell=lambda line: print(line, flush=True))
    with _writing(path), path.open("wb") as file:
        np.savez_compressed(file, weights=weights)


def _games(text: str) -> int:
    """Return how many games to learn from: one in each part at least."""
    if re.fullmatch(r"[0-9]{1,18}", text, re.ASCII) and PARTS <= int(text) <= MOST_GAMES:
        return int(text)
    expected = f"a whole number from {PARTS} to {MOST_GAMES}"
    raise UsageError(f"wrong number of games: got {shown(text)}; expected {expected}")


def _check(path: Path) -> None:
    """Refuse a file that cannot be written, before any work is done for it; leave it as it is."""
    with _writing(path):
        was_there = path.exists()
        path.open("ab").close()
        if not was_there:
            path.unlink()


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as fault:
        reason = getattr(fault, "strerror", None) or str(fault)
        raise UnusableError(f"cannot write {shown(str(path))}: {reason}") from None


def run(arguments: list[str]) -> int:
    """Run the command; return its exit code, with one line for what a person can put right."""
    try:
        main(arguments)
    except PlyboardError as fault:
        print(f"error: {fault}", file=sys.stderr)
        return fault.exit_code
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a compiled loop hears nothing else
    sys.exit(run(sys.argv[1:]))
