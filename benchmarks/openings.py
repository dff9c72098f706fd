"""Openings of Conniption that no search of 16 plies decides: `openings/conniption.txt`.

Random openings measure little in this game: nearly each of them is won by force for one side, most
of them soon. This goes through all positions up to some plies, each once however it is turned, and
prints the moves to those in which neither side is seen to win, a line each.

    python benchmarks/openings.py > benchmarks/openings/conniption.txt
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator

from asking import natural, progress

from plyboard.evaluate import best_evaluation
from plyboard.games import Position
from plyboard.search.alpha_beta import deepen
from plyboard.search.budget import Budget
from plyboard.search.choice import plies_to_end

STAGES = (Budget(depth=8, nodes=200_000), Budget(depth=12, nodes=3_000_000))  # for most of them


def distinct(positions: Iterable[Position]) -> list[Position]:
    """Return the positions that are not over, one of those that a symmetry turns into another."""
    found: dict[int, Position] = {}
    for position in positions:
        if position.outcome() is None:
            rules, state = position.game.rules, position.state
            keys = [int(rules.key(each.state(state))) for each in rules.symmetries]
            found.setdefault(min([position.key, *keys]), position)
    return list(found.values())


def after(plies: int) -> Iterator[Position]:
    """Yield all positions after one ply, after two, and so on."""
    level = [Position("conniption")]
    for _ in range(plies):
        level = distinct(each.play(action) for each in level for action in each.legal_actions())
        yield from level


def is_open(position: Position, last: Budget) -> bool:
    """Tell whether neither side is seen to win."""
    evaluation = best_evaluation(position.game)
    return all(
        plies_to_end(deepen(position, evaluation, budget).value) is None
        for budget in (*STAGES, last)
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--plies", type=natural, default=4, help="all positions up to here (4)")
    parser.add_argument("--depth", type=natural, default=16, help="of the search (16)")
    parser.add_argument("--nodes", type=natural, default=20_000_000, help="of it at most")
    options = parser.parse_args()
    last = Budget(depth=options.depth, nodes=options.nodes)
    positions = list(after(options.plies))
    for number, position in enumerate(positions, 1):
        if is_open(position, last):
            print(" ".join(position.moves), flush=True)
        if number % 100 == 0:
            progress(f"{number:,} of {len(positions):,}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
