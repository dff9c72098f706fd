"""Positions given by the moves from the start: reading and writing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain

from plyboard.errors import IllegalMoveError, NotationError, Place, UsageError
from plyboard.games.formats.tokens import Token
from plyboard.games.game import Game
from plyboard.games.position import Position
from plyboard.games.reading import unreadable

START = "startpos"  # stands for no moves, so that an empty text is an error

Parse = Callable[[Position, str], int]
"""Finds the action that a move text names in a position."""


def replay(game: Game, moves: Iterable[Token], parse: Parse) -> Position:
    """Return the position after these moves from the start; errors name the place."""
    position = Position(game)
    left = iter(moves)
    first = next(left, None)
    if first is None:
        raise unreadable("no moves", Place(1, 1), "", f"moves, or {START} for none")
    if first.text == START:
        for move in left:
            raise unreadable("not a move", move.where, move.text, f"nothing after {START}")
        return position
    for ply, move in enumerate(chain((first,), left), 1):
        with placed(Place(move.line, move.column, ply=ply)):
            position = position.apply_action(parse(position, move.text))
    return position


@contextmanager
def placed(where: Place) -> Iterator[None]:
    """Make errors about a move name this place in the text."""
    try:
        yield
    except (NotationError, IllegalMoveError) as fault:
        raise fault.replace(where=where) from None


def history(position: Position, name: str) -> list[tuple[Position, int]]:
    """Return each position since the start with the action that was taken in it."""
    steps: list[tuple[Position, int]] = []
    while position.before is not None and position.last_action is not None:
        steps.append((position.before, position.last_action))
        position = position.before
    if position.state != position.game.rules.start:
        raise UsageError(
            "no moves",
            where=name,
            got="a position alone",
            expected="one with the moves that led to it",
        )
    return steps[::-1]


def written(moves: list[str], gap: str) -> str:
    """Return moves as text; `startpos` if there are none."""
    return gap.join(moves or [START]) + "\n"
