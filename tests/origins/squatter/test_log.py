"""The output of the referee of the Squatter course."""

from __future__ import annotations

import pytest

from plyboard.errors import UsageError
from plyboard.games import Position
from plyboard.origins.squatter.log import squatter_log
from plyboard.play import Match, Referee

START = Match.of(Position("squatter:size=3"))


def played(*moves: str) -> Match:
    match = START
    for move in moves:
        match = match.play(move)
    return match


def test_each_move_is_told_with_the_board_after_it() -> None:
    first, second = START.position.legal_moves()[:2]

    assert squatter_log(played(first, second)) == (
        "Referee started !\n"
        "Placing to. 0:0 by 1\nW + +\n+ + +\n+ + +\n"
        "Placing to. 0:1 by 2\nW B +\n+ + +\n+ + +\n"
    )


def test_the_end_has_both_boards_the_winner_twice_and_the_number_of_moves() -> None:
    match = played(*START.position.legal_moves())
    board = "W B W\nB w B\nW B W\n"  # Black has captured the middle

    assert squatter_log(match).endswith(
        f"--------------------\nP2 Board is :\n{board}P1 Board is :\n{board}"
        "Player one (White) indicate winner as: 2\n"
        "Player two (Black) indicate winner as: 2\n"
        "Total Number of Moves Played in the Game: 9\n"
        "Referee Finished !\n"
    )


def test_an_illegal_move_is_rejected_by_the_other_player() -> None:
    first = START.position.legal_moves()[0]
    referee = Referee(wrong_moves=0)
    ruling = referee.hear(referee.open(played(first)), 1, first, 0.0)

    assert squatter_log(ruling.table.match).endswith(
        "Exception: Player 1 rejected the move of player 2.\n"
        "P2 Board is :\nW + +\n+ + +\n+ + +\nP1 Board is :\nW + +\n+ + +\n+ + +\n"
    )


def test_another_game_has_no_such_log() -> None:
    with pytest.raises(UsageError, match="no log: got conniption; expected squatter"):
        squatter_log(Match.of(Position("conniption")))
