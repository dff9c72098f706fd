"""Breakthrough: be the first to reach the far row; pieces step forward and capture diagonally.

Try: plyboard check-game examples/games/breakthrough.py:Breakthrough
And: plyboard window examples/games/breakthrough.py:Breakthrough
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar

import numpy as np

from plyboard.evaluate.evaluation import Evaluation, Weights
from plyboard.games import GridBoard, GridGame, Parameter, Picture, Rules, State
from plyboard.games.reading import unreadable
from plyboard.games.usual_kernels import hash_of, mover_has_lost, no_points, player_at
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import count

SPAN = 64  # actions of one direction


@cache
def kernels(rows: int, columns: int) -> tuple[Rules, Evaluation]:
    """Return the rules and an evaluation.

    A state is the white pieces, the black ones and the player to move. The action
    64 * direction + cell moves the piece on that cell: to the left (0), ahead (1), or right (2).

         0  1  2  3  4  5  6  7    The bits of the cells on 8x8. White moves up, by >> 7, 8 or 9
         8  9 10 11 12 13 14 15    bits to the right, left and ahead; Black moves down, by << 7,
        ...                        8 or 9.
        56 57 58 59 60 61 62 63
    """
    cells, zero, one = rows * columns, Word(0), Word(1)
    line, full = (1 << columns) - 1, (1 << cells) - 1
    first_column = sum(1 << columns * row for row in range(rows))
    not_left, not_right = Word(full & ~first_column), Word(full & ~(first_column << columns - 1))
    top, bottom = Word(line), Word(line << cells - columns)
    two = line | line << columns

    @kernel
    def legal(state: State) -> tuple[int, ...]:
        white, black, player = state
        if player:
            left = black & not_left & ~(black >> (columns - 1))
            right = black & not_right & ~(black >> (columns + 1))
            return (left, black & ~((white | black) >> columns), right)
        left = white & not_left & ~(white << (columns + 1))
        right = white & not_right & ~(white << (columns - 1))
        return (left, white & ~((white | black) << columns), right)

    @kernel
    def play(state: State, action: int) -> State:
        white, black, player = state
        piece, direction = one << (action & 63), action >> 6
        if player:
            target = piece << (columns - 1 + direction)
            return (white & ~target, (black ^ piece) | target, zero)
        target = piece >> (columns + 1 - direction)
        return ((white ^ piece) | target, black & ~target, one)

    @kernel
    def over(state: State) -> bool:
        return (state[0] & top) | (state[1] & bottom) != zero or not state[0] or not state[1]

    @kernel
    def evaluate(state: State, weights: Weights) -> int:
        lead = 0
        for row in range(rows):  # the nearer to its goal, the more a piece is worth
            cells = top << (columns * row)
            lead += weights[rows - 1 - row] * count(state[0] & cells)
            lead -= weights[row] * count(state[1] & cells)
        return -lead if state[2] else lead

    made = Rules(
        start=(Word(two << cells - 2 * columns), Word(two), zero), actions=3 * SPAN, legal=legal,
        play=play, over=over, value=mover_has_lost, mover=player_at(2), scores=no_points,
        key=hash_of(3), order=tuple(range(3 * SPAN)), alternates=True,
    )  # fmt: skip
    weights = [10 + row * row for row in range(rows)]
    return made, Evaluation("progress", evaluate, 10, weights=np.array(weights, np.int16))


@dataclass(frozen=True)
class Breakthrough(GridGame):
    """Breakthrough: White begins and moves up; who captures all pieces wins, too."""

    rows: int = 8
    columns: int = 8

    name: ClassVar[str] = "breakthrough"
    title: ClassVar[str] = "Breakthrough"
    players: ClassVar[tuple[str, str]] = ("w", "b")
    reason: ClassVar[str] = "the far row is reached, or all pieces are captured"
    parameters: ClassVar[tuple[Parameter, ...]] = (
        Parameter("rows", 8, 4, 8), Parameter("columns", 8, 2, 8),
    )  # fmt: skip
    notation: ClassVar[str] = "the cell of a piece and the cell it goes to, such as a2-b3"

    @cached_property
    def rules(self) -> Rules:
        """The kernels of the game."""
        return kernels(self.rows, self.columns)[0]

    @cached_property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """The evaluation by pieces and how far they are."""
        return (kernels(self.rows, self.columns)[1],)

    @cached_property
    def board(self) -> GridBoard:
        """The names of the cells and the symbols on them."""
        return GridBoard(self.rows, self.columns, "wb", upwards=True)

    def parse_move(self, state: State, text: str) -> int:
        """Return the action of a text such as `a2-b3`."""
        piece, _, target = text.partition("-")
        cells = self.board.parse_cell(piece), self.board.parse_cell(target)
        (row, column), (to_row, to_column) = map(self.board.cell, cells)
        ahead, aside = 1 if self.rules.mover(state) else -1, to_column - column
        if to_row - row != ahead or abs(aside) > 1:
            raise unreadable("not a move", "move", text, "a step forward, such as a2-b3")
        return SPAN * (aside + 1) + cells[0]

    def format_move(self, state: State, action: int) -> str:
        """Return the cell of the piece and the cell it goes to; `?` for one off the board."""
        row, column = self.board.cell(action % SPAN)
        row, column = row + (1 if self.rules.mover(state) else -1), column + action // SPAN - 1
        cells = action % SPAN, row * self.columns + column if 0 <= column < self.columns else -1
        return "-".join(map(self.board.format_cell, cells))

    def illegal_reason(self, state: State, action: int) -> str:
        """Return why a move is illegal."""
        if not state[self.rules.mover(state)] >> action % SPAN & 1:
            return "none of your pieces is there"
        return "a piece is in the way" if action // SPAN == 1 else "your own piece is there"

    def unreachable_reason(self, state: State) -> str | None:
        """Return what is wrong with the pieces, or None."""
        if max(map(int.bit_count, state[:2])) > 2 * self.columns:
            return f"a player has more than {2 * self.columns} pieces"
        rows, mover = self.board.draw(*state[:2]), self.rules.mover(state)
        won = not state[1 - mover] or self.players[mover] in (rows[-1] if mover else rows[0])
        return "the player to move has already won" if won else None

    def picture(self, state: State) -> Picture:
        """Return the board."""
        return self.board.picture(state[0], state[1], ground="#8f6b43", hole="#a98357")
