"""Tic-tac-toe: a complete game on one page.

Try: plyboard check-game examples/tic_tac_toe.py:TicTacToe
And: plyboard play examples/tic_tac_toe.py:TicTacToe
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, cached_property
from typing import ClassVar

from plyboard.errors import NotationError, shown
from plyboard.games.game import Outcome
from plyboard.games.picture import Cell, Picture, Piece
from plyboard.games.reading import fields, grid, one_of
from plyboard.games.rules import Rules, State
from plyboard.kernel import Word, kernel
from plyboard.kernel.bits import count, mix
from plyboard.specs import Parameter

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
PIECES = {"x": Piece(0, "#d8342b", "#ffffff"), "o": Piece(1, "#2456c4", "#ffffff")}


@cache
def rules() -> Rules:
    """Return the rules. A state holds the cells of x and the cells of o; cell 0 is the top left."""
    full, one = Word(0b111_111_111), Word(1)
    lines = tuple(Word(sum(1 << cell for cell in line)) for line in LINES)

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
    def scores(_state: State) -> tuple[int, int]:
        return (0, 0)

    @kernel
    def key(state: State) -> int:
        return mix(state[0] | (state[1] << 9))

    return Rules(
        start=(Word(0), Word(0)), actions=9, legal=legal, play=play, over=over, value=value,
        mover=mover, scores=scores, key=key, order=(4, 0, 2, 6, 8, 1, 3, 5, 7), alternates=True,
    )  # fmt: skip


@dataclass(frozen=True)
class TicTacToe:
    """Tic-tac-toe: three in a row win."""

    name: ClassVar[str] = "tic-tac-toe"
    title: ClassVar[str] = "Tic-tac-toe"
    players: ClassVar[tuple[str, str]] = ("x", "o")
    parameters: ClassVar[tuple[Parameter, ...]] = ()

    @cached_property
    def rules(self) -> Rules:
        """The kernels of the game."""
        return rules()

    def parse_move(self, _state: State, text: str) -> int:
        """Return the cell with a name such as `b2`."""
        if not re.fullmatch(r"[a-c][1-3]", text, re.ASCII):
            raise NotationError("not a move", got=shown(text, 20), expected="a cell, a1 to c3")
        return "abc".index(text[0]) + 3 * (int(text[1]) - 1)

    def format_move(self, _state: State, action: int) -> str:
        """Return the name of a cell; `a1` is the top left one."""
        return f"{'abc'[action % 3]}{action // 3 + 1}"

    def illegal_reason(self, state: State, action: int) -> str:
        """Return why the move is illegal: the cell is taken."""
        return f"{self.format_move(state, action)} is taken"

    def grid(self, state: State) -> tuple[str, ...]:
        """Return the rows of the board from the top."""
        symbols = "".join(
            "x" if state[0] >> cell & 1 else "o" if state[1] >> cell & 1 else "."
            for cell in range(9)
        )
        return symbols[:3], symbols[3:6], symbols[6:]

    def parse_position(self, text: str) -> State:
        """Return the state of a position text such as `x../.o./... o`."""
        board, player = fields(text, ("rows from the top", "x or o to move"))
        one_of(player, "player", self.players)
        symbols = "".join(grid(board, rows=3, columns=3, symbols=".xo"))
        first, second = (
            Word(sum(1 << cell for cell in range(9) if symbols[cell] == player))
            for player in self.players
        )
        return (first, second)

    def format_position(self, state: State) -> str:
        """Return the position text: the rows from the top, then the player to move."""
        return f"{'/'.join(self.grid(state))} {self.players[self.rules.mover(state)]}"

    def unreachable_reason(self, state: State) -> str | None:
        """Return why no game can reach the state, or None."""
        extra = state[0].bit_count() - state[1].bit_count()
        return None if extra in (0, 1) else "x began, so it has as many or one more"

    def outcome(self, state: State) -> Outcome | None:
        """Return who won or that the board is full, or None while the game goes on."""
        if not self.rules.over(state):
            return None
        won = self.rules.value(state) < 0
        return Outcome(1 - self.rules.mover(state), "line") if won else Outcome(None, "full")

    def picture(self, state: State) -> Picture:
        """Return the board as a picture, with the winning line marked."""
        line = {
            Cell(*divmod(cell, 3))
            for cells in LINES
            for owner in state
            if all(owner >> cell & 1 for cell in cells)
            for cell in cells
        }
        return Picture(
            rows=self.grid(state), pieces=PIECES, line=frozenset(line),
            column_names=("a", "b", "c"), row_names=("1", "2", "3"),
        )  # fmt: skip
