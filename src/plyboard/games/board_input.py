"""How moves are entered on a drawn board: the column or cell to click, and modifiers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from plyboard.games.game import Game, HasModifiers, Modifier
from plyboard.games.picture import Cell, Picture
from plyboard.games.position import Position


@dataclass(frozen=True)
class Target:
    """Where a move is made: on a cell, or anywhere in a column if there is no row."""

    column: int
    row: int | None = None

    def covers(self, cell: Cell) -> bool:
        """Return whether a click on this cell means the target."""
        return cell.column == self.column and self.row in (None, cell.row)


@dataclass(frozen=True)
class BoardMove:
    """A move as it is entered on the board. Without a target it can only be chosen by its text."""

    action: int
    text: str
    target: Target | None = None
    modifiers: frozenset[Modifier] = frozenset()


@dataclass(frozen=True)
class BoardInput:
    """The moves of a position as they are entered on its board, legal or not."""

    moves: tuple[BoardMove, ...]
    legal: frozenset[int]
    modifiers: tuple[Modifier, ...] = ()

    @cached_property
    def is_by_column(self) -> bool:
        """Whether every target is a whole column."""
        targets = [move.target for move in self.moves if move.target is not None]
        return bool(targets) and all(target.row is None for target in targets)

    def at(self, cell: Cell, modifiers: Iterable[Modifier] = ()) -> tuple[BoardMove, ...]:
        """Return the moves that a click on a cell can mean; only illegal ones if none is legal."""
        wanted = frozenset(modifiers)
        found = [
            move
            for move in self.moves
            if move.target is not None and move.target.covers(cell) and move.modifiers == wanted
        ]
        return tuple(move for move in found if move.action in self.legal) or tuple(found)

    def usable_modifiers(self) -> tuple[Modifier, ...]:
        """Return the modifiers that some legal move has."""
        used = {each for move in self._legal_moves() for each in move.modifiers}
        return tuple(each for each in self.modifiers if each in used)

    def elsewhere(self) -> tuple[BoardMove, ...]:
        """Return the legal moves that no click on the board means."""
        return tuple(move for move in self._legal_moves() if move.target is None)

    def _legal_moves(self) -> list[BoardMove]:
        return [move for move in self.moves if move.action in self.legal]


@dataclass(frozen=True)
class BoardNotation:
    """How the moves of a game are entered on its board.

    The text of a move names its target: `4`, `f4`, `3p`, `c4`. In games with other notations the
    target of a legal move is the only cell that it fills.
    """

    named: tuple[BoardMove, ...]  # every action; none if the texts name no targets
    modifiers: tuple[Modifier, ...]

    @classmethod
    def of(cls, game: Game) -> BoardNotation:
        """Return the notation of a game.

        Its start position decides what texts mean: a legal move without modifiers must change the
        board at the target in its text.
        """
        start = Position(game)
        picture, known = start.picture(), dict[tuple[str, bool], Modifier]()
        for each in game.modifiers if isinstance(game, HasModifiers) else ():
            known[each.text, each.is_before] = each
        pattern, actions = _pattern(picture), range(game.rules.actions)
        moves = [_named_move(start.move_text(action), action, pattern, known) for action in actions]
        named = tuple(move for move in moves if move is not None)
        if len(named) < len(moves) or not all(_is_meant(start, picture, move) for move in named):
            return cls((), ())
        return cls(named, tuple(known.values()))

    def input(self, position: Position) -> BoardInput:
        """Return the moves of a position as they are entered."""
        legal = position.legal_actions()
        named = (replace(move, text=position.move_text(move.action)) for move in self.named)
        moves = tuple(named) or tuple(_filling_move(position, action) for action in legal)
        return BoardInput(moves, frozenset(legal), self.modifiers)


def filled_cells(position: Position, action: int) -> frozenset[Cell]:
    """Return the empty cells that a legal move fills."""
    return position.apply_action(action).picture().last


def _filling_move(position: Position, action: int) -> BoardMove:
    filled = filled_cells(position, action)
    text = position.move_text(action)
    if len(filled) != 1:
        return BoardMove(action, text)
    (cell,) = filled
    return BoardMove(action, text, Target(cell.column, cell.row))


@dataclass(frozen=True)
class _Pattern:
    """The form of a move that names a column, or a column and a row."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    form: re.Pattern[str]


def _pattern(picture: Picture) -> _Pattern:
    columns, rows = _any_of(picture.column_names), _any_of(picture.row_names)
    row = f"({rows})" if picture.row_names else "()"
    form = re.compile(f"([A-Za-z]*?)({columns}){row}([A-Za-z]*)")
    return _Pattern(picture.column_names, picture.row_names, form)


def _any_of(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True)))


def _named_move(
    text: str, action: int, pattern: _Pattern, known: dict[tuple[str, bool], Modifier]
) -> BoardMove | None:
    """Return the move with the target in its text; None if there is none."""
    match = pattern.form.fullmatch(text)
    if match is None:
        return None
    before, column, row, after = match.groups()
    modifiers = [
        known.setdefault((part, is_before), Modifier(part, is_before))
        for part, is_before in ((before, True), (after, False))
        if part
    ]
    target = Target(pattern.columns.index(column), pattern.rows.index(row) if row else None)
    return BoardMove(action, text, target, frozenset(modifiers))


def _is_meant(start: Position, before: Picture, move: BoardMove) -> bool:
    """Return whether a legal move without modifiers changes the board at its target."""
    if move.modifiers or move.action not in start.legal_actions():
        return True
    after = start.apply_action(move.action).picture()
    return any(
        move.target is not None and move.target.covers(cell)
        for (cell, old), (_, new) in zip(before.cells(), after.cells(), strict=True)
        if old != new
    )
