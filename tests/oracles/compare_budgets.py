"""Searches that a node budget cuts off, checked against forced results.

    python tests/oracles/compare_budgets.py --searches 20000                 all boards
    python tests/oracles/compare_budgets.py --searches 500 --games squatter  one game

Each search starts from a position of a random game and may look at 1 to 30,000 nodes.

- Its move and its line are legal.
- Its move heeds all that is forced within the depth it reports.
- Its move is best at that depth, or one ply deeper at least as good as a move that is. Plain
  minimax tells, where it can look so far.
- A win or a loss in n plies is forced within n plies, and an exact value is the right one.

Every fault is printed, and those are counted that the oracles cannot decide. The exit status is 1
if there is any fault.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import numpy as np

from oracles.compare_search import plain_minimax
from oracles.forced import UndecidedError, gets, loses_within, wins_within
from plyboard.agents import agent
from plyboard.evaluate import best_evaluation
from plyboard.games import GAMES, Position
from plyboard.search.alpha_beta.iterative_deepening import deepen
from plyboard.search.common.boundary import words
from plyboard.search.common.budget import Budget
from plyboard.search.common.choice import Choice, plies_to_end, told

# Boards, and how many of a hundred searches they get.
BOARDS = (
    ("connect-four", 16),
    ("connect-four:columns=4,rows=4", 6),
    ("connect-four:columns=5,rows=4,line=3", 6),
    ("connect-four:columns=8,rows=7,line=5", 4),
    ("conniption", 20),
    ("conniption:columns=4,rows=4,flips=2", 8),
    ("extended:rows=3,columns=4,pops=2", 8),
    ("extended:rows=4,columns=6,pops=3", 6),
    ("extended:rows=6,columns=8", 4),
    ("squatter:size=3", 4),
    ("squatter:size=4", 6),
    ("squatter:size=5", 4),
    ("squatter", 4),
    ("squatter:size=7", 2),
    ("squatter:size=8", 2),
)
ONE_THREAD = ("alpha-beta", "engine")
PLAYERS = (*ONE_THREAD * 4, "alpha-beta, 2 threads", "engine, 2 threads")
MIXED = ("connect-four", "squatter")  # games in which the engine is more than alpha-beta
CHUNK, MEBIBYTES, MOST_NODES = 200, 1, 30_000
FURTHEST = 8  # plies within which forced results are looked for
MOST_LEAVES = 100_000  # about as many as plain minimax may look at
ENOUGH = 20_000  # nodes that suffice for depth 1 anywhere


@dataclass(frozen=True)
class Search:
    """One search: who looks at how many nodes of which position."""

    player: str
    position: Position
    nodes: int

    def choice(self) -> Choice:
        """Return what it finds, with a table of its own."""
        name, _, several = self.player.partition(", ")
        threads, budget = 2 if several else 1, Budget(nodes=self.nodes)
        if name == "engine":
            return agent(f"engine:hash={MEBIBYTES},threads={threads}").choose(self.position, budget)
        evaluation = best_evaluation(self.position.game)
        return deepen(self.position, evaluation, budget, MEBIBYTES, threads)

    def __str__(self) -> str:
        return f"{self.player}, {self.nodes} nodes, {self.position!r}"


@dataclass
class Tally:
    """What became of some searches."""

    searches: int = 0
    proved: int = 0  # searches that told a proved value
    compared: int = 0  # searches compared with plain minimax
    late: int = 0  # exact wins and losses that are forced sooner than told
    undecided: int = 0  # searches with a question that took the oracle too long
    faults: list[Fault] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Count those of another one too."""
        self.searches += other.searches
        self.proved += other.proved
        self.compared += other.compared
        self.late += other.late
        self.undecided += other.undecided
        self.faults += other.faults


@dataclass(frozen=True, order=True)
class Fault:
    """What is wrong with a choice, and how to see it again."""

    kind: str
    player: str
    where: str


def check_chunk(
    spec: str, seed: int, chunk: int, searches: int = CHUNK, players: Sequence[str] = PLAYERS
) -> Tally:
    """Check so many searches on a board."""
    chance, tally = random.Random(f"{spec} {seed} {chunk}"), Tally()
    positions = _positions(spec, chance)
    for _ in range(searches):
        player = chance.choice(players)
        nodes = round(math.exp(chance.uniform(0, math.log(MOST_NODES))))
        search = Search(player, next(positions), nodes)
        choice = search.choice()
        kind = check(search, choice, tally)
        if kind is not None:
            where = f"{search}: {_told(search.position, choice)}"
            tally.faults.append(Fault(kind, player, where))
    return tally


def check(search: Search, choice: Choice, tally: Tally) -> str | None:
    """Return what is wrong with a choice, the worst first; None if nothing is."""
    tally.searches += 1
    tally.proved += _is_proved(choice)
    undecided = False
    for rule in (_illegal, _untrue, _overlooked, _worse):
        try:
            fault = rule(search, choice, tally)
        except UndecidedError:
            undecided = True
            continue
        if fault:
            return fault
    tally.undecided += undecided
    return None


def _is_proved(choice: Choice) -> bool:
    return choice.exact or plies_to_end(choice.value) is not None


def _illegal(search: Search, choice: Choice, _tally: Tally) -> str | None:
    """Refuse moves and lines that the rules do not allow."""
    position = search.position
    if choice.action not in position.legal_actions():
        return "illegal move"
    if choice.line and choice.line[0] != choice.action:
        return "line of another move"
    for action in choice.line:
        if action not in position.legal_actions():
            return "illegal line"
        position = position.apply_action(action)
    return None


def _untrue(search: Search, choice: Choice, tally: Tally) -> str | None:
    """Refuse values that are told as proved and are not right."""
    position, plies = search.position, plies_to_end(choice.value)
    if plies is not None and not position.game.rules.has_points:
        return _untrue_end(position, choice, plies) or _late(position, choice, plies, tally)
    if not choice.exact:
        return None
    points, after = round(choice.value), position.apply_action(choice.action)
    if choice.value != points or not gets(position, points) or gets(position, points + 1):
        return "untrue exact value"
    return "exact value of another move" if gets(after, 1 - points) else None


def _untrue_end(position: Position, choice: Choice, plies: int) -> str | None:
    """Refuse a win or a loss that is not forced within so many plies."""
    if choice.value < 0:
        return None if loses_within(position, plies) else "untrue loss"
    if not wins_within(position, plies):
        return "untrue win"
    is_by_move = loses_within(position.apply_action(choice.action), plies - 1)
    return None if is_by_move else "win of another move"


def _late(position: Position, choice: Choice, plies: int, tally: Tally) -> str | None:
    """Refuse a distance of the solver or the book that is too long.

    Alpha-beta looks deeper where replies are forced, and may prove a long way before a short one:
    that is only counted.
    """
    ends_within = wins_within if choice.value > 0 else loses_within
    if not choice.exact or not ends_within(position, plies - 1):
        return None
    tally.late += 1
    return "end told too late" if choice.depth == 0 else None


def _overlooked(search: Search, choice: Choice, _tally: Tally) -> str | None:
    """Refuse moves that miss a win or allow a loss within the depth of the search."""
    position = search.position
    if not (choice.depth or _is_proved(choice)) and search.nodes >= ENOUGH:
        return "no depth done"
    if position.game.rules.has_points:
        return None  # nothing is decided before the end
    after = position.apply_action(choice.action)
    for plies in range(1, min(choice.depth, FURTHEST) + 1):
        if wins_within(position, plies):
            return None if loses_within(after, plies - 1) else f"overlooks a win in {plies}"
        if wins_within(after, plies - 1) and not loses_within(position, plies):
            return f"plays into a loss in {plies}"
    return None


def _worse(search: Search, choice: Choice, tally: Tally) -> str | None:
    """Refuse a move of a depth that was cut off if it is worse there than the best before it.

    The engine is left out where it also goes by the solver or by traps.
    """
    position, depth = search.position, choice.depth
    is_mixed = search.player.startswith("engine") and position.game.name in MIXED
    if depth == 0 or choice.exact or is_mixed or _leaves(position, choice) > MOST_LEAVES:
        return None
    tally.compared += 1
    before = _minimax(position, depth)
    best = [action for action, value in before.items() if value == max(before.values())]
    if choice.action in best:
        return None
    now = _minimax(position, depth + 1)
    is_worse = all(now[choice.action] < now[action] for action in best)
    return "worse than the best before" if is_worse else None


def _leaves(position: Position, choice: Choice) -> int:
    """Guess how many leaves plain minimax has one ply below the depth of a choice."""
    after = position.apply_action(choice.action)
    moves = len(position.legal_actions()), max(len(after.legal_actions()), 1)
    # Some leaves are searched one ply deeper.
    looks = best_evaluation(position.game).immediate_win is not None
    return math.prod(moves[ply % 2] for ply in range(choice.depth + 1 + looks))


def _minimax(position: Position, depth: int) -> dict[int, int]:
    """Return what each action is worth to plain minimax."""
    evaluation = best_evaluation(position.game)
    minimax = plain_minimax(position.game.rules, evaluation)
    values = np.zeros(64, dtype=np.int64)
    minimax(words(position.state), depth, evaluation.weights, values)
    return {action: int(values[action]) for action in position.legal_actions()}


def _told(position: Position, choice: Choice) -> str:
    value = told(choice.value, has_points=position.game.rules.has_points)
    sure = ", exact" if choice.exact else ""
    return f"{position.move_text(choice.action)}, {value}{sure}, depth {choice.depth}"


def _positions(spec: str, chance: random.Random) -> Iterator[Position]:
    """Give positions of random games, a few of each game."""
    while True:
        positions, careful = [Position(spec)], chance.random() < 0.7
        while positions[-1].outcome() is None:
            positions.append(_after(positions[-1], chance, careful=careful))
        yield from chance.sample(positions[:-1], min(4, len(positions) - 1))


def _after(position: Position, chance: random.Random, *, careful: bool) -> Position:
    """Return the position after a random move, if careful one that does not decide the game."""
    for _ in range(8 if careful else 1):
        after = position.apply_action(chance.choice(position.legal_actions()))
        if after.outcome() is None and not (careful and wins_within(after, 1)):
            break
    return after


def main() -> None:
    """Check as many searches as the command line asks for, on all cores."""
    names = [each.name for each in GAMES]
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", nargs="+", choices=names, default=names, help="games (all)")
    parser.add_argument("--searches", type=int, default=2000, help="searches in all (2000)")
    parser.add_argument("--seed", type=int, default=0, help="another one, other searches (0)")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes (all cores)")
    options = parser.parse_args()
    boards = [board for board in BOARDS if board[0].partition(":")[0] in options.games]
    shares, faults = sum(share for _, share in boards), 0
    for spec, share in boards:
        wanted = -(-options.searches * share // shares)
        faults += len(_check_board(spec, options.seed, wanted, options.workers).faults)
    sys.exit(1 if faults else 0)


def _check_board(spec: str, seed: int, wanted: int, workers: int) -> Tally:
    """Check the searches of one board, and print what comes of it."""
    began, tally = time.perf_counter(), Tally()
    check_chunk(spec, seed, -1, 20)  # compile once, before the processes start
    with ProcessPoolExecutor(workers) as pool:
        jobs = [
            pool.submit(check_chunk, spec, seed, chunk, min(CHUNK, wanted - chunk * CHUNK))
            for chunk in range(-(-wanted // CHUNK))
        ]
        for job in as_completed(jobs):
            tally.add(job.result())
            print(f"\r{spec}: {tally.searches} searches", end="", file=sys.stderr)
    seconds = time.perf_counter() - began
    print("\r", end="", file=sys.stderr)
    _print(spec, tally, seconds)
    return tally


def _print(spec: str, tally: Tally, seconds: float) -> None:
    for fault in sorted(tally.faults):
        print(f"  {fault.kind}: {fault.where}")
    print(
        f"{spec}: {tally.searches} searches, {tally.proved} proved, "
        f"{tally.compared} compared with minimax, {tally.late} ends told too late, "
        f"{tally.undecided} undecided, {len(tally.faults)} faults, {seconds:.0f} s"
    )
    for (kind, player), count in sorted(Counter((f.kind, f.player) for f in tally.faults).items()):
        print(f"    {count} {kind} ({player})")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
