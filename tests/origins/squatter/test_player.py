"""Our agents as players of the Squatter course, whose referee has no board."""

from __future__ import annotations

import io

import pytest
from boards import uncompiled

from plyboard.origins.squatter.player import (
    BLACK,
    DEAD,
    EMPTY,
    INVALID,
    WHITE,
    Move,
    Player,
)


def test_two_players_judge_each_other_to_the_same_end() -> None:
    players = Player("random"), Player("squatter:depth=1")
    for player, piece in zip(players, (WHITE, BLACK), strict=True):
        assert player.init(3, piece) == 0
    moves = 0
    while all(player.getWinner() == EMPTY for player in players):
        with uncompiled():
            move = players[moves % 2].makeMove()
        assert (WHITE, BLACK)[moves % 2] == move.P
        assert players[1 - moves % 2].opponentMove(move) == 0
        moves += 1
    codes = {player.getWinner() for player in players}
    for player in players:
        player.close()

    assert moves == 9
    assert len(codes) == 1
    assert codes <= {WHITE, BLACK, DEAD}


@pytest.mark.parametrize(
    "move",
    [
        Move(WHITE, 0, 0), Move(WHITE, 6, 0), Move(WHITE, 0, -1),
        Move(BLACK, 1, 1), Move(DEAD, 1, 1),
    ],
)  # fmt: skip
def test_an_illegal_move_of_the_opponent_is_rejected_and_changes_nothing(move: Move) -> None:
    player, output = Player("random"), io.StringIO()
    player.init(6, BLACK)
    assert player.opponentMove(Move(WHITE, 0, 0)) == 0
    player.makeMove()
    before = player.position

    assert player.opponentMove(move) == INVALID
    assert player.position == before
    player.printBoard(output)
    assert output.getvalue().startswith("W ")
    player.close()


def test_a_wrong_size_or_piece_is_refused() -> None:
    player = Player()

    assert (player.init(2, WHITE), player.init(6, DEAD)) == (INVALID, INVALID)
