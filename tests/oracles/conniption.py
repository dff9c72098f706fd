"""Conniption, slowly: after each step every line of the board is read as a string."""

import re
from typing import NamedTuple

from oracles import columns as board

Columns = tuple[str, ...]


class State(NamedTuple):
    """One position; a column is the string of its discs from the bottom up."""

    columns: Columns
    mover: str
    flips: tuple[int, int]  # chips left to first and second
    can_flip: bool  # False when the last step carried out was a flip
    winner: str | None


class Conniption:
    """The leaflet's rules: drop one disc, flip the board before it, after it or both."""

    def __init__(self, *, columns: int = 7, rows: int = 6, flips: int = 4) -> None:
        """Set the size of the board and each player's number of flip chips."""
        self.columns = columns
        self.rows = rows
        self.flips = flips

    def start(self) -> State:
        """Return the empty board with all chips unspent."""
        return State(("",) * self.columns, "W", (self.flips, self.flips), True, None)

    def moves(self, state: State) -> list[str]:
        """Return the turns without a flip, then those like 4f, then f4, then f4f."""
        if state.winner is not None:
            return []
        chips = state.flips[self.mover(state)]
        forms = ["{}"]
        if chips >= 1:
            forms.append("{}f")
        if chips >= 1 and state.can_flip:
            forms.append("f{}")
        if chips >= 2 and state.can_flip:
            forms.append("f{}f")
        open_columns = [
            number
            for number, column in enumerate(state.columns, start=1)
            if len(column) < self.rows
        ]
        return [form.format(number) for form in forms for number in open_columns]

    def play(self, state: State, move: str) -> State:
        """Return the position after a turn, which ends early at the first step with a four."""
        if move not in self.moves(state):
            raise ValueError(f"illegal move {move!r} in {self.text(state)}")
        columns = state.columns
        flips = list(state.flips)
        winner = None
        steps_done = []
        for step in re.findall(r"f|\d+", move):
            if step == "f":
                columns = flip(columns)
                flips[self.mover(state)] -= 1
            else:
                columns = drop(columns, int(step) - 1, state.mover)
            steps_done.append(step)
            winner = self._winner(columns, state.mover)
            if winner is not None:
                break
        can_flip = steps_done[-1] != "f"
        return State(columns, other(state.mover), (flips[0], flips[1]), can_flip, winner)

    def outcome(self, state: State) -> str | None:
        """Return who has won, "draw" on a full board without a four, or None."""
        if state.winner is not None:
            return "first" if state.winner == "W" else "second"
        return None if self.moves(state) else "draw"

    def scores(self, state: State) -> tuple[int, int] | None:
        """Return None: there are no points."""
        return None

    def mover(self, state: State) -> int:
        """Return 0 for W, 1 for B."""
        return "WB".index(state.mover)

    def text(self, state: State) -> str:
        """Return the rows from the top, the mover, the chips left and whether a flip may come."""
        drawing = board.draw(state.columns, self.rows)
        first, second = state.flips
        may_flip = "flip" if state.can_flip else "noflip"
        return f"{drawing} {state.mover} {first},{second} {may_flip}"

    def read(self, text: str) -> State:
        """Return the position of a text; if both have a four, the last to move has won."""
        drawing, mover, chips, may_flip = text.split(" ")
        if mover not in ("W", "B") or may_flip not in ("flip", "noflip"):
            raise ValueError(f"unknown mover or flip word in {text!r}")
        columns = board.read(drawing, (self.columns, self.rows), "WB")
        first, second = (int(left) for left in chips.split(","))
        winner = self._winner(columns, other(mover))
        return State(columns, mover, (first, second), may_flip == "flip", winner)

    def _winner(self, columns: Columns, stepped: str) -> str | None:
        """Return who has a four; if both have, the player who made the last step."""
        lines = "/".join(lines_of(columns, self.rows))
        for player in (stepped, other(stepped)):
            if player * 4 in lines:
                return player
        return None


def flip(columns: Columns) -> Columns:
    """Turn the board upside down: each column's discs fall to the other end."""
    return tuple(column[::-1] for column in columns)


def drop(columns: Columns, at: int, disc: str) -> Columns:
    """Put a disc on top of a column."""
    return (*columns[:at], columns[at] + disc, *columns[at + 1 :])


def lines_of(columns: Columns, rows: int) -> list[str]:
    """Return every column, row and diagonal of the board as a string.

    The diagonals are the rows of a board whose columns are shifted, each a step further:

        a d g        a . .
        b e h   ->   b d .
        c f i        c e g
                     . f h
                     . . i
    """
    upright = [column.ljust(rows, ".") for column in columns]
    width = len(upright)
    shifted_up = ["." * at + column + "." * (width - at) for at, column in enumerate(upright)]
    shifted_down = ["." * (width - at) + column + "." * at for at, column in enumerate(upright)]
    lines = list(upright)
    for grid in (upright, shifted_up, shifted_down):
        lines += ["".join(cells) for cells in zip(*grid, strict=True)]
    return lines


def other(player: str) -> str:
    """Return the opponent."""
    return "B" if player == "W" else "W"
