"""Slow, obvious twins of the four games and of those in `examples/games`, from the rules alone.

Nothing here knows how the engine works: boards are strings and sets, lines are walked cell by
cell, and every word spoken (moves, positions, outcomes) is the text that the engine speaks too.
"""

from typing import Any, Protocol, TypeVar

from oracles.breakthrough import Breakthrough
from oracles.connect_four import ConnectFour
from oracles.conniption import Conniption
from oracles.dots_and_boxes import DotsAndBoxes
from oracles.extended import Extended
from oracles.hex import Hex
from oracles.kalah import Kalah
from oracles.othello import Othello
from oracles.squatter import Squatter

S = TypeVar("S")


class Oracle(Protocol[S]):
    """What every oracle can be asked; states are plain values."""

    def start(self) -> S:
        """Return the position before the first move."""

    def moves(self, state: S) -> list[str]:
        """Return the legal moves in their fixed order; empty once the game is over."""

    def play(self, state: S, move: str) -> S:
        """Return the position after a legal move; raise ValueError for any other text."""

    def outcome(self, state: S) -> str | None:
        """Return "first", "second" or "draw", or None while the game goes on."""

    def scores(self, state: S) -> tuple[int, int] | None:
        """Return first's and second's points, or None in a game without points."""

    def mover(self, state: S) -> int:
        """Return 0 when first moves next, 1 when second does."""

    def text(self, state: S) -> str:
        """Return the position text."""

    def read(self, text: str) -> S:
        """Return the position of a text; raise ValueError if it is none."""


ORACLES: dict[str, type[Any]] = {
    "breakthrough": Breakthrough,
    "connect-four": ConnectFour,
    "conniption": Conniption,
    "dots-and-boxes": DotsAndBoxes,
    "extended": Extended,
    "hex": Hex,
    "kalah": Kalah,
    "othello": Othello,
    "squatter": Squatter,
}
