"""Extended Connect Four, slowly: each run of discs is walked from its first disc to its last."""

from collections.abc import Mapping
from typing import NamedTuple

from oracles import columns as board

Cell = tuple[int, int]

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))  # each line of the board in one sense only


class State(NamedTuple):
    """One position; a column is the string of its discs from the bottom up."""

    columns: tuple[str, ...]
    mover: str
    pops: tuple[int, int]  # pops left to first and second


class Extended:
    """The rules: drop a disc or pop one out; runs of two and more score at the end."""

    def __init__(self, *, rows: int = 6, columns: int = 8, pops: int = 6) -> None:
        """Set the size of the board and how many pops each player has."""
        self.rows = rows
        self.columns = columns
        self.pops = pops

    def start(self) -> State:
        """Return the empty board with all pops left."""
        return State(("",) * self.columns, "1", (self.pops, self.pops))

    def moves(self, state: State) -> list[str]:
        """Return the drops, then the pops, both by column counted from 0."""
        player = self.mover(state)
        drops = []
        pops = []
        for at, column in enumerate(state.columns):
            if len(column) < self.rows:
                drops.append(f"{at}")
            # First pops the even columns, second the odd ones, whoever owns the disc.
            if column and at % 2 == player and state.pops[player] > 0:
                pops.append(f"{at}p")
        return drops + pops

    def play(self, state: State, move: str) -> State:
        """Return the position after a drop or a pop."""
        if move not in self.moves(state):
            raise ValueError(f"illegal move {move!r} in {self.text(state)}")
        columns = list(state.columns)
        pops = list(state.pops)
        if move.endswith("p"):
            at = int(move.removesuffix("p"))
            columns[at] = columns[at][1:]
            pops[self.mover(state)] -= 1
        else:
            columns[int(move)] += state.mover
        return State(tuple(columns), "2" if state.mover == "1" else "1", (pops[0], pops[1]))

    def outcome(self, state: State) -> str | None:
        """Return who has more points once the mover has no action, or None before."""
        if self.moves(state):
            return None
        first, second = self.scores(state)
        if first == second:
            return "draw"
        return "first" if first > second else "second"

    def scores(self, state: State) -> tuple[int, int]:
        """Return the points of first and second on the board as it stands."""
        cells = {
            (at, row): disc
            for at, column in enumerate(state.columns)
            for row, disc in enumerate(column)
        }
        return score(cells, "1"), score(cells, "2")

    def mover(self, state: State) -> int:
        """Return 0 for player 1, 1 for player 2."""
        return "12".index(state.mover)

    def text(self, state: State) -> str:
        """Return the rows from the top, the mover and the pops left."""
        first, second = state.pops
        return f"{board.draw(state.columns, self.rows)} {state.mover} {first},{second}"

    def read(self, text: str) -> State:
        """Return the position of a text."""
        drawing, mover, pops = text.split(" ")
        if mover not in ("1", "2"):
            raise ValueError(f"nobody is called {mover!r}")
        columns = board.read(drawing, (self.columns, self.rows), "12")
        first, second = (int(left) for left in pops.split(","))
        return State(columns, mover, (first, second))


def score(cells: Mapping[Cell, str], player: str) -> int:
    """Return the points for all maximal runs of a player's discs in all directions."""
    total = 0
    mine = {cell for cell, disc in cells.items() if disc == player}
    for across, up in DIRECTIONS:
        for at, row in mine:
            if (at + across, row + up) not in mine:
                continue  # alone, or the last disc of its run
            if (at - across, row - up) in mine:
                continue  # not the first disc of its run
            length = 2
            while (at + length * across, row + length * up) in mine:
                length += 1
            total += run_points(length)
    return total


def run_points(length: int) -> int:
    """Return the points of one maximal run: 20 for each whole four, then for what is left."""
    fours, left = divmod(length, 4)
    return 20 * fours + (0, 0, 2, 5)[left]
