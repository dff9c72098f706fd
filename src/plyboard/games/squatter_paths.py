"""Squatter's captures found by best-first search: a slower flood fill that can be shown.

From each cell next to the new piece, a walk looks for the edge of the board, always expanding the
cell nearest to it. If it runs out of cells, all cells it has seen are captured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from plyboard.games.picture import Cell
from plyboard.games.rules import State
from plyboard.games.squatter import Squatter

SIDES = ((-1, 0), (0, 1), (1, 0), (0, -1))
# The eight neighbours of a cell, clockwise.
RING = ((-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1))


@dataclass(frozen=True)
class Walk:
    """A search for the edge: its cells in order, and whether it reached the edge."""

    cells: tuple[Cell, ...]
    escaped: bool


@dataclass(frozen=True)
class Loop:
    """A closed loop: its pieces in clockwise order, and all cells inside."""

    pieces: tuple[Cell, ...]
    inside: frozenset[Cell]


@dataclass(frozen=True)
class Capture:
    """The captures of a piece: the walks from its neighbours, the closed loops, the cells."""

    piece: Cell
    walls: frozenset[Cell]  # the live pieces of its player
    walks: tuple[Walk, ...]
    loops: tuple[Loop, ...]
    owned: frozenset[Cell]  # all cells that its player has captured afterwards
    cells: frozenset[Cell]  # the newly captured ones among them


def cell_score(size: int, cell: Cell) -> float:
    """Return the distance of a cell from the centre; size - 2 for cells on the edge."""
    if is_edge(size, cell):
        return size - 2
    centre = (size - 1) / 2
    return abs(cell.row - centre) + abs(cell.column - centre)


def is_edge(size: int, cell: Cell) -> bool:
    """Tell whether a cell is on the border of the board."""
    return min(cell) == 0 or max(cell) == size - 1


def capture(game: Squatter, state: State, action: int) -> Capture:
    """Return the walks, loops and captured cells of a legal action."""
    player = game.rules.mover(state)
    new = Cell(*divmod(action, game.size))
    pieces = _cells(game, state[player]) | {new}
    before = _cells(game, state[2 + player])
    walls = pieces - _cells(game, state[2] | state[3])
    walks = tuple(walk(game.size, walls, start) for start in starts(game.size, walls, new))
    inside = set(before) - walls
    for each in walks:
        if not each.escaped:
            inside.update(each.cells)
    regions = list(_regions(game.size, walls, inside, pieces))
    loops = tuple(Loop(loop_around(region), region) for region in regions if region - before)
    owned = before.union(*regions)
    return Capture(new, walls, walks, loops, owned, owned - before)


def loop_around(region: frozenset[Cell]) -> tuple[Cell, ...]:
    """Return the cells around a region, clockwise from above its first cell.

    The region is connected and has no holes.
    """
    first = min(region)
    here, side, found = first, 0, dict[Cell, None]()
    while True:
        found[_beside(here, side)] = None
        ahead = _beside(here, side + 1)
        corner = _beside(ahead, side)
        if ahead not in region:  # round a corner of the region
            side += 1
        elif corner not in region:  # straight on
            here = ahead
        else:  # into a corner of the loop
            here, side = corner, side - 1
        side %= 4
        if (here, side) == (first, 0):
            return tuple(found)


def starts(size: int, walls: frozenset[Cell], new: Cell) -> Iterator[Cell]:
    """Yield a starting cell for each free section of the ring around a new piece.

    A section is a run of cells without walls; its cells are connected.
    """
    ring = [Cell(new.row + down, new.column + across) for down, across in RING]
    free = [_on_board(size, cell) and cell not in walls for cell in ring]
    if all(free):
        yield ring[0]
        return
    for index, cell in enumerate(ring):
        if free[index] and not free[index - 1]:
            yield cell


def walk(size: int, walls: frozenset[Cell], start: Cell) -> Walk:
    """Search from a cell, best cell first, until the edge is reached or no cell is left."""
    waiting, seen, order = {start}, {start}, []
    while waiting:
        cell = max(waiting, key=lambda place: (cell_score(size, place), -place.row, -place.column))
        waiting.remove(cell)
        order.append(cell)
        if is_edge(size, cell):
            return Walk(tuple(order), escaped=True)
        further = set(steps(walls, cell)) - seen
        seen |= further
        waiting |= further
    return Walk(tuple(order), escaped=False)


def steps(walls: frozenset[Cell], cell: Cell) -> Iterator[Cell]:
    """Yield the reachable neighbours: no walls, and no diagonal step between two walls."""
    for down, across in RING:
        goal = Cell(cell.row + down, cell.column + across)
        corners = (Cell(cell.row + down, cell.column), Cell(cell.row, cell.column + across))
        if goal not in walls and not (down and across and all(side in walls for side in corners)):
            yield goal


def _regions(
    size: int, walls: frozenset[Cell], inside: set[Cell], own: frozenset[Cell]
) -> Iterator[frozenset[Cell]]:
    """Yield the enclosed regions, with own pieces inside, that hold more than own pieces."""
    within = {
        wall
        for wall in walls
        if not is_edge(size, wall)
        and all(place in walls or place in inside for place in _sides(wall))
    }
    left = inside | within
    while left:
        region = {left.pop()}
        waiting = list(region)
        while waiting:
            for place in _sides(waiting.pop()):
                if place in left:
                    left.remove(place)
                    region.add(place)
                    waiting.append(place)
        if region - own:
            yield frozenset(region)


def _sides(cell: Cell) -> Iterator[Cell]:
    return (_beside(cell, side) for side in range(4))


def _beside(cell: Cell, side: int) -> Cell:
    down, across = SIDES[side % 4]
    return Cell(cell.row + down, cell.column + across)


def _on_board(size: int, cell: Cell) -> bool:
    return min(cell) >= 0 and max(cell) < size


def _cells(game: Squatter, word: int) -> frozenset[Cell]:
    return frozenset(
        Cell(*divmod(cell, game.size)) for cell in range(game.size**2) if word >> cell & 1
    )


def draw_walk(size: int, walls: frozenset[Cell], walked: Walk) -> str:
    """Return a walk as text: `#` for walls, numbers for the walked cells, `.` for the rest."""
    order = {cell: str(number) for number, cell in enumerate(walked.cells, 1)}
    return _drawn(size, dict.fromkeys(walls, "#") | order)


def draw_capture(size: int, found: Capture) -> str:
    """Return a capture as text: `#` for the loops, `*` for the captured cells."""
    loops = {piece: "#" for loop in found.loops for piece in loop.pieces}
    return _drawn(size, loops | dict.fromkeys(found.cells, "*"))


def _drawn(size: int, marks: Mapping[Cell, str]) -> str:
    rows = (
        " ".join(marks.get(Cell(row, column), ".").rjust(2) for column in range(size))
        for row in range(size)
    )
    return "\n".join(rows)
