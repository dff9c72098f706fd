"""Games as clients see them: everything that is needed to draw them, and nothing secret."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache

from plyboard.games import Game, Position, spec_of
from plyboard.games import game as find_game
from plyboard.games.board_editor import BoardEditor, EditedBoard
from plyboard.games.board_input import BoardMove, BoardNotation, filled_cells
from plyboard.games.picture import Cell, Picture
from plyboard.play import Result
from plyboard.server.game.events import GamePlan, GameState
from plyboard.server.protocol import (
    BoardPicture,
    CellMark,
    EditedView,
    EndView,
    GameView,
    LegalMove,
    ModifierView,
    OpenGame,
    PieceLook,
    PositionView,
    SeatView,
    SettingView,
    SymbolView,
    Territory,
)


def game_view(state: GameState, now: float) -> GameView:
    """Return a game for spectators; `msgspec.structs.replace` adds what one client gets."""
    match, position, clock = state.match, state.match.position, state.table.clock
    left = None if clock is None else (clock.left_at(0, now), clock.left_at(1, now))
    end = match.end
    return GameView(
        game=state.id,
        seq=state.sequence,
        spec=state.plan.game,
        title=position.game.title,
        seats=(_seat_view(state, 0, left), _seat_view(state, 1, left)),
        moves=tuple(_moves(state)),
        text=position.text(),
        mover=position.mover,
        board=board_picture(position.picture()),
        legal=() if end else legal_moves(position),
        modifiers=modifier_views(position.game),
        end=None if end is None else EndView(end.result.value, end.reason, end.detail),
        running=None if clock is None else clock.running,
        draw_offer=state.draw_offer,
        takeback_offer=state.takeback_offer,
        rematch_offer=state.rematch_offer,
        next=state.next,
        waiting=state.is_waiting,
        start=state.plan.start,
    )


def open_game(game_id: str, plan: GamePlan) -> OpenGame:
    """Return a waiting game for the lobby."""
    host = next((seat.name for seat in plan.seats if seat.kind != "open"), "")
    return OpenGame(game_id, plan.game, find_game(plan.game).title, host, plan.clock)


def board_picture(picture: Picture) -> BoardPicture:
    """Return a picture for clients."""
    return BoardPicture(
        rows=picture.rows,
        columns=picture.column_names,
        names=picture.row_names,
        pieces={
            symbol: PieceLook(piece.player, piece.fill, piece.ink, piece.radius)
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
    )


def _marks(cells: frozenset[Cell]) -> tuple[CellMark, ...]:
    return tuple(CellMark(cell.row, cell.column) for cell in sorted(cells))


def _seat_view(state: GameState, player: int, left: tuple[float, float] | None) -> SeatView:
    seat, symbols = state.seats[player], state.match.position.game.players
    seconds = None if left is None else round(max(0.0, left[player]), 3)
    return SeatView(seat.kind, seat.name, symbols[player], seat.agent, seconds)


def _moves(state: GameState) -> list[str]:
    write = state.match.position.game.write
    return ["-" if turn.action is None else write(turn.action) for turn in state.match.turns]


def position_view(request: str, spec: str, position: Position) -> PositionView:
    """Return any position for clients."""
    outcome = position.outcome()
    return PositionView(
        re=request,
        spec=spec,
        moves=position.moves,
        text=position.text(),
        mover=position.mover,
        board=board_picture(position.picture()),
        legal=legal_moves(position),
        modifiers=modifier_views(position.game),
        end=None if outcome is None else EndView(Result.of(outcome.winner).value, outcome.reason),
    )


def edited_view(request: str, spec: str, editor: BoardEditor, board: EditedBoard) -> EditedView:
    """Return a board that is being put together for clients."""
    return EditedView(
        re=request,
        spec=spec,
        text=editor.text(board),
        board=board_picture(board.picture),
        symbols=tuple(SymbolView(symbol, name) for symbol, name in editor.symbols.items()),
        settings=tuple(
            SettingView(each.label, value, each.values, each.titles or each.values)
            for each, value in zip(editor.settings, board.values, strict=True)
        ),
        reason=board.reason,
    )


MOST_NOTATIONS = 100
_NOTATIONS: OrderedDict[str, BoardNotation] = OrderedDict()


def board_notation(game: Game) -> BoardNotation:
    """Return how moves are entered in a game; the latest ones are kept."""
    spec = spec_of(game)
    if spec not in _NOTATIONS:
        _NOTATIONS[spec] = BoardNotation.of(game)
        if len(_NOTATIONS) > MOST_NOTATIONS:
            _NOTATIONS.popitem(last=False)
    return _NOTATIONS[spec]


@lru_cache(MOST_NOTATIONS)
def board_editor(spec: str) -> BoardEditor | None:
    """Return the editor of a game's positions; None if they cannot be edited."""
    return BoardEditor.of(find_game(spec))


def modifier_views(game: Game) -> tuple[ModifierView, ...]:
    """Return the modifiers of a game."""
    return tuple(
        ModifierView(each.text, each.title, each.is_before)
        for each in board_notation(game).modifiers
    )


def legal_moves(position: Position) -> tuple[LegalMove, ...]:
    """Return the legal moves with the places to click for them."""
    known = board_notation(position.game)
    found, floor = known.input(position), _floor(position.game.picture(position.state))
    falls = _has_falling_pieces(spec_of(position.game))

    def view(move: BoardMove) -> LegalMove:
        if move.target is None:
            return LegalMove(move.text)
        column, row = move.target.column, move.target.row
        lands = floor[column] if falls and row is None and not move.modifiers else None
        used = (index for index, each in enumerate(known.modifiers) if each in move.modifiers)
        return LegalMove(move.text, column, row, tuple(used), lands)

    return tuple(view(move) for move in found.moves if move.action in found.legal)


def _floor(picture: Picture) -> tuple[int | None, ...]:
    """Return the lowest empty row of each column, None if it is full."""
    rows = range(len(picture.rows) - 1, -1, -1)
    return tuple(
        next((row for row in rows if picture.rows[row][column] not in picture.pieces), None)
        for column in range(len(picture.column_names))
    )


@lru_cache(MOST_NOTATIONS)
def _has_falling_pieces(spec: str) -> bool:
    """Return whether the first moves of a game fill the lowest cells of their columns."""
    start = Position(spec)
    floor = _floor(start.picture())
    plain = [
        move for move in board_notation(start.game).input(start).moves
        if move.target and move.target.row is None and not move.modifiers
        and move.action in start.legal_actions()
    ]  # fmt: skip
    return bool(plain) and all(
        filled_cells(start, move.action)
        == {Cell(floor[move.target.column] or 0, move.target.column)}
        for move in plain
        if move.target
    )
