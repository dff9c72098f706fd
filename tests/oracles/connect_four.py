"""Connect Four, slowly: lines are found by walking from disc to disc."""

from typing import NamedTuple

from oracles import columns as board

Columns = tuple[str, ...]

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # (columns to the right, rows up)


class State(NamedTuple):
    """One position; a column is the string of its discs from the bottom up."""

    columns: Columns
    mover: str
    winner: str | None  # the owner of a line on the board


class ConnectFour:
    """The rules, for a board and a length of line of any size."""

    def __init__(self, *, columns: int = 7, rows: int = 6, line: int = 4) -> None:
        """Set the size of the board and how many discs make a line."""
        self.columns = columns
        self.rows = rows
        self.line = line

    def start(self) -> State:
        """Return the empty board."""
        return State(("",) * self.columns, "x", None)

    def moves(self, state: State) -> list[str]:
        """Return the numbers of the columns with room, in ascending order."""
        if state.winner is not None:
            return []
        return [
            str(number)
            for number, column in enumerate(state.columns, start=1)
            if len(column) < self.rows
        ]

    def play(self, state: State, move: str) -> State:
        """Return the position after a disc is dropped in a column."""
        if move not in self.moves(state):
            raise ValueError(f"illegal move {move!r} in {self.text(state)}")
        at = int(move) - 1
        columns = list(state.columns)
        columns[at] += state.mover
        dropped = tuple(columns)
        wins = self._in_line(dropped, at, len(dropped[at]) - 1)
        return State(dropped, other(state.mover), state.mover if wins else None)

    def outcome(self, state: State) -> str | None:
        """Return who has a line, "draw" on a full board, or None."""
        if state.winner is not None:
            return "first" if state.winner == "x" else "second"
        return None if self.moves(state) else "draw"

    def scores(self, state: State) -> tuple[int, int] | None:
        """Return None: there are no points."""
        return None

    def mover(self, state: State) -> int:
        """Return 0 for x, 1 for o."""
        return "xo".index(state.mover)

    def text(self, state: State) -> str:
        """Return the rows from the top and the mover."""
        return f"{board.draw(state.columns, self.rows)} {state.mover}"

    def read(self, text: str) -> State:
        """Return the position of a text; if both have a line, the last to move has won."""
        drawing, mover = text.split(" ")
        if mover not in ("x", "o"):
            raise ValueError(f"nobody is called {mover!r}")
        columns = board.read(drawing, (self.columns, self.rows), "xo")
        with_line = {
            disc
            for at, column in enumerate(columns)
            for row, disc in enumerate(column)
            if self._in_line(columns, at, row)
        }
        candidates = (other(mover), mover)
        winner = next((disc for disc in candidates if disc in with_line), None)
        return State(columns, mover, winner)

    def _in_line(self, columns: Columns, at: int, row: int) -> bool:
        """Tell whether the disc at this place is part of a line."""
        for right, up in DIRECTIONS:
            ahead = walk(columns, (at, row), (right, up))
            behind = walk(columns, (at, row), (-right, -up))
            if ahead + 1 + behind >= self.line:
                return True
        return False


def walk(columns: Columns, start: tuple[int, int], step: tuple[int, int]) -> int:
    """Count the discs like the one at the start that follow it without a gap."""
    at, row = start
    disc = columns[at][row]
    count = 0
    while True:
        at += step[0]
        row += step[1]
        if not (0 <= at < len(columns) and 0 <= row < len(columns[at])):
            return count
        if columns[at][row] != disc:
            return count
        count += 1


def other(player: str) -> str:
    """Return the opponent."""
    return "o" if player == "x" else "x"
