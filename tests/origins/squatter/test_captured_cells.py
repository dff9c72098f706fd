"""Squatter's evaluation: the lead in captured cells, and the table of cell values."""

from __future__ import annotations

import random

import pytest
from oracles.squatter import Squatter as SlowSquatter
from oracles.squatter import name

from plyboard.games import Position
from plyboard.games.squatter import Squatter
from plyboard.origins.squatter.captured_cells import best_cells_first, captured_cells, cell_values

pytestmark = pytest.mark.kernels

GAMES = 60
NEAR = [(row, column) for row in (-1, 0, 1) for column in (-1, 0, 1) if (row, column) != (0, 0)]


def slow_values(size: int, text: str) -> dict[str, int]:
    """Return the value of each free cell, piece by piece."""
    game = SlowSquatter(size=size)
    state = game.read(text)
    dead = state.land[0] | state.land[1]
    values = {}
    for cell in game.cells:
        if name(cell) not in game.moves(state):
            continue
        values[name(cell)] = 0 if cell in game.rim else 8
        for down, across in NEAR:
            beside = (cell[0] + down, cell[1] + across)
            worth = 6 if down and across else 1
            if beside in state.pieces[state.mover] - dead:
                values[name(cell)] += 3 * worth
            if beside in state.pieces[1 - state.mover] - dead:
                values[name(cell)] += 2 * worth
    return values


def some_positions(size: int, seed: int = 0) -> list[Position]:
    chance, found = random.Random(seed), []
    for _ in range(GAMES):
        position = Position(Squatter(size))
        for _ in range(chance.randrange(size * size)):
            if position.outcome() is None:
                position = position.apply_action(chance.choice(position.legal_actions()))
        found.append(position)
    return found


@pytest.mark.parametrize("size", [3, 4, 6, 8])
def test_cell_values_equal_those_of_a_slow_count(size: int) -> None:
    for position in some_positions(size):
        values, expected = cell_values(size, position.state), slow_values(size, position.text())

        assert {move: values[position.parse_move(move)] for move in expected} == expected
        assert sum(values) == sum(expected.values())


@pytest.mark.parametrize("size", [6, 8])
def test_the_guess_is_the_lead_of_the_player_to_move_in_captured_cells(size: int) -> None:
    value, leads = captured_cells(size).value, set[int]()
    for position in some_positions(size):
        slow = SlowSquatter(size=size)
        state = slow.read(position.text())
        scores = slow.scores(state)
        lead = scores[state.mover] - scores[1 - state.mover]

        assert value(position.state) == lead
        leads.add((lead > 0) - (lead < 0))

    assert leads == {-1, 0, 1}


def test_of_cells_alike_the_one_nearest_to_the_centre_comes_first() -> None:
    empty = Position("squatter")

    order = [empty.move_text(cell) for cell in best_cells_first(6, empty.state)]

    assert order[:4] == ["c3", "d3", "c4", "d4"]
    assert sorted(order) == sorted(empty.legal_moves())


def test_a_corner_of_an_own_piece_comes_before_one_of_the_other() -> None:
    position = Position("squatter", "++++++/+W++++/++++++/++++++/++++B+/++++++ W")

    first = best_cells_first(6, position.state)[:2]

    assert [position.move_text(cell) for cell in first] == ["c3", "d4"]
