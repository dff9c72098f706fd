"""Tic-tac-toe: a complete game on one page; docs/add-a-game.md explains its parts.

Try: plyboard check-game examples/tic_tac_toe.py:TicTacToe
And: plyboard play examples/tic_tac_toe.py:TicTacToe
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import ClassVar

from plyboard.games import (
    GridBoard,
    GridGame,
    Outcome,
    Parameter,
    Picture,
    Piece,
    Rules,
    State,
    Symmetry,
)
from plyboard.games.usual_kernels import hash_of, no_points
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import count
from plyboard.kernel.square import square

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
PIECES = {"x": Piece(0, "#d8342b", "#ffffff"), "o": Piece(1, "#2456c4", "#ffffff")}


@cache
def rules() -> Rules:
    """Return the rules. A state holds the cells of x and the cells of o; cell 0 is the top left."""
    full, one = Word(0b111_111_111), Word(1)
    lines = tuple(Word(sum(1 << cell for cell in line)) for line in LINES)
    mirror = square(3).mirror

    @kernel
    def has_line(cells: int) -> bool:
        found = False
        for line in lines:
            found = found or cells & line == line
        return found

    @kernel
    def mover(state: State) -> int:
        return (count(state[0]) + count(state[1])) & 1

    @kernel
    def legal(state: State) -> int:
        return full & ~(state[0] | state[1])

    @kernel
    def play(state: State, action: int) -> State:
        cell = one << action
        return (state[0], state[1] | cell) if mover(state) else (state[0] | cell, state[1])

    @kernel
    def lost(state: State) -> bool:
        return has_line(state[0]) if mover(state) else has_line(state[1])

    @kernel
    def over(state: State) -> bool:
        return lost(state) or (state[0] | state[1]) == full

    @kernel
    def value(state: State) -> int:
        return -1 if lost(state) else 0

    @kernel
    def mirrored(state: State) -> State:
        return (mirror(state[0]), mirror(state[1]))

    @kernel
    def mirrored_cell(action: int) -> int:
        return action + 2 - 2 * (action % 3)

    return Rules(
        start=(Word(0), Word(0)), actions=9, legal=legal, play=play, over=over, value=value,
        mover=mover, scores=no_points, key=hash_of(2), order=(4, 0, 2, 6, 8, 1, 3, 5, 7),
        symmetries=(Symmetry("mirror", mirrored, mirrored_cell),), alternates=True,
    )  # fmt: skip


@dataclass(frozen=True)
class TicTacToe(GridGame):
    """Tic-tac-toe: three in a row win."""

    name: ClassVar[str] = "tic-tac-toe"
    title: ClassVar[str] = "Tic-tac-toe"
    parameters: ClassVar[tuple[Parameter, ...]] = ()

    board: ClassVar[GridBoard] = GridBoard(rows=3, columns=3, symbols="xo")

    @cached_property
    def rules(self) -> Rules:
        """The kernels of the game."""
        return rules()

    def illegal_reason(self, state: State, action: int) -> str:
        """Return why a move is illegal: the cell is taken."""
        return f"{self.format_move(state, action)} is taken"

    def parse_position(self, text: str) -> State:
        """Return the state of a position text such as `x../.o./... o`."""
        first, second, _ = self.board.parse_position(text)
        return (first, second)

    def unreachable_reason(self, state: State) -> str | None:
        """Return why no game can reach the state, or None."""
        extra = state[0].bit_count() - state[1].bit_count()
        return None if extra in (0, 1) else "x began, so it has as many or one more"

    def outcome(self, state: State) -> Outcome | None:
        """Return who won or that the board is full, or None while the game goes on."""
        found = super().outcome(state)
        return replace(found, reason="line") if found and found.winner is not None else found

    def picture(self, state: State) -> Picture:
        """Return the board as a picture, with the winning line marked."""
        line = {
            self.board.cell(cell)
            for cells in LINES
            for owner in state
            if all(owner >> cell & 1 for cell in cells)
            for cell in cells
        }
        return self.board.picture(state[0], state[1], pieces=PIECES, line=frozenset(line))
