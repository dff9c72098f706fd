"""The log of the Extended Connect Four course."""

from __future__ import annotations

import pytest

from plyboard.errors import UsageError
from plyboard.games import Position
from plyboard.origins.extended.log import extended_log
from plyboard.play import Heading, Match, Referee, TimeControl

START = "extended:rows=2,columns=4,pops=1"


def test_a_log_has_the_start_a_line_per_turn_and_the_scores() -> None:
    match = Match.of(Position(START, "..../.12. 1 1,1"))
    for move in ("1", "1p", "0", "3", "3", "0", "2"):
        match = match.play(move)

    assert extended_log(match) == (
        "2 4\n0 0 0 0 \n0 1 2 0 \n1\n"
        '{"player": 1, "move": 1, "is_pop": false}\n'
        '{"player": 2, "move": 1, "is_pop": true}\n'
        '{"player": 1, "move": 0, "is_pop": false}\n'
        '{"player": 2, "move": 3, "is_pop": false}\n'
        '{"player": 1, "move": 3, "is_pop": false}\n'
        '{"player": 2, "move": 0, "is_pop": false}\n'
        '{"player": 1, "move": 2, "is_pop": false}\n'
    )


def test_the_scores_follow_the_end() -> None:
    match = Match.of(Position("extended:rows=1,columns=2,pops=0")).play("0").play("1")

    assert extended_log(match).splitlines()[-3:] == [
        "Game Over", "Player 1 Score: 0", "Player 2 Score: 0"
    ]  # fmt: skip


def test_late_and_invalid_moves_are_logged_as_such() -> None:
    referee = Referee(lost_turn=True)
    heading = Heading(control=TimeControl(5, per_move=True))
    table = referee.start(referee.open(Match.of(Position(START), heading)), 0.0)
    table = referee.look(table, 6.0)
    table = referee.hear(table, 1, "0p", 7.0).table

    assert [turn.comment for turn in table.match.turns] == [
        "turn lost (TLE): too late",
        "turn lost (invalid): illegal move 0p: player 2 pops only odd columns",
    ]
    assert extended_log(table.match).splitlines()[4:] == [
        '{"player": 1, "move": "TLE", "is_pop": "TLE"}',
        '{"player": 2, "move": "invalid", "is_pop": "invalid"}',
    ]


def test_other_games_have_no_such_log() -> None:
    with pytest.raises(UsageError, match="no log: got squatter; expected extended"):
        extended_log(Match.of(Position("squatter")))
