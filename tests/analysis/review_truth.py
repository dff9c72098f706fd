"""Reviews of Connect Four against the solver: are exactly the moves listed that lose value?

    python tests/analysis/review_truth.py --games 300

A game begins with random moves. Then both players win at once where they can, and make random moves
otherwise.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator

from plyboard.analysis.review import review
from plyboard.games import Position
from plyboard.play.match import Match
from plyboard.search.book.book import book_solution
from plyboard.search.common.budget import Budget
from plyboard.search.solver.solver import Solver


def random_match(spec: str, plies: int, seed: int) -> Match:
    """Return a finished match that starts after so many random plies."""
    chance = random.Random(f"{spec} {plies} {seed}")
    while True:
        start = Position(spec)
        for _ in range(plies):
            start = start if start.is_over else start.play(chance.choice(start.legal_moves()))
        if not start.is_over:
            break
    match = Match.of(start)
    while not match.is_over:
        legal = match.position.legal_moves()
        wins = [move for move in legal if match.position.play(move).is_over]
        match = match.play(chance.choice(wins or legal))
    return match


def check(match: Match) -> Iterator[str]:
    """Yield what a review says wrongly of the moves of a match."""
    found = review(match, Budget(nodes=1))
    solver = Solver(found.match.start.game, book=book_solution)  # type: ignore[arg-type]
    told = {ply for ply, _ in found.worst(len(match.turns))}
    if not found.is_exact:
        yield "not all values are proved"
    for ply, (before, after) in enumerate(
        zip(match.positions[:-1], match.positions[1:], strict=True), 1
    ):
        loses = _sign(solver, before) > -_sign(solver, after)
        if loses != (ply in told):
            what = "loses value and is not listed" if loses else "is listed and loses nothing"
            yield f"ply {ply} of {' '.join(match.position.moves)} {what}"


def _sign(solver: Solver, position: Position) -> int:
    """Return the result for the player to move: 1, 0 or -1."""
    outcome = position.outcome()
    if outcome is not None:
        return 0 if outcome.winner is None else -1
    return solver.solve(position, weak=True).score


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--game", default="connect-four")
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    wrong = 0
    for number in range(given.games):
        for fault in check(random_match(given.game, 0, given.seed + number)):
            print(f"game {number}: {fault}", flush=True)
            wrong += 1
    print(f"{given.games} games, {wrong} moves wrong")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
