"""Boards of rows and columns as text and pictures: what most games of cells would write alike."""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Any, ClassVar

from plyboard.games.game import Outcome
from plyboard.games.picture import Cell, Picture, piece_of
from plyboard.games.reading import fields, grid, one_of, unreadable
from plyboard.games.rules import Rules, State
from plyboard.kernel import Word


@dataclass(frozen=True)
class GridBoard:
    """A board of rows and columns, for the names of its cells, position texts and pictures.

    Cells are numbered row by row from the top left; a board of one player's pieces is a number
    with a bit for each of them. The symbols are those of the first and of the second player.
    Row 1 is the top row, or the bottom row if rows count `upwards`, as in chess.
    """

    rows: int
    columns: int
    symbols: str = "xo"
    upwards: bool = False

    @property
    def column_names(self) -> tuple[str, ...]:
        """The letters of the columns."""
        return tuple(ascii_lowercase[: self.columns])

    @property
    def row_names(self) -> tuple[str, ...]:
        """The numbers of the rows, that of the top row first."""
        numbers = range(1, self.rows + 1)
        return tuple(map(str, reversed(numbers) if self.upwards else numbers))

    def parse_cell(self, text: str) -> int:
        """Return the cell of a name such as `c4`; raise `NotationError` if there is none."""
        if re.fullmatch(r"[a-z][1-9][0-9]?", text, re.ASCII):
            column = ascii_lowercase.index(text[0])
            if column < self.columns and text[1:] in self.row_names:
                return self.row_names.index(text[1:]) * self.columns + column
        last = f"{self.column_names[-1]}{self.rows}"
        raise unreadable("not a move", "move", text, f"a cell, a1 to {last}")

    def format_cell(self, cell: int) -> str:
        """Return the name of a cell, as `parse_cell` reads it; `?` if it is not on the board."""
        if not 0 <= cell < self.rows * self.columns:
            return "?"
        row, column = divmod(cell, self.columns)
        return f"{self.column_names[column]}{self.row_names[row]}"

    def cell(self, cell: int) -> Cell:
        """Return the row and column of a cell."""
        return Cell(*divmod(cell, self.columns))

    def draw(self, first: int, second: int) -> tuple[str, ...]:
        """Return the rows from the top, a symbol for each cell and `.` for an empty one."""
        symbols = [
            self.symbols[0] if first >> cell & 1 else self.symbols[1] if second >> cell & 1 else "."
            for cell in range(self.rows * self.columns)
        ]
        starts = range(0, len(symbols), self.columns)
        return tuple("".join(symbols[start : start + self.columns]) for start in starts)

    def parse_position(self, text: str) -> tuple[int, int, int]:
        """Return both boards and the player to move of a position text."""
        to_move = f"{self.symbols[0]} or {self.symbols[1]} to move"
        board, player = fields(text, ("rows from the top", to_move))
        cells = "".join(grid(board, self.rows, self.columns, f".{self.symbols}"))
        first, second = (
            Word(sum(1 << cell for cell, each in enumerate(cells) if each == symbol))
            for symbol in self.symbols
        )
        return first, second, Word(one_of(player, "player", tuple(self.symbols)))

    def format_position(self, first: int, second: int, player: int) -> str:
        """Return the rows from the top joined by `/`, then the player to move."""
        return f"{'/'.join(self.draw(first, second))} {self.symbols[player]}"

    def picture(self, first: int, second: int, **more: Any) -> Picture:
        """Return the picture of the board; more is what else a `Picture` has."""
        pieces = {symbol: piece_of(player) for player, symbol in enumerate(self.symbols)}
        return Picture(
            **{
                "rows": self.draw(first, second), "pieces": pieces,
                "column_names": self.column_names, "row_names": self.row_names,
            }
            | more
        )  # fmt: skip


class GridGame:
    """What games on a grid write alike. A game inherits this, and replaces what it does otherwise.

    As it stands, an action is a cell, and a state begins with the boards of both players.
    """

    players: ClassVar[tuple[str, str]] = ("x", "o")
    reason: ClassVar[str] = "full"  # why its games end

    @property
    def rules(self) -> Rules:
        """The kernels of the game."""
        raise NotImplementedError

    @property
    def board(self) -> GridBoard:
        """The size of the board and the symbols on it."""
        raise NotImplementedError

    def boards(self, state: State) -> tuple[int, int]:
        """Return the pieces of the first and of the second player."""
        return state[0], state[1]

    def parse_move(self, _state: State, text: str) -> int:
        """Return the cell of a name such as `c4`."""
        return self.board.parse_cell(text)

    def format_move(self, _state: State, action: int) -> str:
        """Return the name of a cell."""
        return self.board.format_cell(action)

    def illegal_reason(self, _state: State, _action: int) -> str:
        """Return that the cell is taken."""
        return "the cell is taken"

    def parse_position(self, text: str) -> State:
        """Return the state of a text: the rows from the top, then the player to move."""
        return self.board.parse_position(text)

    def format_position(self, state: State) -> str:
        """Return the rows from the top, then the player to move."""
        return self.board.format_position(*self.boards(state), self.rules.mover(state))

    def unreachable_reason(self, _state: State) -> str | None:
        """Return None: nothing is known."""
        return None

    def outcome(self, state: State) -> Outcome | None:
        """Return who has won by the value of the rules, and the points if there are any."""
        return outcome_by_value(self.rules, state, self.reason)

    def picture(self, state: State) -> Picture:
        """Return the board."""
        return self.board.picture(*self.boards(state))


def outcome_by_value(rules: Rules, state: State, reason: str) -> Outcome | None:
    """Return the outcome that the rules' value of a state means; None while the game goes on."""
    if not rules.over(state):
        return None
    value, mover = rules.value(state), rules.mover(state)
    winner = None if value == 0 else mover if value > 0 else 1 - mover
    return Outcome(winner, reason, rules.scores(state) if rules.has_points else None)
