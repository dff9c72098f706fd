"""Text formats for positions: one file per format, all in one list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyboard.errors import UsageError, shown
from plyboard.games.catalogue import GAMES
from plyboard.games.connect_four import ConnectFour
from plyboard.games.formats import cfour_fen, cfour_moves, moves, position_line
from plyboard.games.game import Game
from plyboard.games.position import Position
from plyboard.games.reading import check_length
from plyboard.plugins import plugins
from plyboard.specs import choices

GROUP = "plyboard.formats"
__all__ = ["Format", "format_named", "known_formats"]


@dataclass(frozen=True)
class Format:
    """A text format for positions; a text may span lines and ends with a newline.

    `read` takes a text and the requested game. A format that includes the size of the board
    returns a position of the game of that size. A format that hides pieces returns positions whose
    piece counts may be impossible.
    """

    name: str
    says: str
    games: tuple[str, ...]
    reader: Callable[[str, Game], Position]
    write: Callable[[Position], str]
    hides_pieces: bool = False
    players: tuple[str, str] | None = None  # names of the player to move and of the other one

    def read(self, text: str, game: Game) -> Position:
        """Return the position of a text; raise if it is longer than a file may be."""
        return self.reader(check_length(text), game)


EVERY = tuple(kind.name for kind in GAMES)
FOUR = (ConnectFour.name,)

FORMATS: tuple[Format, ...] = (
    Format("position", "a spec and a position text on one line",
           EVERY, position_line.read, position_line.write),
    Format("moves", "the moves from the start: 4455, or 4 4f 5 f5",
           EVERY, moves.read, moves.write),
    Format("cfour-fen", "the FEN of chess programs for their variant cfour",
           FOUR, cfour_fen.read, cfour_fen.write),
    Format("cfour-moves", "the drops from the start as chess programs write them: P@d1 P@d2",
           FOUR, cfour_moves.read, cfour_moves.write),
)  # fmt: skip


def known_formats() -> tuple[Format, ...]:
    """Return our formats, then those of plug-ins."""
    taken = {each.name for each in FORMATS}
    return FORMATS + tuple(each.value for each in plugins(GROUP, taken))


def format_named(name: str) -> Format:
    """Return the format with this name; raise `UsageError` if there is none."""
    known = {each.name: each for each in known_formats()}
    if name not in known:
        raise UsageError("unknown format", got=shown(name), expected=choices(name, known))
    return known[name]
