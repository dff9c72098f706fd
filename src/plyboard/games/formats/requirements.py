"""What a format can hold: refusals of wrong games and of positions that no game reaches."""

from __future__ import annotations

from typing import TypeVar

from plyboard.errors import UnreachableError, UsageError, shown
from plyboard.games.game import Game, spec_of
from plyboard.games.position import Position

Kind = TypeVar("Kind", bound=Game)


def require_game(game: Game, kind: type[Kind], name: str) -> Kind:
    """Return the game if it is of the kind that the format holds, whatever its size."""
    if not isinstance(game, kind):
        raise _wrong_game(game, name, kind.name)
    return game


def require_default_game(game: Game, only: Kind, name: str) -> Kind:
    """Return the game if it is the only one that the format holds."""
    if spec_of(require_game(game, type(only), name)) != spec_of(only):
        raise _wrong_game(game, name, f"{spec_of(only)} of the usual size")
    return only


def _wrong_game(game: Game, name: str, expected: str) -> UsageError:
    return UsageError("wrong game", where=name, got=shown(spec_of(game)), expected=expected)


def require_reachable(position: Position) -> Position:
    """Return the position; refuse it if no game can have led to it."""
    reason = position.unreachable()
    if reason:
        raise UnreachableError("unreachable position", where=spec_of(position.game), reason=reason)
    return position
