"""Squatter, slowly: sets of cells, flooded from the rim after every move."""

from collections import deque
from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

Cell = tuple[int, int]  # row and column, both from 0 at the top left
Cells = frozenset[Cell]


class State(NamedTuple):
    """One position; each pair holds first's (White's) set and second's (Black's)."""

    mover: int
    pieces: tuple[Cells, Cells]  # all that were ever played, also those captured since
    land: tuple[Cells, Cells]  # captured cells by their last captor, whatever is on them


class Squatter:
    """The rules: close loops of live pieces and capture what lies inside them."""

    def __init__(self, *, size: int = 6) -> None:
        """Set the number of rows and columns."""
        self.size = size
        self.cells = [(row, column) for row in range(size) for column in range(size)]
        self.names = {cell: name(cell) for cell in self.cells}
        self.rim = {cell for cell in self.cells if 0 in cell or size - 1 in cell}

    def start(self) -> State:
        """Return the empty board."""
        nothing: Cells = frozenset()
        return State(0, (nothing, nothing), (nothing, nothing))

    def moves(self, state: State) -> list[str]:
        """Return the free cells, row by row from the top."""
        white, black = state.pieces
        taken = white | black | state.land[0] | state.land[1]
        return [self.names[cell] for cell in self.cells if cell not in taken]

    def play(self, state: State, move: str) -> State:
        """Return the position after a piece is placed and all it encloses is captured."""
        if move not in self.moves(state):
            raise ValueError(f"illegal move {move!r} in {self.text(state)}")
        me, you = state.mover, 1 - state.mover
        my_pieces = state.pieces[me] | {(int(move[1:]) - 1, ord(move[0]) - ord("a"))}
        my_live_pieces = my_pieces - state.land[me] - state.land[you]
        captured: set[Cell] = set()
        for region in regions(self.enclosed(my_live_pieces)):
            if not region <= my_pieces:
                captured |= region
        my_land = state.land[me] | captured
        your_land = state.land[you] - captured
        return State(
            you,
            in_order(me, my_pieces, state.pieces[you]),
            in_order(me, my_land, your_land),
        )

    def outcome(self, state: State) -> str | None:
        """Return who has captured more once no cell is free, or None before."""
        if self.moves(state):
            return None
        first, second = self.scores(state)
        if first == second:
            return "draw"
        return "first" if first > second else "second"

    def scores(self, state: State) -> tuple[int, int]:
        """Return how many cells first and second own that do not hold a piece of theirs."""
        first, second = (
            len(land - pieces) for land, pieces in zip(state.land, state.pieces, strict=True)
        )
        return first, second

    def mover(self, state: State) -> int:
        """Return 0 for White, 1 for Black."""
        return state.mover

    def text(self, state: State) -> str:
        """Return the rows from the top and the mover."""
        symbols = [self._symbol(state, cell) for cell in self.cells]
        rows = [
            "".join(symbols[start : start + self.size])
            for start in range(0, len(symbols), self.size)
        ]
        return f"{'/'.join(rows)} {'WB'[state.mover]}"

    def read(self, text: str) -> State:
        """Return the position of a text.

        The text does not say who captured a cell, but the walls do: next to captured land stand
        only more of it and live pieces of its owner.
        """
        drawing, mover = text.split(" ")
        rows = drawing.split("/")
        if len(rows) != self.size or any(len(row) != self.size for row in rows):
            raise ValueError(f"not {self.size} rows of {self.size} cells: {drawing!r}")
        if not set(drawing) <= set("WBwb+-/") or mover not in ("W", "B"):
            raise ValueError(f"unknown symbol in {text!r}")
        found = {
            symbol: frozenset(cell for cell in self.cells if rows[cell[0]][cell[1]] == symbol)
            for symbol in "WBwb-"
        }
        land: tuple[set[Cell], set[Cell]] = (set(), set())
        for region in regions(found["w"] | found["b"] | found["-"]):
            walls = {beside for cell in region for beside in neighbours(cell)} - region
            if walls <= found["W"]:
                land[0].update(region)
            elif walls <= found["B"]:
                land[1].update(region)
            else:
                raise ValueError(f"nobody's walls surround {sorted(map(name, region))} in {text!r}")
        pieces = (found["W"] | found["w"], found["B"] | found["b"])
        return State("WB".index(mover), pieces, (frozenset(land[0]), frozenset(land[1])))

    def enclosed(self, walls: Cells) -> set[Cell]:
        """Return the cells from which the rim cannot be reached on foot, inner walls included.

        Only the walls stop a walker, and a step never goes diagonally. A wall is an inner one
        when nobody outside stands next to it.
        """
        outside = flood(self.rim - walls, set(self.cells) - walls)
        outer_walls = {
            wall
            for wall in walls
            if wall in self.rim or any(beside in outside for beside in neighbours(wall))
        }
        return set(self.cells) - outside - outer_walls

    def _symbol(self, state: State, cell: Cell) -> str:
        """Return the character drawn for a cell."""
        captured = cell in state.land[0] or cell in state.land[1]
        if cell in state.pieces[0]:
            return "w" if captured else "W"
        if cell in state.pieces[1]:
            return "b" if captured else "B"
        return "-" if captured else "+"


def name(cell: Cell) -> str:
    """Return the text of a cell: the column as a letter, the row from 1 at the top."""
    row, column = cell
    return f"{chr(ord('a') + column)}{row + 1}"


@cache
def neighbours(cell: Cell) -> list[Cell]:
    """Return the cells above, below, left and right, also those off the board."""
    row, column = cell
    return [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]


def flood(sources: Iterable[Cell], passable: set[Cell]) -> set[Cell]:
    """Return the sources and all that can be reached from them over passable cells."""
    reached = set(sources)
    queue = deque(reached)
    while queue:
        for beside in neighbours(queue.popleft()):
            if beside in passable and beside not in reached:
                reached.add(beside)
                queue.append(beside)
    return reached


def regions(cells: Iterable[Cell]) -> Iterator[set[Cell]]:
    """Split cells into groups that hang together up, down, left and right."""
    left = set(cells)
    while left:
        region = flood([min(left)], left)
        yield region
        left -= region


def in_order(me: int, mine: Cells, yours: Cells) -> tuple[Cells, Cells]:
    """Return first's cells before second's."""
    return (mine, yours) if me == 0 else (yours, mine)
