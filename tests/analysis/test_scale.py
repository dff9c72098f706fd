"""Values become expected results, points and words."""

from __future__ import annotations

import random

import pytest

from plyboard.analysis.scale import expected, in_sentence, in_words, percent, solver_score
from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.search.common.choice import WIN, ValuedMove
from plyboard.search.solver.solver import Solver

CONNECT_FOUR, EXTENDED = Position("connect-four"), Position("extended")


def move(value: float, *, exact: bool = False, depth: int = 6) -> ValuedMove:
    return ValuedMove(0, value, (0,), depth, exact=exact)


def test_proved_results_are_whole_or_half_games() -> None:
    assert expected(CONNECT_FOUR, move(WIN - 9, exact=True)) == 1
    assert expected(CONNECT_FOUR, move(0.0, exact=True)) == 0.5
    assert expected(CONNECT_FOUR, move(8 - WIN)) == 0
    assert expected(EXTENDED, move(1.0, exact=True)) == 1
    assert expected(EXTENDED, move(0.0, exact=True)) == 0.5
    assert expected(EXTENDED, move(-12.0, exact=True)) == 0


@pytest.mark.parametrize("spec", ["connect-four", "conniption", "extended", "squatter"])
def test_estimates_lie_between_and_rise(spec: str) -> None:
    position = Position(spec)

    scores = [expected(position, move(value / 2)) for value in range(-200, 201)]

    assert scores == sorted(scores)
    assert 0 < scores[0] < 0.2
    assert 0.8 < scores[-1] < 1
    assert 0 < expected(position, move(-5000.0)) < expected(position, move(5000.0)) < 1


def test_a_deeper_search_makes_a_lead_surer() -> None:
    assert 0.5 < expected(EXTENDED, move(9.0)) < expected(EXTENDED, move(9.0, depth=12))


def test_an_odd_depth_flatters_the_player_to_move() -> None:
    scores = [expected(CONNECT_FOUR, move(1.0, depth=depth)) for depth in (7, 8, 9)]

    assert scores[0] < scores[1] > scores[2]


def test_a_game_without_a_fit_has_the_usual_scale() -> None:
    class Other(ConnectFour):
        name = "other"

    assert expected(Position(Other()), move(4.0)) == pytest.approx(0.73, abs=0.002)


@pytest.mark.parametrize(
    ("position", "value", "exact", "words"),
    [
        (CONNECT_FOUR, WIN - 7, True, "win in 7"),
        (CONNECT_FOUR, 4 - WIN, True, "loss in 4"),
        (CONNECT_FOUR, WIN - 7, False, "win in at most 7"),
        (CONNECT_FOUR, 0.0, True, "draw"),
        (CONNECT_FOUR, 500.0, False, f"about {percent(expected(CONNECT_FOUR, move(500.0)))}"),
        (EXTENDED, 12.0, True, "+12 points"),
        (EXTENDED, 1.0, True, "+1 point"),
        (EXTENDED, -1.0, True, "-1 point"),
        (EXTENDED, 0.0, True, "0 points"),
        (EXTENDED, 11.0, True, "+11 points"),
        (EXTENDED, 2.5, False, "about +2.5"),
    ],
)
def test_words(position: Position, value: float, exact: bool, words: str) -> None:
    assert in_words(position, move(value, exact=exact)) == words


def test_an_estimate_is_never_certain() -> None:
    assert [percent(score) for score in (0.0001, 0.004, 0.006, 0.499, 0.9999)] == [
        "1 %", "1 %", "1 %", "50 %", "99 %",
    ]  # fmt: skip


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
    ],
)
def test_words_of_a_sentence(value: float, exact: bool, whose: str, words: str) -> None:
    assert in_sentence(CONNECT_FOUR, move(value, exact=exact), whose) == words


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
