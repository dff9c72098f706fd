"""Text formats for positions: one file per format, all in one list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyboard.errors import UsageError, shown
from plyboard.games.catalogue import GAMES
from plyboard.games.connect_four import ConnectFour
from plyboard.games.conniption import Conniption
from plyboard.games.extended import Extended
from plyboard.games.formats import (
    alice_bill,
    cfour_fen,
    cfour_moves,
    conniption_tuples,
    extended_case,
    extended_moves,
    moves,
    position_line,
    squatter_board,
    squatter_symbols,
)
from plyboard.games.game import Game
from plyboard.games.position import Position
from plyboard.games.reading import check_length
from plyboard.games.squatter import Squatter
from plyboard.specs import choices

__all__ = ["FORMATS", "Format", "format_named"]


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

    def read(self, text: str, game: Game) -> Position:
        """Return the position of a text; raise if it is longer than a file may be."""
        return self.reader(check_length(text), game)


EVERY = tuple(kind.name for kind in GAMES)
FOUR, FLIPS, POPS, LOOPS = ((kind.name,) for kind in (ConnectFour, Conniption, Extended, Squatter))

FORMATS: tuple[Format, ...] = (
    Format("position", "a spec and a position text on one line",
           EVERY, position_line.read, position_line.write),
    Format("moves", "the moves from the start: 4455, or 4 4f 5 f5",
           EVERY, moves.read, moves.write),
    Format("alice-bill", "seven columns of a and b, bottom first, e if empty; Alice (a) moves",
           FOUR, alice_bill.read, alice_bill.write),
    Format("cfour-fen", "the FEN of chess programs for their variant cfour",
           FOUR, cfour_fen.read, cfour_fen.write),
    Format("cfour-moves", "the drops from the start as chess programs write them: P@d1 P@d2",
           FOUR, cfour_moves.read, cfour_moves.write),
    Format("extended-case", "the pops of both, then rows of 0, 1 and 2; player 1 moves",
           POPS, extended_case.read, extended_case.write),
    Format("extended-moves", "the moves from the start, one tuple such as (3, True) per line",
           POPS, extended_moves.read, extended_moves.write),
    Format("squatter-board", "the size, then rows of B W + -, where - hides what was captured",
           LOOPS, squatter_board.read, squatter_board.write, hides_pieces=True),
    Format("squatter-symbols", "rows of B W b w + - as players print them",
           LOOPS, squatter_symbols.read, squatter_symbols.write),
    Format("conniption-tuples", "columns of true and false in a JSON object, bottom first",
           FLIPS, conniption_tuples.read, conniption_tuples.write),
)  # fmt: skip


def format_named(name: str) -> Format:
    """Return the format with this name; raise `UsageError` if there is none."""
    known = {each.name: each for each in FORMATS}
    if name not in known:
        raise UsageError("unknown format", got=shown(name), expected=choices(name, known))
    return known[name]
