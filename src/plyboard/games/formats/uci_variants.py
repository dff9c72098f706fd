"""UCI variants: the notation of games, positions and moves in the UCI protocol.

`cfour` is Connect Four in the notation of chess programs, `P@d1`. Every game is also a variant
under its own spec and notation, on a board of any size: `connect-four:columns=8`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyboard.errors import SpecError, shown
from plyboard.games import Position, game, spec_of
from plyboard.games.catalogue import known_games
from plyboard.games.connect_four import ConnectFour
from plyboard.games.formats.cfour_fen import drop_text, read_drop
from plyboard.games.formats.cfour_fen import read as read_fen
from plyboard.games.formats.cfour_fen import write as write_fen
from plyboard.games.formats.requirements import require_default_game, require_reachable
from plyboard.specs import choices, split_spec

CFOUR = "cfour"


@dataclass(frozen=True)
class Variant:
    """A game with its notation in the protocol."""

    name: str
    start: Position
    read: Callable[[str], Position]  # the argument of `fen`
    parse: Callable[[Position, str], int]  # the action of a move in a position
    write: Callable[[Position, int], str]
    fen: Callable[[Position], str]  # a position as the argument of `fen`


def variant_names() -> tuple[str, ...]:
    """Return the names of the variants: `cfour`, and all games that are known."""
    return (CFOUR, *known_games())


def variant(name: str) -> Variant:
    """Return the variant of a name; raise `SpecError` if it is unknown."""
    if name == CFOUR:
        return _cfour()
    told, _ = split_spec(name)
    try:
        chosen = game(name)
    except SpecError as fault:
        names = variant_names()
        if told in names:
            raise
        raise SpecError(
            "unknown variant", got=shown(told), expected=choices(told, names)
        ) from fault
    return Variant(
        spec_of(chosen),
        Position(chosen),
        read=lambda text: require_reachable(Position(chosen, text)),
        parse=Position.parse_move,
        write=Position.move_text,
        fen=lambda position: position.text(),
    )


def _cfour() -> Variant:
    usual = ConnectFour()

    def read(text: str) -> Position:
        position = read_fen(text, usual)
        require_default_game(position.game, usual, CFOUR)
        return position

    return Variant(
        CFOUR,
        Position(usual),
        read=read,
        parse=lambda position, move: read_drop(usual, move, position.state),
        write=lambda position, action: drop_text(usual, action, position.state),
        fen=lambda position: write_fen(position).strip(),
    )
