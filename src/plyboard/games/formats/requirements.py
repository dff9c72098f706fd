"""Checks that a format can write a game, and that a position can be reached."""

from __future__ import annotations

from typing import TypeVar

from plyboard.errors import UnreachableError, UsageError, shown
from plyboard.games.game import Game, spec_of
from plyboard.games.position import Position

Kind = TypeVar("Kind", bound=Game)


def require_game(game: Game, kind: type[Kind], name: str) -> Kind:
    """Return the game; raise `UsageError` if it is not of this kind, of any size."""
    if not isinstance(game, kind):
        raise _wrong_game(game, name, kind.name)
    return game


def require_default_game(game: Game, only: Kind, name: str) -> Kind:
    """Return the game; raise `UsageError` if it is not this one with its default size."""
    if spec_of(require_game(game, type(only), name)) != spec_of(only):
        raise _wrong_game(game, name, f"{spec_of(only)} of the usual size")
    return only


def _wrong_game(game: Game, name: str, expected: str) -> UsageError:
    return UsageError("wrong game", where=name, got=shown(spec_of(game)), expected=expected)


def require_reachable(position: Position) -> Position:
    """Return the position; raise `UnreachableError` if no game can reach it."""
    reason = position.unreachable_reason()
    if reason:
        raise UnreachableError("unreachable position", where=spec_of(position.game), reason=reason)
    return position
