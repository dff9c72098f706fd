"""Positions that are put together cell by cell: what may be changed, and what is wrong so far."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from plyboard.errors import NotationError, PlyboardError, UnreachableError
from plyboard.games.game import Game, HasPositionSettings, NamesSymbols, PositionSetting
from plyboard.games.picture import Picture, Piece
from plyboard.games.reading import check_length, unreadable

SMALL = 32  # the radius of a symbol that is no piece
INK = "#ffffff"


@dataclass(frozen=True)
class EditedBoard:
    """A position that is being put together. No game may lead to it, or it cannot even be read.

    The first of the values is the player to move, the others are those of the settings.
    """

    rows: tuple[str, ...]
    values: tuple[str, ...]
    picture: Picture
    reason: str = ""  # why it is not a possible position


@dataclass(frozen=True)
class BoardEditor:
    """What can be changed in the positions of a game.

    A position text is the rows of the picture from the top joined by `/`, then the player to move
    and the settings of the game.
    """

    game: Game
    start: Picture
    symbols: Mapping[str, str]  # what may stand in a cell, with its name; an empty cell is last
    settings: tuple[PositionSetting, ...]

    @classmethod
    def of(cls, game: Game) -> BoardEditor | None:
        """Return the editor of a game; None if its position texts have another form."""
        picture = game.picture(game.rules.start)
        empty = next((each for _, each in picture.cells() if each not in picture.pieces), None)
        if empty is None:
            return None
        more = game.position_settings if isinstance(game, HasPositionSettings) else ()
        named = game.symbol_names if isinstance(game, NamesSymbols) else {}
        pieces = {each: f"Piece {each}" for each in picture.pieces}
        symbols = {**pieces, **named, empty: "Empty cell"}
        to_move = PositionSetting("To move", game.players)
        editor = cls(game, _with_all(picture, symbols, empty), symbols, (to_move, *more))
        return editor if editor._is_right_for(game.format_position(game.rules.start)) else None

    def parts(self, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the rows of a position text, and the values behind them.

        Raises `NotationError` if it has not the form of a position text.
        """
        board, blank, rest = check_length(text).partition(" ")
        match = self._form.fullmatch(blank + rest)
        if match is None:
            expected = f"rows, then {', '.join(each.label.lower() for each in self.settings)}"
            raise unreadable("no position", "", text, expected)
        return tuple(board.split("/")), match.groups()

    def board(
        self, rows: tuple[str, ...], values: tuple[str, ...], *, may_switch: bool = False
    ) -> EditedBoard:
        """Return a board that is given by its rows and the values of its settings.

        If `may_switch`, the other player is to move where that is possible and this is not.
        Raises `NotationError` if a row, a symbol or a value is none of this game.
        """
        self._check(rows, values)
        orders = [values]
        if may_switch:
            orders += [(each, *values[1:]) for each in self.game.players if each != values[0]]
        judged = []
        for order in orders:
            judged.append(self._judged(rows, order))
            if not judged[-1][1].reason:
                break
        return max(judged, key=lambda each: (not each[1].reason, each[0]))[1]

    def text(self, board: EditedBoard) -> str:
        """Return the position text of a board."""
        pairs = zip(self.settings, board.values, strict=True)
        return "/".join(board.rows) + "".join(each.separator + value for each, value in pairs)

    @cached_property
    def _form(self) -> re.Pattern[str]:
        """The form of what follows the board in a text, with a group for each value."""
        parts = (
            f"{re.escape(each.separator)}({'|'.join(map(re.escape, each.values))})"
            for each in self.settings
        )
        return re.compile("".join(parts))

    def _is_right_for(self, text: str) -> bool:
        """Return whether the text of the start position has the form that this editor writes."""
        try:
            return self.parts(text)[0] == self.start.rows
        except NotationError:
            return False

    def _check(self, rows: tuple[str, ...], values: tuple[str, ...]) -> None:
        wanted = [len(row) for row in self.start.rows]
        if [len(row) for row in rows] != wanted or not set("".join(rows)) <= set(self.symbols):
            expected = f"{len(wanted)} rows of {wanted[0]} cells of {''.join(self.symbols)}"
            raise unreadable("wrong board", "", "/".join(rows), expected)
        if len(values) != len(self.settings):
            raise unreadable("wrong settings", "", " ".join(values), f"{len(self.settings)}")
        for value, each in zip(values, self.settings, strict=True):
            if value not in each.values:
                raise unreadable("wrong setting", each.label, value, " or ".join(each.values))

    def _judged(self, rows: tuple[str, ...], values: tuple[str, ...]) -> tuple[bool, EditedBoard]:
        """Return whether a board can be read as a position, and the board with what is wrong."""
        board = EditedBoard(rows, values, replace(self.start, rows=rows, notes=()))
        try:
            state = self.game.parse_position(self.text(board))
        except UnreachableError as fault:
            return False, replace(board, reason=fault.reason or f"expected {fault.expected}")
        except PlyboardError as fault:
            return False, replace(board, reason=fault.replace(got="").first_line)
        rows, values = self.parts(self.game.format_position(state))
        shown = self.game.picture(state)
        picture = replace(shown, pieces={**self.start.pieces, **shown.pieces})
        return True, EditedBoard(rows, values, picture, self.game.unreachable_reason(state) or "")


def _with_all(picture: Picture, symbols: Mapping[str, str], empty: str) -> Picture:
    """Return a picture in which every symbol but the empty cell can be seen."""
    seen = {each: Piece(0, picture.ground, INK, SMALL) for each in symbols if each != empty}
    return replace(picture, pieces={**seen, **picture.pieces})
