"""Random games played by the rules and by their oracle, compared after every ply.

    python tests/oracles/compare.py --games 1000000            every rule set, with progress
    python tests/oracles/compare.py --games 5000 squatter      one of them

Half of the games are steered towards the odd cases: full columns, flips, pops, near-captures.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from functools import lru_cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

from oracles import ORACLES
from plyboard.games import Game, Position, game
from plyboard.games.action_sets import actions_in
from plyboard.games.game import values_of
from plyboard.search.counting.trace import TracedPosition, trace

# Which boards a rule set is compared on, the usual one most often; some take several words.
BOARDS: dict[str, tuple[tuple[str, int], ...]] = {
    "connect-four": (
        ("connect-four", 60),
        ("connect-four:columns=5,rows=4", 20),
        ("connect-four:columns=4,rows=5,line=3", 10),
        ("connect-four:columns=10,rows=9,line=5", 9),
        ("connect-four:columns=16,rows=16", 1),
    ),
    "conniption": (
        ("conniption", 60),
        ("conniption:columns=5,rows=4,flips=2", 25),
        ("conniption:columns=4,rows=4,flips=9", 10),
        ("conniption:columns=9,rows=8", 5),
    ),
    "extended": (
        ("extended:rows=4,columns=6,pops=3", 49),
        ("extended:rows=3,columns=4,pops=2", 30),
        ("extended", 20),
        ("extended:rows=12,columns=12,pops=10", 1),
    ),
    "squatter": (
        ("squatter:size=5", 50),
        ("squatter:size=4", 25),
        ("squatter", 20),
        ("squatter:size=3", 3),
        ("squatter:size=8", 2),
    ),
}
CHUNK = 500
Chooser = Callable[[Any, Any, list[str], random.Random], str]


class DifferenceError(AssertionError):
    """The rules and their oracle disagree; the text tells how to see it again."""


def compare_chunk(name: str, chunk: int, games: int = CHUNK) -> int:
    """Compare so many games of a rule set; return how many positions were compared."""
    chance = random.Random(f"{name} {chunk}")
    specs, weights = zip(*BOARDS[name], strict=True)
    pairs = {spec: Pair(game(spec)) for spec in specs}
    seen = 0
    for index in range(games):
        spec = chance.choices(specs, weights)[0]
        seen += compare_game(pairs[spec], chance, steered=index % 2 == 1)
    return seen


class Pair:
    """The rules of one board and their oracle.

    The oracle is asked for the same facts several times a ply, and works them out once.
    """

    def __init__(self, rules: Game) -> None:
        self.rules = rules
        self.oracle: Any = ORACLES[rules.name](**values_of(rules))
        for question in ("moves", "play", "outcome", "text"):
            setattr(self.oracle, question, lru_cache(64)(getattr(self.oracle, question)))
        self.keys: dict[str, int] = {}  # by position text


def compare_game(pair: Pair, chance: random.Random, *, steered: bool) -> int:
    """Let the oracle play one game and compare each position with the compiled rules."""
    rules, oracle = pair.rules, pair.oracle
    choose = STEERED[rules.name] if steered else _any_move
    states, moves, legal = [oracle.start()], [], []
    while True:
        legal.append(oracle.moves(states[-1]))
        if not legal[-1]:
            break
        moves.append(choose(oracle, states[-1], legal[-1], chance))
        states.append(oracle.play(states[-1], moves[-1]))
    steps = trace(rules.rules, rules.rules.start, _actions(rules, moves))
    for ply, (step, state) in enumerate(zip(steps, states, strict=True)):
        fault = _difference(pair, step, state, legal[ply])
        if fault:
            raise DifferenceError(f"{rules} after {' '.join(moves[:ply])}: {fault}")
    return len(states)


def _actions(rules: Game, moves: list[str]) -> list[int]:
    """Return the actions of a game. In our own games a text means the same action everywhere."""
    state, found = rules.rules.start, list[int]()
    for move in moves:
        found.append(rules.parse_move(state, move))
        if rules.name not in BOARDS:
            state = rules.rules.play(state, found[-1])
    return found


def _difference(pair: Pair, step: TracedPosition, state: Any, legal: list[str]) -> str | None:
    """Return what differs between the rules' and the oracle's view of a position."""
    rules, oracle = pair.rules, pair.oracle
    text = oracle.text(state)
    if rules.format_position(step.state) != text:
        return f"position {rules.format_position(step.state)!r}, oracle {text!r}"
    ours = [rules.format_move(step.state, action) for action in actions_in(step.legal)]
    if ours != legal:
        return f"legal {ours}, oracle {legal}"
    if step.mover != oracle.mover(state):
        return f"mover {step.mover}"
    scores = oracle.scores(state)
    if scores is not None and step.scores != scores:
        return f"scores {step.scores}, oracle {scores}"
    outcome = oracle.outcome(state)
    if _outcome(step, rules) != outcome:
        return f"outcome {_outcome(step, rules)}, oracle {outcome}"
    if pair.keys.setdefault(text, step.key) != step.key:
        return f"two keys for {text!r}"
    return None


def _outcome(step: TracedPosition, rules: Game) -> str | None:
    if not step.over:
        return None
    sign = (step.value > 0) - (step.value < 0)
    return "draw" if sign == 0 else ("first", "second")[step.mover if sign > 0 else 1 - step.mover]


def _any_move(_oracle: Any, _state: Any, legal: list[str], chance: random.Random) -> str:
    return chance.choice(legal)


def _long_game(oracle: Any, state: Any, legal: list[str], chance: random.Random) -> str:
    """Prefer moves that do not end the game, and columns already high: boards get full."""
    for _ in range(3):
        move = chance.choice(legal[: chance.randint(1, len(legal))])
        if oracle.outcome(oracle.play(state, move)) is None:
            return move
    return move


def _flips(oracle: Any, state: Any, legal: list[str], chance: random.Random) -> str:
    """Prefer moves with flips that do not end the game."""
    flips = [move for move in legal if "f" in move]
    chosen = flips if flips and chance.random() < 0.5 else legal
    for _ in range(3):
        move = chance.choice(chosen)
        if oracle.outcome(oracle.play(state, move)) is None:
            return move
    return move


def _pops(_oracle: Any, _state: Any, legal: list[str], chance: random.Random) -> str:
    """Prefer pops, and otherwise the lower columns: they fill up while others stay empty."""
    pops = [move for move in legal if move.endswith("p")]
    if pops and chance.random() < 0.4:
        return chance.choice(pops)
    return chance.choice(legal[: chance.randint(1, len(legal))])


def _rings(oracle: Any, state: Any, legal: list[str], chance: random.Random) -> str:
    """Prefer cells beside an own piece's diagonal neighbours: chains close, and nest."""
    board, mover = oracle.text(state).split(" ")
    rows = board.split("/")
    best, most = chance.choice(legal), -1
    for move in chance.sample(legal, min(4, len(legal))):
        row, column = int(move[1:]) - 1, ord(move[0]) - 97
        near = sum(
            rows[r][c] == mover
            for r in range(max(row - 1, 0), min(row + 2, len(rows)))
            for c in range(max(column - 1, 0), min(column + 2, len(rows)))
        )
        if most < min(near, 2):
            best, most = move, min(near, 2)
    return best


STEERED: dict[str, Chooser] = {
    "connect-four": _long_game,
    "conniption": _flips,
    "extended": _pops,
    "squatter": _rings,
}


def main() -> None:
    """Compare as many games as the command line asks for, on all cores."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=list(BOARDS), help="rule sets (all)")
    parser.add_argument("--games", type=int, default=20_000, help="games per rule set")
    options = parser.parse_args()
    for name in options.names:
        for spec, _ in BOARDS[name]:  # compile once, before the processes start
            trace(game(spec).rules, Position(spec).state, ())
        chunks, began, seen = -(-options.games // CHUNK), time.perf_counter(), 0
        with ProcessPoolExecutor(os.cpu_count()) as pool:
            jobs = [pool.submit(compare_chunk, name, chunk) for chunk in range(chunks)]
            for done, job in enumerate(as_completed(jobs), 1):
                seen += job.result()
                print(f"\r{name}: {done * CHUNK} games", end="", file=sys.stderr)
        seconds = time.perf_counter() - began
        print(f"\r{name}: {chunks * CHUNK} games, {seen} positions, no difference, {seconds:.0f} s")


if __name__ == "__main__":
    main()
