"""A slow solver to check the fast one with: all moves of all positions, and nothing else.

It shares nothing with the solver. Cells are numbered column by column without a gap, a line is a
mask that somebody wrote down, and there is no pruning; only what was solved is remembered.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.kernel import Word

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # (columns to the right, rows up)
Discs = tuple[int, int]  # of the player to move, of the other


def lines(columns: int, rows: int) -> list[int]:
    """Return each line of four as a mask of cells; a cell is bit column * rows + row."""
    found = []
    for column in range(columns):
        for row in range(rows):
            for right, up in DIRECTIONS:
                cells = [(column + right * index, row + up * index) for index in range(4)]
                if all(0 <= at < columns and 0 <= height < rows for at, height in cells):
                    found.append(sum(1 << at * rows + height for at, height in cells))
    return found


class SlowSolver:
    """Scores as the player to move sees them, by trying everything."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self.cells = columns * rows
        masks = lines(columns, rows)
        self.lines = [[mask for mask in masks if mask >> cell & 1] for cell in range(self.cells)]
        self.scores: dict[Discs, int] = {}  # of positions that go on
        self.finished: set[Discs] = set()

    def score(self, discs: Discs) -> int:
        """Return the score of a position that goes on."""
        if discs not in self.scores:
            self.scores[discs] = max(self.worth(discs, cell) for cell in self.moves(discs))
        return self.scores[discs]

    def worth(self, discs: Discs, cell: int) -> int:
        """Return the score of one move."""
        played = (discs[0] | discs[1]).bit_count()
        after = discs[1], discs[0] | 1 << cell
        if self.wins(discs, cell):
            self.finished.add(after)
            return (self.cells + 1 - played) // 2
        if played + 1 == self.cells:
            self.finished.add(after)
            return 0
        return -self.score(after)

    def wins(self, discs: Discs, cell: int) -> bool:
        """Tell whether a move completes a line."""
        mine = discs[0] | 1 << cell
        return any(mine & line == line for line in self.lines[cell])

    def moves(self, discs: Discs) -> list[int]:
        """Return the cells that can be played in."""
        taken, found = discs[0] | discs[1], []
        for column in range(self.columns):
            for cell in range(column * self.rows, (column + 1) * self.rows):
                if not taken >> cell & 1:
                    found.append(cell)
                    break
        return found

    def wins_within(self, discs: Discs, plies: int) -> bool:
        """Tell whether the player to move has a line after so many plies, whatever the other does.

        Not remembered: each defence is tried.
        """
        for cell in self.moves(discs):
            if self.wins(discs, cell):
                return True
            after = discs[1], discs[0] | 1 << cell
            if plies >= 3 and self.loses_within(after, plies - 1):
                return True
        return False

    def loses_within(self, discs: Discs, plies: int) -> bool:
        """Tell whether each move of the player to move lets the other win in time."""
        for cell in self.moves(discs):
            after = discs[1], discs[0] | 1 << cell
            full = (after[0] | after[1]).bit_count() == self.cells
            if self.wins(discs, cell) or full or not self.wins_within(after, plies - 1):
                return False
        return True

    def position(self, discs: Discs) -> Position:
        """Return the same as the rules see it: columns have a bit to spare on top."""
        mine, taken = self._spread(discs[0]), self._spread(discs[0] | discs[1])
        return Position.of(ConnectFour(self.columns, self.rows), (Word(mine), Word(taken)))

    def _spread(self, mask: int) -> int:
        column = (1 << self.rows) - 1
        parts = (mask >> at * self.rows & column for at in range(self.columns))
        return sum(part << at * (self.rows + 1) for at, part in enumerate(parts))


def discs_of(position: Position) -> Discs:
    """Return a position as the slow solver takes it, read from its text."""
    board, mover = position.text().split(" ")
    rows = board.split("/")[::-1]
    mine = theirs = 0
    for row, discs in enumerate(rows):
        for column, disc in enumerate(discs):
            cell = 1 << column * len(rows) + row
            mine |= cell if disc == mover else 0
            theirs |= cell if disc not in (mover, ".") else 0
    return mine, theirs


def some_positions(game: ConnectFour, plies: range, seed: int) -> Iterator[Position]:
    """Yield random positions that go on, after as many plies as the range gives in turn."""
    chance = random.Random(seed)
    while True:
        for ply in plies:
            position = Position(game)
            while len(position.moves) < ply:
                actions = position.legal_actions()
                quiet = [
                    each
                    for each in actions
                    if not game.rules.over(position.apply_action(each).state)
                ]
                if not quiet:
                    break
                position = position.apply_action(chance.choice(quiet))
            else:
                if position.outcome() is None:
                    yield position


def mirrored(position: Position) -> Position:
    """Return the position with left and right exchanged."""
    board, mover = position.text().split(" ")
    turned = "/".join(row[::-1] for row in board.split("/"))
    return Position(position.game, f"{turned} {mover}")


# Legal positions by (columns, rows), ends included: J. Tromp's table.
@pytest.mark.parametrize(
    ("size", "count"), [((4, 3), 12_031), ((3, 5), 38_310), ((2, 6), 1_571), ((4, 4), 161_029)]
)
def test_the_slow_solver_sees_every_position(size: tuple[int, int], count: int) -> None:
    slow = SlowSolver(*size)

    assert slow.score((0, 0)) == 0
    assert len(slow.scores) + len(slow.finished) == count


def test_lines_are_as_many_as_the_formula_says() -> None:
    for columns in range(4, 9):
        for rows in range(4, 9):  # OEIS A364823
            count = 4 * columns * rows - 9 * columns - 9 * rows + 18
            assert len(lines(columns, rows)) == count


def test_a_position_survives_the_way_to_the_slow_solver_and_back() -> None:
    slow, positions = SlowSolver(7, 6), some_positions(ConnectFour(), range(0, 40, 3), seed=1)

    for _, position in zip(range(100), positions, strict=False):
        assert slow.position(discs_of(position)) == position
