"""Make the random positions on which `solver.py` measures: half to tune on, half to report.

Each position is reached by random moves that do not end the game, and the player to move has no
immediate win. Our solver and BitBully have to agree on its score. The files depend only on the
seed. `--check N` writes nothing: it compares the scores of N other positions, after 13 to 40 plies,
with one and with two threads in turn. Exit code 1: the solvers disagree; 2: BitBully is not
installed.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from asking import natural, progress, stop
from solver import DATA, bitbully, plyboard

from plyboard.games import Position

SEED = 20_260
HALVES = ("tune", "report")
CHECKED_PLIES = range(13, 41)
COUNTS = {8: 20, 12: 60, 16: 150, 20: 150, 24: 150, 28: 150}  # positions of each half by ply


def wins_at_once(position: Position, move: str) -> bool:
    outcome = position.play(move).outcome()
    return outcome is not None and outcome.winner is not None


def random_position(chance: random.Random, plies: int) -> Position:
    """Return a random position in which the player to move has no immediate win."""
    while True:
        position = Position("connect-four")
        for _ in range(plies):
            position = position.play(chance.choice(position.legal_moves()))
            if position.is_over:
                break
        if not position.is_over and not any(
            wins_at_once(position, move) for move in position.legal_moves()
        ):
            return position


def check(count: int, seed: int) -> int:
    """Compare the scores of random positions; return how many differ."""
    solvers, theirs = (plyboard(), plyboard(threads=2)), bitbully(keep=True)
    chance, wrong = random.Random(seed), 0
    for index in range(count):
        moves = "".join(random_position(chance, chance.choice(CHECKED_PLIES)).moves)
        ours, expected = solvers[index % 2](moves)[0], theirs(moves)[0]
        if ours != expected:
            wrong += 1
            print(f"{moves}: {ours}, BitBully finds {expected}")
        if (index + 1) % 1000 == 0:
            progress(f"{index + 1} of {count} positions, {wrong} wrong")
    print(f"{count} positions, {wrong} wrong")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=SEED, help=f"default {SEED}")
    parser.add_argument("--out", type=Path, default=DATA, help="folder to write to")
    parser.add_argument("--check", type=natural, metavar="N", help="compare N other positions")
    options = parser.parse_args()
    if options.check:
        return int(check(options.check, options.seed + 1) > 0)
    ours, theirs, chance = plyboard(), bitbully(), random.Random(options.seed)
    texts = dict.fromkeys(HALVES, "")
    for plies, count in COUNTS.items():
        progress(f"{plies} plies: {2 * count} positions")
        for index in range(2 * count):
            moves = "".join(random_position(chance, plies).moves)
            score = ours(moves)[0]
            if score != theirs(moves)[0]:
                stop(f"the solvers disagree on {moves}", code=1)
            texts[HALVES[index % 2]] += f"{moves} {score}\n"
    for half, text in texts.items():
        (options.out / f"random_{half}").write_text(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
