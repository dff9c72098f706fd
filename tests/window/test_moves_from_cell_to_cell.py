"""Moves of several clicks in a window."""

from __future__ import annotations

from tkinter import ttk

from games.pawns import Pawns
from window.conftest import OpenMatch

from plyboard.games import Position
from plyboard.games.picture import Cell

A1, B1, B2, B3, C1, A3 = Cell(2, 0), Cell(2, 1), Cell(1, 1), Cell(0, 1), Cell(2, 2), Cell(0, 0)


def test_pawns_are_clicked_dragged_and_given_up(open_match: OpenMatch) -> None:
    desk = open_match(Position(Pawns()), animates=False)
    board = desk.window.board

    def click(cell: Cell, path: tuple[Cell, ...]) -> None:
        desk.click(cell)
        desk.until(lambda: board.path == path)

    click(A1, (A1,))
    click(A1, ())  # given up by a second click
    click(A1, (A1,))
    click(C1, (C1,))  # another pawn instead
    click(B3, ())  # elsewhere
    click(B1, (B1,))
    assert board.input.next_cells(board.path) == {B2}
    desk.play_by_click(B2, "b1-b2")
    assert board.picture is not None
    assert board.picture.last == {B1, B2}
    desk.drag(A3, B2)
    desk.until(lambda: len(desk.match.turns) == 2)
    assert desk.match.moves == ("b1-b2", "a3xb2")
    desk.rest()
    (button,) = desk.window.input.modifier_row.frame.winfo_children()
    assert isinstance(button, ttk.Button)
    button.invoke()
    desk.until(lambda: desk.match.moves[-1] == "pass")
