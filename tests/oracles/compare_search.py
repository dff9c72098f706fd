"""Alpha-beta against plain minimax on random positions: the value, and the value of every move.

    python tests/oracles/compare_search.py --positions 100000     all boards, with progress
    python tests/oracles/compare_search.py --positions 5 squatter  one game

Plain minimax is compiled here too, for its speed; it has no window, no table and no order.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import cache
from typing import Any

from plyboard.evaluate import best_evaluation
from plyboard.evaluate.evaluation import QUIET, Evaluation, Weights
from plyboard.games import Position
from plyboard.games.rules import Rules, State
from plyboard.kernel import Word, compiled, kernel
from plyboard.kernel.bits import lowest
from plyboard.kernel.wide import wide
from plyboard.search.alpha_beta.iterative_deepening import deepen
from plyboard.search.alpha_beta.multi_pv import value_moves
from plyboard.search.alpha_beta.principal_variation import no_immediate_win
from plyboard.search.common.boundary import words
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import WIN

# Boards, the deepest that plain minimax looks there, and how many of a hundred positions they get.
BOARDS = (
    ("connect-four:columns=4,rows=4", 6, 15),
    ("connect-four:columns=5,rows=4,line=3", 6, 15),
    ("connect-four", 5, 20),
    ("conniption:columns=4,rows=4,flips=2", 4, 10),
    ("conniption", 3, 10),
    ("extended:rows=3,columns=4,pops=2", 5, 10),
    ("extended:rows=6,columns=8", 3, 5),
    ("squatter:size=3", 5, 5),
    ("squatter:size=4", 3, 5),
    ("squatter:size=5", 3, 5),
)
CHUNK, MEBIBYTES = 100, 1
FAR = 1 << 40
Minimax = Callable[[Any, int, Weights, Any], None]


class DifferenceError(AssertionError):
    """Alpha-beta and plain minimax disagree; the text tells how to see it again."""


@cache
def plain_minimax(rules: Rules, evaluation: Evaluation) -> Minimax:
    """Return what writes the value of each action of a position into an array."""
    legal, play, over, result, evaluate = (
        rules.legal, rules.play, rules.over, rules.value, evaluation.evaluate,
    )  # fmt: skip
    has_points, scale = rules.has_points, evaluation.scale
    finds_wins, immediate_win = (
        evaluation.immediate_win is not None,
        evaluation.immediate_win or no_immediate_win,
    )
    load, one, won = wide(len(rules.start)).load, Word(1), int(WIN) * scale

    @kernel
    def worth(state: State, depth: int, ply: int, weights: Weights) -> int:
        if over(state):
            value = result(state)
            if has_points:
                return value * scale
            return won - ply * scale if value > 0 else ply * scale - won if value < 0 else 0
        if depth == 0:
            seen = immediate_win(state, True) if finds_wins else QUIET
            if seen >= 0:
                return won - (ply + 1) * scale
            if seen == QUIET:
                return evaluate(state, weights)
            depth = 1
        best, actions = -FAR, legal(state)
        while actions:
            best = max(best, -worth(play(state, lowest(actions)), depth - 1, ply + 1, weights))
            actions = actions & (actions - one)
        return best

    @kernel
    def every(start: Any, depth: int, weights: Weights, values: Any) -> None:
        state, ply = load(start, 0), depth - depth + 1
        actions = legal(state)
        while actions:
            action = lowest(actions)
            values[action] = -worth(play(state, action), depth - 1, ply, weights)
            actions = actions & (actions - one)

    return compiled(every)


def compare_chunk(spec: str, deepest: int, chunk: int, positions: int = CHUNK) -> int:
    """Compare so many positions of a board at all depths."""
    import numpy as np

    chance = random.Random(f"{spec} {chunk}")
    for _ in range(positions):
        position = _middle(spec, chance)
        evaluation = best_evaluation(position.game)
        minimax = plain_minimax(position.game.rules, evaluation)
        depth = chance.randint(1, deepest)
        values = np.zeros(64, dtype=np.int64)
        minimax(words(position.state), depth, evaluation.weights, values)
        right = {
            action: int(values[action]) / evaluation.scale for action in position.legal_actions()
        }
        fault = _difference(position, depth, evaluation, right)
        if fault:
            raise DifferenceError(f"{position.text()} of {spec} at depth {depth}: {fault}")
    return positions


def _difference(
    position: Position, depth: int, evaluation: Evaluation, right: dict[int, float]
) -> str | None:
    """Return what alpha-beta says otherwise."""
    found = deepen(position, evaluation, Budget(depth=depth), MEBIBYTES)
    best = max(right.values())
    if found.depth == depth and found.value != best:
        return f"the value is {found.value}; minimax has {best}"
    if found.depth == depth and right[found.action] != best:
        return f"it plays {found.action}; minimax has {right}"
    for each in value_moves(position, evaluation, Budget(depth=depth), MEBIBYTES):
        if each.value != right[each.action] and (each.depth == depth or not each.exact):
            return f"action {each.action} is worth {each.value}; minimax has {right[each.action]}"
    return None


def _middle(spec: str, chance: random.Random) -> Position:
    """Return a position somewhere in a random game, in which it goes on."""
    position = Position(spec)
    for _ in range(chance.randrange(24)):
        after = position.apply_action(chance.choice(position.legal_actions()))
        if after.outcome() is not None:
            break
        position = after
    return position


def main() -> None:
    """Compare as many positions as the command line asks for, on all cores."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", default=["all"], help="games (all)")
    parser.add_argument("--positions", type=int, default=2000, help="positions in all (2000)")
    options = parser.parse_args()
    for spec, deepest, share in BOARDS:
        if options.names != ["all"] and spec.partition(":")[0] not in options.names:
            continue
        wanted = -(-options.positions * share // 100)
        began, done = time.perf_counter(), 0
        compare_chunk(spec, deepest, -1, 1)  # compile once, before the processes start
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            jobs = [
                pool.submit(compare_chunk, spec, deepest, chunk, min(CHUNK, wanted - chunk * CHUNK))
                for chunk in range(-(-wanted // CHUNK))
            ]
            for job in as_completed(jobs):
                done += job.result()
                print(f"\r{spec}: {done} positions", end="", file=sys.stderr)
        seconds = time.perf_counter() - began
        print(f"\r{spec}: {done} positions equal, {seconds:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
