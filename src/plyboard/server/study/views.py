"""Positions without a game as clients see them."""

from __future__ import annotations

from functools import lru_cache

from plyboard.games import Position
from plyboard.games import game as find_game
from plyboard.games.board_editor import BoardEditor, EditedBoard
from plyboard.play import Result
from plyboard.server.protocol import EditedView, EndView, PositionView, SettingView, SymbolView
from plyboard.server.views import MOST_SPECS, board_picture, legal_moves, modifier_views


@lru_cache(MOST_SPECS)
def board_editor(spec: str) -> BoardEditor | None:
    """Return the editor of a game's positions; None if they cannot be edited."""
    return BoardEditor.of(find_game(spec))


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
        movers=tuple(each.mover for each in position.history[:-1]),
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
