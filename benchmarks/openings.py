"""Openings of Conniption that no search of 20 plies decides: `openings/conniption.txt`.

Random openings measure little in this game: nearly each of them is won by force for one side, most
of them soon. This goes through all positions up to some plies, each once however it is turned, and
prints the moves to those in which neither side is seen to win, a line each. As long as those are
too few, it goes on one ply later from the open ones of the last.

    python benchmarks/openings.py > benchmarks/openings/conniption.txt
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from asking import natural, progress

from plyboard.evaluate import best_evaluation
from plyboard.games import Position
from plyboard.search.alpha_beta import deepen
from plyboard.search.budget import Budget
from plyboard.search.choice import plies_to_end

STAGES = (  # how far to look, and MiB of table; the first ones decide most
    (Budget(depth=8, nodes=200_000), 64),
    (Budget(depth=12, nodes=3_000_000), 64),
    (Budget(depth=16, nodes=20_000_000), 64),
    (Budget(depth=20, nodes=30_000_000), 256),
)


def distinct(positions: Iterable[Position]) -> list[Position]:
    """Return the positions that are not over, one of those that a symmetry turns into another."""
    found: dict[int, Position] = {}
    for position in positions:
        if position.outcome() is None:
            rules, state = position.game.rules, position.state
            keys = [int(rules.key(each.state(state))) for each in rules.symmetries]
            found.setdefault(min([position.key, *keys]), position)
    return list(found.values())


def after(positions: Iterable[Position]) -> list[Position]:
    """Return the positions one ply later."""
    return distinct(each.play(action) for each in positions for action in each.legal_actions())


def is_open(position: Position) -> bool:
    """Tell whether neither side is seen to win."""
    evaluation = best_evaluation(position.game)
    return all(
        plies_to_end(deepen(position, evaluation, budget, mebibytes).value) is None
        for budget, mebibytes in STAGES
    )


def open_ones(positions: list[Position]) -> list[Position]:
    """Return those of the positions that are open, and print their moves."""
    found = []
    for number, position in enumerate(positions, 1):
        if is_open(position):
            print(" ".join(position.moves), flush=True)
            found.append(position)
        if number % 100 == 0:
            progress(f"{number:,} of {len(positions):,} after {len(position.moves)} plies")
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--plies", type=natural, default=4, help="all positions up to here (4)")
    parser.add_argument("--wanted", type=natural, default=100, help="so many at least (100)")
    options = parser.parse_args()
    level, found, total = [Position("conniption")], [Position("conniption")], 0
    for _ in range(options.plies):
        level = after(level)
        found = open_ones(level)
        total += len(found)
    while found and total < options.wanted:
        found = open_ones(after(found))
        total += len(found)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
