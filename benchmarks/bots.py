"""Bots that share a process: are they left alone, and do they leave others alone?

1. Eight threads, each with a bot of its own and a node budget, search in all games at once. Every
   choice must equal the one found alone.
2. Two solvers at once, and one alone: the seconds of each.
3. While a search of two seconds runs, another thread sleeps a millisecond at a time: the longest
   that it is held up beyond that (aim: 20 ms).

Exit code 1: a choice differs, or a thread was held up for longer.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from asking import natural, progress

from plyboard.agents import Budget, Choice, open_bot
from plyboard.games import Position
from plyboard.search.solver.solver import Solver

GAMES = ("connect-four", "conniption", "extended", "squatter")
AGENTS = ("engine:hash=8", "mcts:hash=8", "expectimax:hash=8", "jericho:hash=8")
NODES = 30_000
SECONDS = 2.0
LONGEST_STALL = 0.020
HARD = "connect-four 4443332"


def middle(spec: str, seed: int) -> Position:
    """Return a position six random plies into a game."""
    chance, position = random.Random(seed), Position(spec)
    while len(position.moves) < 6:
        after = position.apply_action(chance.choice(position.legal_actions()))
        position = after if after.outcome() is None else Position(spec)
    return position


def thought(name: str, position: Position) -> Choice:
    """Return what a new bot chooses at its third attempt."""
    with open_bot(name, position.game) as bot:
        for _ in range(3):
            choice = bot.think(position, Budget(nodes=NODES, seed=1))
    return replace(choice, seconds=0.0)


def differing(threads: int) -> tuple[int, int]:
    """Return how many choices differ when so many bots think at once, and of how many."""
    questions = [
        (name, middle(game, seed)) for game in GAMES for name in AGENTS for seed in range(2)
    ]
    alone = [thought(*question) for question in questions]
    with ThreadPoolExecutor(threads) as pool:
        together = list(pool.map(lambda question: thought(*question), questions))
    return sum(one != other for one, other in zip(alone, together, strict=True)), len(alone)


def solving() -> tuple[float, float]:
    """Return the seconds of one solver alone, and of the slower one of two at once."""
    position = Position.read(HARD)
    solvers = Solver(mebibytes=32), Solver(mebibytes=32)
    for solver in solvers:
        solver.prepare()
    alone = solvers[0].solve(position).seconds
    with ThreadPoolExecutor(2) as pool:
        together = max(pool.map(lambda solver: solver.solve(position).seconds, solvers))
    return alone, together


def longest_stall(spec: str, name: str) -> float:
    """Return the longest that this thread was held up while a bot searched in another."""
    with open_bot(name, spec) as bot:
        bot.prepare().result()
        search, longest = bot.start(middle(spec, 1), Budget(seconds=SECONDS)), 0.0
        while not search.wait(0):
            began = time.perf_counter()
            time.sleep(0.001)
            longest = max(longest, time.perf_counter() - began - 0.001)
    return longest


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON instead of lines")
    parser.add_argument("--threads", type=natural, default=8, help="bots at once (8)")
    options = parser.parse_args()
    progress("searching alone and together")
    differ, choices = differing(options.threads)
    progress("solving alone and together")
    alone, together = solving()
    stalls: dict[str, float] = {}
    for spec in GAMES:
        for name in ("engine", "mcts"):
            progress(f"{name} in {spec}")
            stalls[f"{name} in {spec}"] = longest_stall(spec, name)
    facts: dict[str, Any] = {
        "choices": choices, "differ": differ, "solver_alone": alone,
        "two_solvers": together, "stalls": stalls,
    }  # fmt: skip
    if options.json:
        print(json.dumps(facts, indent=2))
    else:
        print(f"{differ} of {choices} choices differ with {options.threads} bots at once")
        print(f"a solver alone {alone:.2f} s, two at once {together:.2f} s")
        for name, stall in stalls.items():
            print(f"{name}: another thread was held up for {1000 * stall:.1f} ms at most")
    return int(differ > 0 or max(stalls.values()) > LONGEST_STALL)


if __name__ == "__main__":
    raise SystemExit(main())
