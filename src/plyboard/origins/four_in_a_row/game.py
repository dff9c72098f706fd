"""`Game` of Four In A Row: the board, the moves and the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from plyboard.errors import IllegalMoveError, PlyboardError, UsageError
from plyboard.games import Position
from plyboard.games.connect_four import ConnectFour
from plyboard.session.messages import ILLEGAL_MOVE

FOUR_IN_A_ROW = ConnectFour()
ROWS, COLUMNS, LINE = FOUR_IN_A_ROW.rows, FOUR_IN_A_ROW.columns, FOUR_IN_A_ROW.line
ILLEGAL_LOCATION = "Illegal location."

Coordinate = tuple[int, int]
"""A cell: its row from the top and its column, both from 0."""


class FourInARowGame:
    """A game of four in a row. Row 0 is the top row; columns are counted from 0."""

    EMPTY_CELL = None
    PLAYER_ONE, PLAYER_TWO, DRAW = 0, 1, 2
    BOARD_X, BOARD_Y, WIN_LEN = COLUMNS, ROWS, LINE
    ILLEGAL_MOVE_MSG = ILLEGAL_MOVE
    DIRECTIONS = ((-1, 1), (0, 1), (1, 1), (1, 0), (-1, -1), (0, -1), (1, -1), (-1, 0))

    def __init__(self) -> None:
        self._position = Position(FOUR_IN_A_ROW)
        self._last: Coordinate | None = None

    def make_move(self, column: int) -> None:
        """Drop a disc of the current player.

        An illegal move raises `IllegalMoveError` with the text `Illegal move.`
        """
        try:
            self._position = self._position.apply_action(column)
        except PlyboardError:
            raise IllegalMoveError(ILLEGAL_MOVE) from None
        self._last = self._top(column)

    def unmake_move(self, column: int, last_move: Coordinate | None) -> None:
        """Take back the highest disc of a column; `last_move` is the cell of the move before it.

        An empty column raises `IllegalMoveError` with the text `Illegal move.`
        """
        position = self._position
        if position.before is not None and position.last_action == column:
            self._position = position.before
        else:
            board, register, cells, counter = self.get_attr_for_sim()
            if register.get(column, ROWS - 1) == ROWS - 1:
                raise IllegalMoveError(ILLEGAL_MOVE)
            board[self._top(column)] = None
            self.set_attr_for_sim(board, register, cells, counter - 1)
        self._last = last_move

    def is_col_full(self, column: int) -> bool:
        """Return whether a column has no empty cell."""
        return self.get_player_at(0, column) is not None

    def get_winner(self) -> int | None:
        """Return the winner, `DRAW`, or None if the game is not over."""
        outcome = self._position.outcome()
        if outcome is None:
            return None
        return self.DRAW if outcome.winner is None else outcome.winner

    def get_win_info(self) -> tuple[Coordinate | None, Coordinate | int | None]:
        """Return where a winning four begins and its direction, as `Screen.win` takes them.

        Otherwise it is the cell of the last move, with `DRAW` after a draw and None before the end.
        """
        outcome = self._position.outcome()
        if outcome is None:
            return self._last, None
        cells = {(cell.row, cell.column) for cell in outcome.line}
        for row, column in sorted(cells):
            for down, right in self.DIRECTIONS:
                four = {(row + step * down, column + step * right) for step in range(LINE)}
                if four <= cells:
                    return (row, column), (down, right)
        return self._last, self.DRAW

    def get_player_at(self, row: int, col: int) -> int | None:
        """Return whose disc is in a cell; None if it is empty.

        A cell off the board raises `UsageError` with the text `Illegal location.`
        """
        if row not in range(ROWS) or col not in range(COLUMNS):
            raise UsageError(ILLEGAL_LOCATION)
        symbol = FOUR_IN_A_ROW.grid(self._position.state)[row][col]
        players = FOUR_IN_A_ROW.players
        return players.index(symbol) if symbol in players else None

    def get_current_player(self) -> int:
        """Return the player to move."""
        return self._position.mover

    def get_last_coord(self) -> Coordinate | None:
        """Return the cell of the last move; None before the first and in a simulated game."""
        return self._last

    def get_attr_for_sim(
        self,
    ) -> tuple[dict[Coordinate, int | None], dict[int, int], set[Coordinate], int]:
        """Return what `set_attr_for_sim` takes to simulate this game in another one.

        These are the owner of each cell, the next free row of each column, -1 if there is none,
        all cells, and the number of moves.
        """
        board = {
            (row, column): self.get_player_at(row, column)
            for row in range(ROWS)
            for column in range(COLUMNS)
        }
        register = {
            column: sum(board[row, column] is None for row in range(ROWS)) - 1
            for column in range(COLUMNS)
        }
        return board, register, set(board), sum(owner is not None for owner in board.values())

    def set_attr_for_sim(
        self,
        board: Mapping[Coordinate, int | None],
        register: Mapping[int, int],
        cell_set: set[Coordinate],
        counter: int,
    ) -> None:
        """Continue from a board after so many moves. It is copied, so that it never changes."""
        symbols = {None: ".", self.PLAYER_ONE: "x", self.PLAYER_TWO: "o"}
        rows = [
            "".join(symbols[board[row, column]] for column in range(COLUMNS)) for row in range(ROWS)
        ]
        mover = FOUR_IN_A_ROW.players[counter % 2]
        self._position = Position(FOUR_IN_A_ROW, f"{'/'.join(rows)} {mover}")
        self._last = None

    def set_game_on(self) -> None:
        """Do nothing: the original needs it after `get_winner` in a simulated game."""

    def _top(self, column: int) -> Coordinate:
        """Return the highest disc of a column."""
        rows = FOUR_IN_A_ROW.grid(self._position.state)
        return next(row for row in range(ROWS) if rows[row][column] != "."), column


Game = FourInARowGame  # its name in the original


class ReadableGame(Protocol):
    """The methods of `Game` that an `AI` needs."""

    def get_player_at(self, row: int, col: int) -> int | None:
        """Return the owner of the disc in a cell; None if it is empty."""

    def get_current_player(self) -> int:
        """Return the player to move."""

    def get_winner(self) -> int | None:
        """Return the winner, 2 for a draw, or None if the game is not over."""


def position_of(game: ReadableGame) -> Position:
    """Return the position of a game.

    Our `x` always began, so the player to move is `x` if the number of discs is even, else `o`.
    """
    cells = [[game.get_player_at(row, column) for column in range(COLUMNS)] for row in range(ROWS)]
    played = sum(cell is not None for row in cells for cell in row)
    mine, theirs = ("x", "o") if played % 2 == 0 else ("o", "x")
    symbols = {None: ".", game.get_current_player(): mine, 1 - game.get_current_player(): theirs}
    rows = ["".join(symbols[cell] for cell in row) for row in cells]
    return Position(FOUR_IN_A_ROW, f"{'/'.join(rows)} {mine}")
