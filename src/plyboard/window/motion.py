"""How pieces move from one picture of a board to the next. Only pictures are compared."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from plyboard.games.picture import Cell, Picture

SECONDS_PER_ROW = 0.05
SECONDS_TO_TURN = 0.4
SECONDS_TO_SLIDE = 0.18
TURNS = ((False, False), (False, True), (True, False), (True, True))  # before and after a drop
FLASH = 0.085  # seconds for each piece of a winning line
FLASHES = 6  # times round the line, after which all of it stays marked


@dataclass(frozen=True)
class MovingPiece:
    """A piece on its way within a column, from one row to another."""

    symbol: str
    column: int
    start: float
    end: float


@dataclass(frozen=True)
class Motion:
    """Pieces that move at the same time; all other pieces are in the list, too, and rest."""

    pieces: tuple[MovingPiece, ...]
    seconds: float
    is_turn: bool = False  # the board turns about its horizontal axis

    def row(self, piece: MovingPiece, share: float) -> float:
        """Return the row of a piece when a share of the time has passed, from 0 to 1."""
        if self.is_turn:
            share = (1 - math.cos(math.pi * share)) / 2
        return piece.start + (piece.end - piece.start) * share


def motions(
    before: Picture, after: Picture, likely: tuple[bool, bool] = (False, False)
) -> tuple[Motion, ...]:
    """Return the motions that lead to the next picture; none if it just replaces the last.

    Known are a falling disc, a column that slides down, and a board that is turned upside down
    before or after a disc falls; `likely` says which of these turns to expect.
    """
    if after.row_names or _shape(before) != _shape(after):  # pieces on named cells do not fall
        return ()
    slide = _slide(before, after)
    if slide is not None:
        return (slide,)
    can_turn = _is_fallen(before) and _is_fallen(after)
    for is_first, is_last in (likely, *TURNS) if can_turn else TURNS[:1]:
        start = turned(before) if is_first else before
        end = turned(after) if is_last else after
        drop = _drop(start, end)
        if drop is not None:
            found = [*(_turn(before) if is_first else ()), drop, *(_turn(end) if is_last else ())]
            return tuple(found)
    return ()


def turned(picture: Picture) -> Picture:
    """Return a picture upside down, with its pieces fallen to the new bottom."""
    height = len(picture.rows)
    columns = []
    for column in range(len(picture.rows[0])):
        pieces = [symbol for _, symbol in reversed(_pieces(picture, column))]
        blanks = [_blank(picture)] * (height - len(pieces))
        columns.append([*blanks, *pieces])
    return replace(picture, rows=tuple("".join(row) for row in zip(*columns, strict=True)))


def lit_cells(line: Sequence[Cell], seconds: float) -> tuple[Cell, ...]:
    """Return the pieces of a winning line that are marked after so many seconds.

    They flash one after another, several times round, and then stay marked.
    """
    step = int(seconds / FLASH)
    if not line or step >= FLASHES * len(line):
        return tuple(line)
    return (line[step % len(line)],)


def _drop(before: Picture, after: Picture) -> Motion | None:
    """Return the fall of the only new piece, if nothing lies above it; None for other changes."""
    new = [cell for cell, old, now in _changes(before, after) if old not in before.pieces]
    if len(new) != 1 or len(list(_changes(before, after))) != 1:
        return None
    (cell,) = new
    if any(row < cell.row for row, _ in _pieces(before, cell.column)):
        return None
    symbol = after.rows[cell.row][cell.column]
    falling = MovingPiece(symbol, cell.column, -1, cell.row)
    return Motion((*_resting(before), falling), SECONDS_PER_ROW * (cell.row + 1))


def _slide(before: Picture, after: Picture) -> Motion | None:
    """Return the slide of a column that has lost its lowest piece; None for other changes."""
    columns = {cell.column for cell, _, _ in _changes(before, after)}
    if len(columns) != 1:
        return None
    (column,) = columns
    old, new = _pieces(before, column), _pieces(after, column)
    if not old or [(row + 1, symbol) for row, symbol in old[:-1]] != new:
        return None
    if old[-1][0] != len(before.rows) - 1:
        return None
    others = tuple(piece for piece in _resting(before) if piece.column != column)
    sliding = tuple(MovingPiece(symbol, column, row, row + 1) for row, symbol in old)
    return Motion((*others, *sliding), SECONDS_TO_SLIDE)


def _turn(picture: Picture) -> Iterator[Motion]:
    """Yield the turn of a board, and the fall of its pieces to the new bottom."""
    last = len(picture.rows) - 1
    resting = _resting(picture)
    yield Motion(
        tuple(replace(piece, end=last - piece.start) for piece in resting),
        SECONDS_TO_TURN,
        is_turn=True,
    )
    falls = list[MovingPiece]()
    for column in range(len(picture.rows[0])):
        pieces = _pieces(picture, column)
        falls += [  # the highest piece becomes the lowest
            MovingPiece(symbol, column, last - row, last - place)
            for place, (row, symbol) in enumerate(pieces)
        ]
    longest = max((piece.end - piece.start for piece in falls), default=0)
    yield Motion(tuple(falls), SECONDS_PER_ROW * longest)


def _resting(picture: Picture) -> tuple[MovingPiece, ...]:
    return tuple(
        MovingPiece(symbol, cell.column, cell.row, cell.row)
        for cell, symbol in picture.cells()
        if symbol in picture.pieces
    )


def _changes(before: Picture, after: Picture) -> Iterator[tuple[Cell, str, str]]:
    for (cell, old), (_, new) in zip(before.cells(), after.cells(), strict=True):
        if old != new:
            yield cell, old, new


def _pieces(picture: Picture, column: int) -> list[tuple[int, str]]:
    """Return the rows and symbols of the pieces in a column, from the top."""
    symbols = ((row, line[column]) for row, line in enumerate(picture.rows))
    return [(row, symbol) for row, symbol in symbols if symbol in picture.pieces]


def _blank(picture: Picture) -> str:
    symbols = (symbol for _, symbol in picture.cells() if symbol not in picture.pieces)
    return next(symbols, " ")


def _is_fallen(picture: Picture) -> bool:
    """Return whether no piece has an empty cell below it."""
    return turned(turned(picture)).rows == picture.rows


def _shape(picture: Picture) -> tuple[int, ...]:
    return tuple(len(row) for row in picture.rows)
