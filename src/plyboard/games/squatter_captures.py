"""The captures of the last move in Squatter, with the walks that found them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from plyboard.errors import UsageError, shown
from plyboard.games.game import spec_of
from plyboard.games.picture import Cell
from plyboard.games.position import Position
from plyboard.games.squatter import Squatter
from plyboard.games.squatter_paths import Capture, Walk, capture, draw_capture, draw_walk


def last_capture(position: Position) -> Capture:
    """Return the capture of the last move; raise `UsageError` for other games or without a move."""
    game = position.game
    if not isinstance(game, Squatter):
        raise UsageError(
            "no captures to show", got=shown(spec_of(game)), expected="a position of squatter"
        )
    if position.before is None or position.last_action is None:
        raise UsageError("no last move to show captures of", got="none", expected="moves")
    return capture(game, position.before.state, position.last_action)


def capture_lines(position: Position, found: Capture) -> Iterator[str]:
    """Yield each walk and its board, then each loop, the captured cells and their board."""
    game = position.game
    assert isinstance(game, Squatter)
    for number, walk in enumerate(found.walks, 1):
        yield f"walk {number} from {_name(position, walk.cells[0])}: {_end(position, walk)}"
        yield from _framed(position, draw_walk(game.size, found.walls, walk))
    for loop in found.loops:
        yield f"loop closed by {_name(position, found.piece)}: {_names(position, loop.pieces)}"
    if not found.cells:
        yield f"{_name(position, found.piece)} captures nothing"
        return
    yield f"captured: {_names(position, sorted(found.cells))}"
    yield from _framed(position, draw_capture(game.size, found))


def _end(position: Position, walk: Walk) -> str:
    steps = f"{len(walk.cells)} cell{'s' * (len(walk.cells) != 1)}"
    if walk.escaped:
        return f"reaches the edge at {_name(position, walk.cells[-1])} after {steps}"
    return f"shut in after {steps}"


def capture_facts(position: Position, found: Capture) -> dict[str, Any]:
    """Return the same as data for JSON, with the names of cells."""

    def names(cells: Iterable[Cell]) -> list[str]:
        return [_name(position, cell) for cell in cells]

    return {
        "move": _name(position, found.piece),
        "walks": [
            {"cells": names(walk.cells), "reached_edge": walk.escaped} for walk in found.walks
        ],
        "loops": [
            {"pieces": names(loop.pieces), "inside": names(sorted(loop.inside))}
            for loop in found.loops
        ],
        "captured": names(sorted(found.cells)),
    }


def _framed(position: Position, board: str) -> Iterator[str]:
    """Yield the lines of a board with the names of its columns and rows."""
    picture = position.picture()
    yield "   " + " ".join(name.rjust(2) for name in picture.column_names)
    for name, row in zip(picture.row_names, board.splitlines(), strict=True):
        yield f"{name:>2} {row}"


def _names(position: Position, cells: Iterable[Cell]) -> str:
    return " ".join(_name(position, cell) for cell in cells)


def _name(position: Position, cell: Cell) -> str:
    picture = position.picture()
    return f"{picture.column_names[cell.column]}{picture.row_names[cell.row]}"
