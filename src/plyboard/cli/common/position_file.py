"""Position files in any of the formats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyboard.errors import PlyboardError, UnreachableError, UsageError, shown

if TYPE_CHECKING:
    from plyboard.games import Position


def read_position(name: str, source: str, game: str | None, *, strict: bool = False) -> Position:
    """Return the position in a file of this format; `game` is a spec if the file names none.

    Positions that no game can reach are refused. In a format that hides pieces, their counts are
    checked only if `strict`.
    """
    from plyboard.games.catalogue import game as find_game
    from plyboard.games.formats import format_named
    from plyboard.games.game import spec_of, values_of
    from plyboard.games.reading import read_file
    from plyboard.specs import split_spec

    reader = format_named(source)
    if game is not None and source == "position":
        raise UsageError(
            "game given twice", where="--from", got=shown(game), expected="only the file's"
        )
    chosen = find_game(reader.games[0] if game is None else game)
    try:
        position = reader.read(read_file(name), chosen)
    except PlyboardError as fault:
        raise fault.in_file(name) from None
    for key, value in split_spec(game)[1].items() if game else ():
        if str(values_of(position.game)[key]) != value:
            told, right = f"{key}={value}", spec_of(position.game)
            raise UsageError("wrong game", got=shown(told), expected=f"{right}, as read")
    reason = None if reader.hides_pieces and not strict else position.unreachable_reason()
    if reason:
        raise UnreachableError("unreachable position", reason=reason)
    return position
