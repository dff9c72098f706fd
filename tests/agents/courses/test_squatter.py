"""Our agents as players of the Squatter course, whose referee has no board."""

from __future__ import annotations

import io

import pytest
from boards import uncompiled

from plyboard.agents.courses.squatter import (
    BLACK,
    DEAD,
    EMPTY,
    INVALID,
    WHITE,
    CourseMove,
    CoursePlayer,
)


def test_two_players_judge_each_other_to_the_same_end() -> None:
    players = CoursePlayer("random"), CoursePlayer("squatter:depth=1")
    for player, piece in zip(players, (WHITE, BLACK), strict=True):
        assert player.init(3, piece) == 0
    moves = 0
    while all(player.get_winner() == EMPTY for player in players):
        with uncompiled():
            move = players[moves % 2].make_move()
        assert move.piece == (WHITE, BLACK)[moves % 2]
        assert players[1 - moves % 2].opponent_move(move) == 0
        moves += 1
    codes = {player.get_winner() for player in players}
    for player in players:
        player.close()

    assert moves == 9
    assert len(codes) == 1
    assert codes <= {WHITE, BLACK, DEAD}


@pytest.mark.parametrize(
    "move",
    [
        CourseMove(WHITE, 0, 0), CourseMove(WHITE, 6, 0), CourseMove(WHITE, 0, -1),
        CourseMove(BLACK, 1, 1), CourseMove(DEAD, 1, 1),
    ],
)  # fmt: skip
def test_an_illegal_move_of_the_opponent_is_rejected_and_changes_nothing(move: CourseMove) -> None:
    player, output = CoursePlayer("random"), io.StringIO()
    player.init(6, BLACK)
    assert player.opponent_move(CourseMove(WHITE, 0, 0)) == 0
    player.make_move()
    before = player.position

    assert player.opponent_move(move) == INVALID
    assert player.position == before
    player.print_board(output)
    assert output.getvalue().startswith("W ")
    player.close()


def test_a_wrong_size_or_piece_is_refused() -> None:
    player = CoursePlayer()

    assert (player.init(2, WHITE), player.init(6, DEAD)) == (INVALID, INVALID)
