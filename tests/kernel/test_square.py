"""Square boards: walking, turning and mirroring, against coordinates."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis.strategies import data, integers, sampled_from
from oracles.squatter import Squatter as Oracle

from plyboard.games import game
from plyboard.kernel import Word, compiled, kernel
from plyboard.kernel.square import square

pytestmark = pytest.mark.kernels

SIZES = (3, 4, 5, 6, 7, 8)
DRAW = data()
TURNS: dict[str, Callable[[int, int, int], tuple[int, int]]] = {
    "flip": lambda last, row, column: (last - row, column),
    "mirror": lambda last, row, column: (row, last - column),
    "transpose": lambda last, row, column: (column, row),
}


def fast(function: Callable[[int], int]) -> Callable[[int], int]:
    @kernel
    def call(words: Any) -> int:
        return function(Word(words[0]))

    loop = compiled(call)
    return lambda word: int(loop(np.array([word], dtype=np.uint64)))


COMPILED = {
    (size, name): fast(getattr(square(size), name)) for size in (3, 8) for name in (*TURNS, "near")
}


@pytest.mark.parametrize("name", TURNS)
@given(size=sampled_from(SIZES), draw=DRAW)
def test_turning_moves_each_cell_to_its_place(name: str, size: int, draw: Any) -> None:
    cells = draw.draw(integers(0, (1 << size * size) - 1))
    expected = 0
    for cell in range(size * size):
        row, column = TURNS[name](size - 1, *divmod(cell, size))
        expected |= (cells >> cell & 1) << row * size + column

    assert getattr(square(size), name)(cells) == expected
    if (size, name) in COMPILED:
        assert COMPILED[size, name](cells) == expected


@given(size=sampled_from((3, 8)), draw=DRAW)
def test_near_cells_share_a_side(size: int, draw: Any) -> None:
    cells = draw.draw(integers(0, (1 << size * size) - 1))
    expected = cells
    for cell in range(size * size):
        row, column = divmod(cell, size)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            if 0 <= r < size and 0 <= c < size and cells >> r * size + c & 1:
                expected |= 1 << cell

    assert square(size).near(cells) == COMPILED[size, "near"](cells) == expected


@given(size=sampled_from(SIZES), draw=DRAW)
def test_enclosed_cells_are_those_that_cannot_walk_to_the_rim(size: int, draw: Any) -> None:
    walls = draw.draw(integers(0, (1 << size * size) - 1))
    kit = square(size)
    ours = kit.full & ~walls & ~kit.flood(kit.rim, kit.full & ~walls)
    named = frozenset(divmod(cell, size) for cell in range(size * size) if walls >> cell & 1)
    inside = {cell for cell in Oracle(size=size).enclosed(named) if cell not in named}

    assert {divmod(cell, size) for cell in range(size * size) if ours >> cell & 1} == inside


@pytest.mark.parametrize("size", SIZES)
def test_the_eight_symmetries_are_all_different(size: int) -> None:
    corner_and_side = (Word(1 | 2),) + (Word(0),) * 4
    turned = {way.state(corner_and_side) for way in game(f"squatter:size={size}").rules.symmetries}

    assert len(turned | {corner_and_side}) == 8
