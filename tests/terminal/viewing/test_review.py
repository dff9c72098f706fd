"""A review on the screen tells each move, the course of the game and the worst mistakes."""

from __future__ import annotations

import re

from plyboard.analysis.review import Review, review
from plyboard.games import Position
from plyboard.play.match import Match
from plyboard.search.common.budget import Budget
from plyboard.terminal.viewing.review import mistake_lines, move_lines, review_lines, summary


def reviewed(spec: str, *moves: str, depth: int = 4) -> Review:
    match = Match.of(Position(spec))
    for move in moves:
        match = match.play(move)
    return review(match, Budget(depth=depth))


GAME = reviewed("connect-four", *"4455667")


def test_moves_stand_in_a_table() -> None:
    heading, *rows = move_lines(GAME, 80)

    assert heading.split() == ["ply", "move", "value", "cost", "best"]
    assert re.match(r"  4  o 5[?!]+ +loss in 4 +0[.][0-9]{2}  [1-7]$", rows[3])
    assert rows[-1].split() == ["7", "x", "7", "win", "in", "1"]
    assert len(rows) == 7


def test_a_player_is_summed_up() -> None:
    assert summary(GAME, 0).startswith("x: a move costs 0.")
    assert re.fullmatch(
        r"o: a move costs 0[.][0-9]{2} of a game on average, 1 [?!]+", summary(GAME, 1)
    )
    assert summary(reviewed("connect-four", "4", depth=1), 1) == "o: no moves"
    assert "points on average" in summary(reviewed("extended", "0", depth=1), 0)
    assert "cells on average" in summary(reviewed("squatter", "c3", depth=1), 0)


def test_a_mistake_comes_with_its_reasons_and_what_was_better() -> None:
    ((ply, worst),) = GAME.worst()

    first, reason, better, *_ = mistake_lines(ply, worst)

    assert re.match(r"4[.] o 5[?!]+ \(loss in 4 plies; costs 0[.]", first)
    assert reason == "   - lets the opponent win by force in 4 plies: 5 6 7 3"
    assert better.startswith("   better: ")


def test_all_of_it_is_told_once_and_the_table_and_the_curve_fit_forty_columns() -> None:
    found = list(review_lines(GAME, 40, is_fancy=False))

    assert found[0] == "Connect Four: x against o, 1-0 (line)"
    assert max(map(len, found[1:20])) <= 40
    assert sum(line.startswith("4. o 5") for line in found) == 1


def test_a_lost_turn_is_not_in_the_table() -> None:
    match = Match.of(Position("extended")).play("0").lose_turn("late").play("2")

    rows = list(move_lines(review(match, Budget(depth=1)), 80))

    assert [row.split()[0] for row in rows] == ["ply", "1", "3"]
