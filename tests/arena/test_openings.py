from __future__ import annotations

from itertools import islice

import pytest

from plyboard.arena.openings import (
    OpeningRule,
    canonical,
    count_openings,
    draw_openings,
    has_winner,
    positions_after,
)
from plyboard.errors import UsageError
from plyboard.games import Position
from plyboard.games import game as find_game
from plyboard.search.book.solver_for import solver_for

SMALL = "connect-four:columns=4,rows=4"


def first(count: int, rule: OpeningRule) -> list[tuple[str, ...]]:
    return [each.moves for each in islice(draw_openings(rule), count)]


@pytest.mark.parametrize("game", ["connect-four", "conniption", "extended", "squatter:size=5"])
def test_no_opening_is_drawn_twice_not_even_as_a_mirror_image(game: str) -> None:
    board = find_game(game)
    drawn = first(60, OpeningRule(game, balanced=False))

    states = {canonical(board, Position(board).play(*moves).state) for moves in drawn}
    assert len(states) == 60


def test_the_seed_decides_the_openings() -> None:
    once, again, other = (
        first(10, OpeningRule("connect-four", seed, balanced=False)) for seed in (1, 1, 2)
    )

    assert once == again
    assert once != other


def test_the_draw_goes_on_where_it_was_left() -> None:
    rule = OpeningRule("squatter:size=5", 3, balanced=False)

    assert [each.moves for each in islice(draw_openings(rule, 4), 3)] == first(7, rule)[4:]


def test_openings_get_longer_when_the_short_ones_run_out() -> None:
    lengths = [len(moves) for moves in first(100, OpeningRule(SMALL, balanced=False))]

    assert lengths == sorted(lengths)
    assert set(lengths) == {4, 5}
    assert lengths.count(4) == len(list(positions_after(find_game(SMALL), 4, 0)))


def test_openings_of_a_given_length_end_when_all_are_drawn() -> None:
    drawn = sorted(moves for moves in first(9, OpeningRule(SMALL, plies=1, balanced=False)))

    assert drawn == [("1",), ("2",)]  # columns 3 and 4 are their mirror images


def test_in_connect_four_just_the_openings_are_dropped_that_the_solver_proves_won() -> None:
    game = "connect-four:columns=5,rows=4"
    solver = solver_for(find_game(game), 4, 1)
    assert solver is not None
    for opening in draw_openings(OpeningRule(game, plies=3)):
        score = solver.solve(Position(game).play(*opening.moves)).score

        assert has_winner(opening) == (score != 0)


def test_in_other_games_openings_are_dropped_that_the_engine_proves_won() -> None:
    drawn = list(islice(draw_openings(OpeningRule("conniption", plies=4)), 12))

    assert {has_winner(each) for each in drawn} == {True, False}


@pytest.mark.parametrize(
    ("rule", "enough", "expected"),
    [
        (OpeningRule(SMALL, plies=0), 100, 1),
        (OpeningRule(SMALL, plies=1), 100, 2),
        (OpeningRule(SMALL, plies=2), 100, 8),
        (OpeningRule(SMALL, plies=2), 5, 5),
        (OpeningRule("connect-four:columns=1,rows=4"), 100, 0),
        (OpeningRule("connect-four"), 1_000, 1_000),
    ],
)
def test_the_number_of_openings_is_known_where_there_are_few(
    rule: OpeningRule, enough: int, expected: int
) -> None:
    assert count_openings(rule, enough) == expected


def test_openings_have_a_longest_length() -> None:
    with pytest.raises(UsageError, match="wrong plies: got '31'; expected a whole number from 0"):
        OpeningRule("connect-four", plies=31)
