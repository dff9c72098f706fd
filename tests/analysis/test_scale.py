"""Values become expected results, points and words."""

from __future__ import annotations

import random

import pytest

from plyboard.analysis.scale import expected, in_sentence, in_words, solver_score, worth
from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.search.common.choice import WIN, ValuedMove
from plyboard.search.solver.solver import Solver


def test_proved_results_are_whole_or_half_games() -> None:
    assert expected(WIN - 9, exact=True) == 1
    assert expected(0.0, exact=True) == 0.5
    assert expected(8 - WIN, exact=True) == 0


def test_guesses_lie_between_and_rise() -> None:
    shares = [expected(value / 2, exact=False) for value in range(-200, 201)]

    assert shares == sorted(shares)
    assert 0 < shares[0] < 0.001
    assert 0.999 < shares[-1] < 1
    assert expected(0.0, exact=False) == 0.5
    assert expected(5000.0, exact=False) <= 1
    assert expected(3.0, exact=False) + expected(-3.0, exact=False) == pytest.approx(1)


def test_a_move_is_worth_its_points_where_there_are_points() -> None:
    move = ValuedMove(0, 7.0, (0,))

    assert worth(move, has_points=True) == 7
    assert worth(move, has_points=False) == expected(7.0, exact=False)


@pytest.mark.parametrize(
    ("value", "exact", "has_points", "words"),
    [
        (WIN - 7, True, False, "win in 7"),
        (4 - WIN, True, False, "loss in 4"),
        (WIN - 7, False, False, "win in at most 7"),
        (0.0, True, False, "draw"),
        (0.0, False, False, "about 0"),
        (-1.25, False, False, "about -1.25"),
        (12.0, True, True, "+12 points"),
        (1.0, True, True, "+1 point"),
        (-1.0, True, True, "-1 point"),
        (0.0, True, True, "0 points"),
        (11.0, True, True, "+11 points"),
        (2.5, False, True, "about +2.5"),
    ],
)
def test_words(value: float, exact: bool, has_points: bool, words: str) -> None:
    assert in_words(value, exact=exact, has_points=has_points) == words


@pytest.mark.parametrize(
    ("value", "exact", "whose", "words"),
    [
        (WIN - 9, True, "your", "win in 9 plies (5 of your moves)"),
        (8 - WIN, True, "your", "loss in 8 plies (4 of your moves)"),
        (WIN - 7, False, "x's", "win in at most 7 plies (4 of x's moves)"),
        (2 - WIN, True, "your", "loss in 2 plies (1 of your moves)"),
        (WIN - 1, True, "your", "win in 1 ply"),
        (WIN - 9, True, "", "win in 9 plies"),
        (0.0, True, "your", "draw"),
        (-1.25, False, "your", "about -1.25"),
    ],
)
def test_words_of_a_sentence(value: float, exact: bool, whose: str, words: str) -> None:
    assert in_sentence(value, exact=exact, has_points=False, whose=whose) == words


@pytest.mark.parametrize("game", [ConnectFour(), ConnectFour(columns=5, rows=5)])
def test_a_proved_value_has_the_score_that_the_solver_gives(game: ConnectFour) -> None:
    solver, chance = Solver(game), random.Random(5)
    seen = set[int]()
    for _ in range(200):
        position = Position(game)
        for _ in range(chance.randrange(15)):
            after = position.play(chance.choice(position.legal_moves()))
            position = position if after.is_over else after
        most = (game.columns * game.rows + 1 - len(position.moves)) // 2 - 3
        score = chance.randint(-most, most) if most > 0 else 0
        plies = solver.plies_left(position, score)
        value = 0.0 if score == 0 else WIN - plies if score > 0 else plies - WIN
        assert solver_score(position, value) == score
        seen.add(score)

    assert {-1, 0, 1} <= seen


def test_other_games_have_no_scores_of_the_solver() -> None:
    assert solver_score(Position("squatter"), 3.0) is None
