"""Our own evaluations: each equals a slow twin, and is fair to both players and both sides."""

from __future__ import annotations

import itertools
import random

import pytest

from plyboard.evaluate import best_evaluation
from plyboard.evaluate.line_features import line_features
from plyboard.evaluate.patterns import learned_weights
from plyboard.games import Position
from plyboard.games.gravity import gravity

pytestmark = pytest.mark.kernels

SPECS = [
    "connect-four", "connect-four:columns=9,rows=9,line=5", "connect-four:columns=4,rows=5",
    "conniption", "conniption:columns=10,rows=8", "extended", "extended:rows=12,columns=12",
    "squatter", "squatter:size=8", "squatter:size=3",
]  # fmt: skip


def middle(spec: str, seed: int) -> Position:
    chance = random.Random(seed)
    position = Position(spec)
    for _ in range(chance.randrange(40)):
        after = position.apply_action(chance.choice(position.legal_actions()))
        if after.outcome() is None:
            position = after
    return position


Grid = dict[tuple[int, int], str]


def grid_of(position: Position) -> Grid:
    rows = position.picture().rows
    return {
        (len(rows) - 1 - row, column): symbol
        for row, line in enumerate(rows)
        for column, symbol in enumerate(line)
    }


def windows(grid: Grid, length: int) -> list[list[tuple[int, int]]]:
    ways = ((0, 1), (1, 0), (1, 1), (1, -1))
    found = [
        [(row + step * up, column + step * across) for step in range(length)]
        for (row, column), (up, across) in itertools.product(grid, ways)
    ]
    return [window for window in found if all(cell in grid for cell in window)]


def promise(grid: Grid, own: str, length: int) -> int:
    return sum(
        sum(grid[cell] == own for cell in window)
        for window in windows(grid, length)
        if all(grid[cell] in (own, ".") for cell in window)
    )


def threats(grid: Grid, own: str, length: int) -> set[tuple[int, int]]:
    return {
        cell
        for window in windows(grid, length)
        for cell in window
        if grid[cell] == "." and all(grid[other] == own for other in window if other != cell)
    }


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("spec", SPECS[:3])
def test_threats_of_connect_four_equal_a_slow_twin(spec: str, seed: int) -> None:
    position = middle(spec, seed)
    game, grid = position.game, grid_of(position)
    line = 5 if "line=5" in spec else 4

    def worth(player: int) -> int:
        cells = threats(grid, game.players[player], line)
        mine = [cell for cell in cells if cell[0] % 2 == player]
        stacked = [cell for cell in cells if (cell[0] - 1, cell[1]) in cells]
        own = promise(grid, game.players[player], line)
        return own + 10 * len(cells) + 14 * len(mine) + 60 * len(stacked)

    lead = worth(position.mover) - worth(1 - position.mover)
    assert best_evaluation(game).value(position.state) == lead


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("spec", SPECS[3:5])
def test_both_ways_of_conniption_equal_a_slow_twin(spec: str, seed: int) -> None:
    position = middle(spec, seed)
    white, black = position.game.players
    notes = position.text().split(" ")[2]
    flips = [int(each) for each in notes.split(",")]
    grid = grid_of(position)

    def flipped() -> Grid:
        rows = max(row for row, _ in grid) + 1
        turned = dict.fromkeys(grid, ".")
        for column in {column for _, column in grid}:
            discs = [grid[row, column] for row in range(rows) if grid[row, column] != "."]
            for row, disc in enumerate(reversed(discs)):
                turned[row, column] = disc
        return turned

    def lead(board: Grid) -> int:
        sharp = len(threats(board, white, 4)) - len(threats(board, black, 4))
        return promise(board, white, 4) - promise(board, black, 4) + 6 * sharp

    total = 2 * lead(grid) + lead(flipped()) + 16 * (flips[0] - flips[1])
    sign = 1 if position.mover == 0 else -1
    assert best_evaluation(position.game).value(position.state) == sign * total


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("spec", SPECS[5:7])
def test_patterns_of_the_extended_game_equal_a_slow_twin(spec: str, seed: int) -> None:
    position = middle(spec, seed)
    grid, scores, mover = grid_of(position), position.scores(), position.mover
    assert scores is not None
    left = sum(symbol == "." for symbol in grid.values())
    rows_of_first = 0 if left % 2 == mover else 1
    weights = learned_weights()

    def bits(cell: tuple[int, int], own: str) -> int:
        if grid[cell] == "." and grid.get((cell[0] - 1, cell[1]), "floor") == ".":
            return 0
        return 17 if grid[cell] == "." else 1 if grid[cell] == own else 16

    def weight(window: list[tuple[int, int]], player: int) -> int:
        cells = sorted(window, key=lambda cell: (cell[1], cell[0]))  # from the left, or from below
        (row, column), (next_row, next_column) = cells[:2]
        way = 0 if row == next_row else 1 if column == next_column else 2
        columns = (column + player) % 2
        if row > next_row or (way == 0 and columns == 1):
            cells, columns = cells[::-1], 1 - columns
        pattern = sum(bits(cell, "12"[player]) << place for place, cell in enumerate(cells))
        rows, turn = (min(cells)[0] + rows_of_first + player) % 2, (mover + player) % 2
        phase = left * 6 // (len(grid) + 1)
        return int(weights.patterns[phase, way, rows, turn, columns, pattern])

    lead = 100 * (scores[0] - scores[1]) + sum(
        weight(window, 0) - weight(window, 1)
        for window in windows(grid, 4)
        if any(grid[cell] != "." for cell in window)
    )
    pops = [min(int(each), 6) for each in position.text().split(" ")[2].split(",")]
    ending = weights.endings[min(left, 12), pops[mover], pops[1 - mover], left % 2]

    assert best_evaluation(position.game).value(position.state) == int(ending) + (
        -lead if mover else lead
    )


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("spec", SPECS[7:])
def test_rings_of_squatter_equal_a_slow_twin(spec: str, seed: int) -> None:
    position = middle(spec, seed)
    grid, scores = grid_of(position), position.scores()
    assert scores is not None

    def hope(own: str, other: str) -> int:
        total = 0
        for (row, column), symbol in grid.items():
            ring = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
            if symbol not in ("+", other) or not all(cell in grid for cell in ring):
                continue
            around = [grid[cell] for cell in ring]
            if all(each in (own, "+") for each in around):
                total += (0, 3, 14, 45, 0)[around.count(own)]
        return total

    total = 100 * (scores[0] - scores[1]) + hope("W", "B") - hope("B", "W")
    sign = 1 if position.mover == 0 else -1
    assert best_evaluation(position.game).value(position.state) == sign * total


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("spec", [*SPECS, "extended:pops=0"])
def test_turned_boards_are_worth_the_same(spec: str, seed: int) -> None:
    position = middle(spec, seed)
    value = best_evaluation(position.game).value

    for symmetry in position.game.rules.symmetries:
        assert value(symmetry.state(position.state)) == value(position.state)


def test_the_odd_rows_are_the_lowest_and_every_second_above() -> None:
    board = gravity(3, 4)

    assert line_features(3, 4).odd_rows == board.board(
        (row, col) for row in (0, 2) for col in range(3)
    )
