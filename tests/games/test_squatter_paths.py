"""Captures found by walking are those found by flooding, and the walk can be shown."""

from __future__ import annotations

import random

import pytest
from oracles.compare import STEERED
from oracles.squatter import Squatter as Oracle

from plyboard.games import Position
from plyboard.games.picture import Cell
from plyboard.games.squatter import Squatter
from plyboard.games.squatter_paths import (
    Capture,
    capture,
    cell_score,
    draw_capture,
    draw_walk,
    loop_around,
    starts,
    walk,
)

SCORES_6 = """
4 4 4 4 4 4
4 3 2 2 3 4
4 2 1 1 2 4
4 2 1 1 2 4
4 3 2 2 3 4
4 4 4 4 4 4"""
SCORES_7 = """
5 5 5 5 5 5 5
5 4 3 2 3 4 5
5 3 2 1 2 3 5
5 2 1 0 1 2 5
5 3 2 1 2 3 5
5 4 3 2 3 4 5
5 5 5 5 5 5 5"""


def cells(rows: str, symbol: str) -> frozenset[Cell]:
    return frozenset(
        Cell(row, column)
        for row, line in enumerate(rows.split())
        for column, found in enumerate(line)
        if found == symbol
    )


@pytest.mark.parametrize(("size", "table"), [(6, SCORES_6), (7, SCORES_7)])
def test_cells_are_scored_by_their_distance_from_the_centre(size: int, table: str) -> None:
    rows = [
        " ".join(str(int(cell_score(size, Cell(row, column)))) for column in range(size))
        for row in range(size)
    ]

    assert rows == table.strip().splitlines()


@pytest.mark.parametrize("size", [3, 4, 5, 6, 7, 8])
def test_walking_captures_what_flooding_captures(size: int) -> None:
    game, oracle = Squatter(size), Oracle(size=size)
    captures = loops = 0
    for seed in range(40 if size > 4 else 400):
        chance = random.Random(seed)
        position, naive = Position(game), oracle.start()
        while position.legal_moves():
            move = STEERED["squatter"](oracle, naive, list(position.legal_moves()), chance)
            found = capture(game, position.state, position.parse_move(move))
            mover, position = position.mover, position.play(move)
            naive = oracle.play(naive, move)
            owned = {
                Cell(*divmod(cell, size))
                for cell in range(size * size)
                if position.state[2 + mover] >> cell & 1
            }
            assert found.owned == owned, position.board()
            captures += any(not each.escaped for each in found.walks)
            loops += check_loops(found, oracle, position.board())

    assert captures >= 5
    assert loops >= 5


def check_loops(found: Capture, oracle: Oracle, board: str) -> int:
    """Check that each loop is a closed chain that captures its inside, and needs every piece."""
    gained = set[Cell]().union(*(loop.inside for loop in found.loops))
    assert found.cells <= gained <= found.owned, board
    for loop in found.loops:
        pieces = set(loop.pieces)
        assert found.piece in pieces <= found.walls, board
        assert len(pieces) == len(loop.pieces)
        for one, other in zip(loop.pieces, loop.pieces[1:] + loop.pieces[:1], strict=True):
            assert max(abs(one.row - other.row), abs(one.column - other.column)) == 1, board
        assert oracle.enclosed(frozenset(pieces)) == loop.inside, board
        for piece in pieces:
            assert not oracle.enclosed(frozenset(pieces - {piece})) >= loop.inside, board
    return len(found.loops)


def test_a_walker_stops_at_the_edge_and_shows_its_way() -> None:
    walls = cells("...... .##... .#.#.. .#.... ..##.. ......", "#")
    found = walk(6, walls, Cell(2, 2))

    assert found.escaped
    assert draw_walk(6, walls, found) == "\n".join(
        (
            " .  .  .  .  .  .",
            " .  #  #  .  .  .",
            " .  #  1  #  .  .",
            " .  #  2  3  .  5",
            " .  .  #  #  4  .",
            " .  .  .  .  .  .",
        )
    )


def test_a_walker_shut_in_has_seen_all_that_is_captured() -> None:
    walls = cells("...... ..##.. .#..#. ..##.. ...... ......", "#")
    found = walk(6, walls, Cell(2, 2))

    assert not found.escaped
    assert set(found.cells) == {Cell(2, 2), Cell(2, 3)}


@pytest.mark.parametrize(
    ("ring", "walks"),
    [("#.. .#. ..#", 2), ("#.# .#. #.#", 4), ("... .#. ...", 1), ("### ### ###", 0)],
)
def test_one_walk_for_each_section_around_the_new_piece(ring: str, walks: int) -> None:
    rows = " ".join(["....."] + [f".{row}." for row in ring.split()] + ["....."])

    assert len(list(starts(5, cells(rows, "#"), Cell(2, 2)))) == walks


def test_a_loop_is_told_clockwise_from_above_its_first_cell() -> None:
    inside = cells("...... ..##.. .###.. ..#... ...... ......", "#")

    assert loop_around(inside) == tuple(
        Cell(*place)
        for place in ((0, 2), (0, 3), (1, 4), (2, 4), (3, 3), (4, 2), (3, 1), (2, 0), (1, 1))
    )


def test_what_was_captured_is_drawn_with_its_loop() -> None:
    position = Position.read("squatter:size=5 c2 a1 b3 a2 d3 a3")
    game = position.game
    assert isinstance(game, Squatter)

    assert draw_capture(5, capture(game, position.state, position.parse_move("c4"))) == "\n".join(
        (
            " .  .  .  .  .",
            " .  .  #  .  .",
            " .  #  *  #  .",
            " .  .  #  .  .",
            " .  .  .  .  .",
        )
    )
