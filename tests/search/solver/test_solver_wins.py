"""Short wins of the solver, replayed and searched for without it."""

from __future__ import annotations

from search.solver.test_solver_oracle import SlowSolver, discs_of, some_positions

from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.search.solver.solver import Solver


def short_wins(count: int) -> list[tuple[Position, int, int]]:
    """Return positions that somebody wins in 3 to 8 plies, with the score and the plies."""
    solver, found = Solver(), list[tuple[Position, int, int]]()
    for position in some_positions(ConnectFour(), range(16, 30), seed=12):
        score = solver.solve(position).score
        plies = solver.plies_left(position, score)
        if score and 3 <= plies <= 8:
            found.append((position, score, plies))
            if len(found) == count:
                break
    return found


def test_a_short_win_is_replayed_against_all_defences() -> None:
    solver = Solver()

    def longest(position: Position, winner: int) -> int:
        """Return how long the game lasts at most, if the winner plays the solver's best moves."""
        outcome = position.outcome()
        if outcome is not None:
            assert outcome.winner == winner
            return 0
        moves = position.legal_moves()
        if position.mover == winner:
            scores = solver.moves(position)
            moves = (max(scores, key=lambda move: scores[move].score),)
        return 1 + max(longest(position.play(move), winner) for move in moves)

    lengths = set()
    for position, score, plies in short_wins(24):
        winner = position.mover if score > 0 else 1 - position.mover
        assert longest(position, winner) == plies, position
        lengths.add(plies)
    assert len(lengths) >= 5


def test_no_win_is_shorter_than_the_score_says() -> None:
    """By a plain search of all moves: there is a win in so many plies, and none in fewer."""
    slow = SlowSolver(7, 6)

    for position, score, plies in short_wins(24):
        discs = discs_of(position)
        if plies <= 6:
            proved = slow.wins_within if score > 0 else slow.loses_within
            assert proved(discs, plies), position
            assert not proved(discs, plies - 2), position
