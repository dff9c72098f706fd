"""`Screen` of Four In A Row: the board in a window of the program that uses it."""

from __future__ import annotations

import tkinter as tk
from collections.abc import Callable

from plyboard.errors import IllegalMoveError, PlyboardError
from plyboard.games import Position
from plyboard.origins.four_in_a_row.game import FOUR_IN_A_ROW, Coordinate, Game
from plyboard.play import Match
from plyboard.play.live_match import LiveMatch
from plyboard.play.seat import SeatInput
from plyboard.session.messages import END_SECONDS, ILLEGAL_MOVE, MESSAGE_SECONDS
from plyboard.window.match_window import MatchWindow


class FourInARowScreen:
    """The board in a window. A click on a column calls a function, which decides about it."""

    def __init__(self, tk_root: tk.Tk, my_color: int, button_func: Callable[[int], object]) -> None:
        self._root, self._live = tk_root, ClickedMatch(button_func)
        people = my_color == Game.PLAYER_ONE, my_color == Game.PLAYER_TWO
        self.window = MatchWindow(tk_root, self._live, people)
        self.window.start()

    def update_cell(self, row: int, col: int, player: int, anim: bool = True) -> None:
        """Show a disc of the player to move in a column; with `anim` it falls.

        A disc that cannot lie there raises `IllegalMoveError` with the text `Illegal move.`
        """
        match = self._live.match
        try:
            after = match.apply_action(col)
        except PlyboardError:
            raise IllegalMoveError(ILLEGAL_MOVE) from None
        lies = {(cell.row, cell.column) for cell in after.position.picture().last}
        if match.mover != player or lies != {(row, col)}:
            raise IllegalMoveError(ILLEGAL_MOVE)
        self.window.animates = anim
        self._live.set_match(after)

    def win(
        self, coord: Coordinate | None, direction: Coordinate | int | None, winner: int
    ) -> None:
        """Accept the winning four; they flash anyway once the last disc is there."""

    def print_to_screen(self, msg: str, player: int, end: bool = False) -> None:
        """Show a message beside a player's label, for 4 seconds or for 100 at the end."""
        self.window.show_message(player, msg, END_SECONDS if end else MESSAGE_SECONDS)

    def clear_msg(self, player: int) -> None:
        """Remove the message of a player."""
        self.window.show_message(player, "")

    def get_root(self) -> tk.Tk:
        """Return the Tk root."""
        return self._root


Screen = FourInARowScreen  # its name in the original


class ClickedMatch(LiveMatch):
    """A match that passes clicks on to a function instead of playing them."""

    def __init__(self, on_click: Callable[[int], object]) -> None:
        super().__init__(Match.of(Position(FOUR_IN_A_ROW)), (None, None))
        self._on_click = on_click

    def submit(self, player: int, said: SeatInput) -> None:
        """Call the function with the column that was clicked, counted from 0."""
        self._on_click(self.match.position.parse_move(str(said)))
