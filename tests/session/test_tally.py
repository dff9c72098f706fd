"""The results of several games, as one of the players sees them."""

from __future__ import annotations

import pytest

from plyboard.games import Position
from plyboard.play import Match, Result
from plyboard.session.tally import Tally

START = Match.of(Position("connect-four"))
WON = Match.leading_to(Position("connect-four").play("1212121"))


@pytest.mark.parametrize(("side", "wins", "losses"), [(0, 1, 0), (1, 0, 1)])
def test_a_win_is_the_players_whatever_the_side(side: int, wins: int, losses: int) -> None:
    tally = Tally().plus(WON, side)

    assert (tally.wins, tally.losses, tally.games) == (wins, losses, 1)


def test_draws_and_games_without_a_result_are_counted_apart() -> None:
    drawn, left = START.ended(Result.DRAW, "agreed"), START.ended(Result.OPEN, "abandoned")
    tally = Tally().plus(drawn).plus(left).plus(left)

    assert (tally.wins, tally.draws, tally.losses, tally.unfinished) == (0, 1, 0, 2)
    assert tally.games == 3


@pytest.mark.parametrize("reason", ["fault", "illegal move"])
def test_faults_are_counted_for_whoever_made_them(reason: str) -> None:
    lost = START.lost(0, reason)

    assert Tally().plus(lost, 0).faults == (1, 0)
    assert Tally().plus(lost, 1).faults == (0, 1)
    assert Tally().plus(START.lost(0, "resignation")).faults == (0, 0)


def test_points_are_added_up_as_leads_of_the_player() -> None:
    match = Match.leading_to(
        Position("squatter:size=3").play("a2", "a1", "b1", "c3", "b3", "c1", "c2")
    )
    scores = match.position.scores()
    assert scores is not None
    assert scores[0] != scores[1]

    assert Tally().plus(match, 0).points == scores[0] - scores[1]
    assert Tally().plus(match, 0).plus(match, 1).points == 0
