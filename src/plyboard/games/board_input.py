"""How moves are entered on a drawn board: the cells or columns to click, and modifiers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from plyboard.games.game import Game, HasClicks, HasModifiers, Modifier
from plyboard.games.picture import Cell, Picture, changed_cells, filled_cells
from plyboard.games.position import Position

Path = tuple[Cell, ...]


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
    """A move as it is entered on the board: clicks on a path of cells, the last on its target.

    Most moves have no path before the target; one from cell to cell has the first of them.
    Without a target a move can only be chosen by its text.
    """

    action: int
    text: str
    target: Target | None = None
    modifiers: frozenset[Modifier] = frozenset()
    path: Path = ()


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

    def at(
        self, cell: Cell, modifiers: Iterable[Modifier] = (), path: Path = ()
    ) -> tuple[BoardMove, ...]:
        """Return the moves that a click on a cell, after those of a path, can mean.

        Only illegal ones are returned if none is legal. If every move there has modifiers and none
        is chosen, all legal ones are returned, as a choice.
        """
        wanted = frozenset(modifiers)
        there = [
            move
            for move in self.moves
            if move.target is not None and move.path == path and move.target.covers(cell)
        ]
        found = [move for move in there if move.modifiers == wanted] or (there * (not wanted))
        return tuple(move for move in found if move.action in self.legal) or tuple(found)

    def next_cells(self, path: Path = ()) -> frozenset[Cell]:
        """Return the cells of legal moves after a path; for an empty path, where longer ones begin.

        These are lit: pieces that can move, then where the chosen one can go.
        """
        length, found = len(path), set[Cell]()
        for move in self._legal_moves():
            if move.target is None or move.path[:length] != path:
                continue
            if len(move.path) > length:
                found.add(move.path[length])
            elif path and move.target.row is not None:
                found.add(Cell(move.target.row, move.target.column))
        return frozenset(found)

    def click(
        self, path: Path, cell: Cell, modifiers: Iterable[Modifier] = ()
    ) -> tuple[Path, tuple[BoardMove, ...]]:
        """Return the path after one more click, and the moves that this click completes.

        A second click on the last cell of a path, or one elsewhere, gives the path up; a click on
        another piece that can move begins with that one.
        """
        moves, longer = self.at(cell, modifiers, path), (*path, cell)
        if self.next_cells(longer):
            return longer, moves
        if not path or moves:
            return (), moves
        begins = cell != path[-1] and cell in self.next_cells()
        return ((cell,) if begins else ()), ()

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

    The text of a move names the cells to click, or a column: `4`, `f4`, `3p`, `c4`, `a2-a3`. A move
    whose text names none has a button, such as `pass`. In games with other notations the target of
    a legal move is the only cell that it fills. A game that is none of these says itself what to
    click: `HasClicks`.
    """

    names_cells: bool  # whether the texts do
    modifiers: tuple[Modifier, ...]

    @classmethod
    def of(cls, game: Game) -> BoardNotation:
        """Return the notation of a game.

        Its start position decides what texts mean: a legal move without modifiers must change the
        board where its text says, and a move whose text names no cell fills none.
        """
        start, known = Position(game), _declared_modifiers(game)
        if isinstance(game, HasClicks):
            return cls(False, tuple(known.values()))
        picture, legal = start.picture(), start.legal_actions()
        pattern, named = _Pattern.of(picture), False
        for action in range(game.rules.actions):
            move = pattern.move(start, action, known)
            if action in legal:
                if not _is_meant(start, picture, action, move):
                    return cls(False, ())
                named = named or move.target is not None
        return cls(named, tuple(known.values()) if named else ())

    def input(self, position: Position) -> BoardInput:
        """Return the moves of a position as they are entered."""
        legal, known = position.legal_actions(), {each.key: each for each in self.modifiers}
        if isinstance(position.game, HasClicks):
            moves = [_clicked_move(position, position.game, action) for action in legal]
        elif self.names_cells:
            pattern = _Pattern.of(position.game.picture(position.state))
            every = range(position.game.rules.actions)
            found = (pattern.move(position, action, known) for action in every)
            # An illegal move on a single target is refused with a reason.
            moves = [
                move for move in found
                if move.action in legal or (move.target is not None and not move.path)
            ]  # fmt: skip
        else:
            moves = [_filling_move(position, action) for action in legal]
        return BoardInput(tuple(moves), frozenset(legal), self.modifiers)


Modifiers = dict[tuple[str, bool], Modifier]


def _declared_modifiers(game: Game) -> Modifiers:
    return {each.key: each for each in (game.modifiers if isinstance(game, HasModifiers) else ())}


def _filling_move(position: Position, action: int) -> BoardMove:
    after = position.apply_action(action).picture()
    filled = filled_cells(position.game.picture(position.state), after)
    return _path_move(position, action, tuple(filled) if len(filled) == 1 else ())


def _clicked_move(position: Position, game: HasClicks, action: int) -> BoardMove:
    return _path_move(position, action, game.clicks(position.state, action))


def _path_move(
    position: Position, action: int, cells: Sequence[Cell], modifiers: Iterable[Modifier] = ()
) -> BoardMove:
    text = position.move_text(action)
    if not cells:
        return BoardMove(action, text)
    *path, (row, column) = cells
    return BoardMove(action, text, Target(column, row), frozenset(modifiers), tuple(path))


@dataclass(frozen=True)
class _Pattern:
    """The form of a move that names a column, or one cell or more: `c4`, `a2-a3`, `a7xb8q`."""

    columns: tuple[str, ...]
    rows: tuple[str, ...]
    place: re.Pattern[str]
    form: re.Pattern[str]

    @classmethod
    def of(cls, picture: Picture) -> _Pattern:
        columns, rows = picture.column_names, picture.row_names
        place = f"({_any_of(columns)})" + (f"({_any_of(rows)})" if rows else "()")
        inner = place.replace("(", "(?:")
        more = f"(?:[-x:]?{inner})*" if rows else ""
        form = re.compile(f"([A-Za-z]*?)({inner}{more})=?([A-Za-z]*)")
        return cls(columns, rows, re.compile(place), form)

    def move(self, position: Position, action: int, known: Modifiers) -> BoardMove:
        """Return the move with the cells in its text; modifiers of a single target are added."""
        text = position.move_text(action)
        match = self.form.fullmatch(text)
        if match is None:
            return BoardMove(action, text)
        before, places, after = match.groups()
        found = [
            (self.rows.index(row) if row else None, self.columns.index(column))
            for column, row in self.place.findall(places)
        ]
        is_path = len(found) > 1
        used = [key for key in ((before, True), (after, False)) if key[0]]
        modifiers = frozenset(
            known.setdefault(key, Modifier(*key)) if not is_path else known[key]
            for key in used
            if not is_path or key in known
        )
        *path, (row, column) = found
        cells = tuple(Cell(row, column) for row, column in path if row is not None)
        return BoardMove(action, text, Target(column, row), modifiers, cells)


def _any_of(names: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(names, key=len, reverse=True)))


def _is_meant(start: Position, before: Picture, action: int, move: BoardMove) -> bool:
    """Return whether a legal move without modifiers changes the board where its text says."""
    if move.modifiers:
        return True
    after = start.apply_action(action).picture()
    if move.target is None:
        return len(filled_cells(before, after)) != 1
    changed = changed_cells(before, after)
    return any(map(move.target.covers, changed)) and (not move.path or move.path[0] in changed)
