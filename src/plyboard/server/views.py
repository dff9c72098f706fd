"""Boards and moves as clients see them."""

from __future__ import annotations

from functools import lru_cache

from plyboard.games import Game, Position, spec_of
from plyboard.games.board_input import BoardMove, BoardNotation
from plyboard.games.drawing import Shape, drawing_of
from plyboard.games.picture import Cell, Picture, filled_cells
from plyboard.server.protocol import (
    BoardPicture,
    CellMark,
    DrawingView,
    LegalMove,
    ModifierView,
    PieceLook,
    PlaceView,
    ShapeView,
    Territory,
)

MOST_SPECS = 1000  # games whose facts are kept


def board_picture(picture: Picture) -> BoardPicture:
    """Return a picture for clients."""
    return BoardPicture(
        rows=picture.rows,
        columns=picture.column_names,
        names=picture.row_names,
        pieces={
            symbol: PieceLook(piece.player, piece.fill, piece.ink, piece.radius, piece.fills)
            for symbol, piece in picture.pieces.items()
        },
        notes=picture.notes,
        line=_marks(picture.line),
        last=_marks(picture.last),
        territory=tuple(
            Territory(cell.row, cell.column, player)
            for cell, player in sorted(picture.territory.items())
        ),
        ground=picture.ground,
        hole=picture.hole,
        drawing=_drawing(picture),
    )


def _drawing(picture: Picture) -> DrawingView | None:
    """Return the shapes of a board that is no grid of holes."""
    drawing = drawing_of(picture)
    if drawing is None:
        return None
    looks = {cell: drawing.look(picture, cell) for cell in drawing.places}
    numbers = {look: number for number, look in enumerate(dict.fromkeys(looks.values()))}
    return DrawingView(
        drawing.width,
        drawing.height,
        back=_shapes(drawing.back),
        names=_shapes(drawing.names),
        looks=tuple(map(_shapes, numbers)),
        places=tuple(
            PlaceView(*cell, place.x, place.y, *place.size, numbers[looks[cell]])
            for cell, place in drawing.places.items()
        ),
    )


def _shapes(shapes: tuple[Shape, ...]) -> tuple[ShapeView, ...]:
    return tuple(
        ShapeView(
            each.points,
            each.circle,
            each.text,
            each.at,
            each.size,
            each.fill,
            each.stroke,
            each.width,
        )
        for each in shapes
    )


def _marks(cells: frozenset[Cell]) -> tuple[CellMark, ...]:
    return tuple(CellMark(cell.row, cell.column) for cell in sorted(cells))


@lru_cache(MOST_SPECS)
def _notation(spec: str) -> BoardNotation:
    """Return how moves are entered in a game."""
    return BoardNotation.of(Position(spec).game)


def prepare(game: Game) -> None:
    """Find out what the views of a game need. It takes up to 20 ms once, so not in the loop."""
    spec = spec_of(game)
    _notation(spec)
    _has_falling_pieces(spec)


def modifier_views(game: Game) -> tuple[ModifierView, ...]:
    """Return the modifiers of a game."""
    return tuple(
        ModifierView(each.text, each.title, each.is_before)
        for each in _notation(spec_of(game)).modifiers
    )


def legal_moves(position: Position) -> tuple[LegalMove, ...]:
    """Return the legal moves with the places to click for them."""
    known = _notation(spec_of(position.game))
    found, floor = known.input(position), _floor(position.game.picture(position.state))
    falls = _has_falling_pieces(spec_of(position.game))

    def view(move: BoardMove) -> LegalMove:
        if move.target is None:
            return LegalMove(move.text)
        column, row = move.target.column, move.target.row
        lands = floor[column] if falls and row is None and not move.modifiers else None
        used = (index for index, each in enumerate(known.modifiers) if each in move.modifiers)
        path = tuple(CellMark(*cell) for cell in move.path)
        return LegalMove(move.text, column, row, tuple(used), lands, path)

    return tuple(view(move) for move in found.moves if move.action in found.legal)


def _floor(picture: Picture) -> tuple[int | None, ...]:
    """Return the lowest empty row of each column, None if it is full."""
    rows = range(len(picture.rows) - 1, -1, -1)
    return tuple(
        next((row for row in rows if picture.rows[row][column] not in picture.pieces), None)
        for column in range(len(picture.column_names))
    )


@lru_cache(MOST_SPECS)
def _has_falling_pieces(spec: str) -> bool:
    """Return whether the first moves of a game fill the lowest cells of their columns."""
    start = Position(spec)
    floor = _floor(start.picture())
    plain = [
        move for move in _notation(spec).input(start).moves
        if move.target and move.target.row is None and not move.modifiers
        and move.action in start.legal_actions()
    ]  # fmt: skip
    return bool(plain) and all(
        filled_cells(start.picture(), start.apply_action(move.action).picture())
        == {Cell(floor[move.target.column] or 0, move.target.column)}
        for move in plain
        if move.target
    )
