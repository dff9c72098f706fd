"""The classes of Four In A Row, so that a program written against them runs with ours.

`Game`, `AI` with its `Node`, and `Communicator` need no window; `Screen` and `FourInARow` need Tk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from plyboard.origins.four_in_a_row.ai import AI, Node
from plyboard.origins.four_in_a_row.communicator import Communicator
from plyboard.origins.four_in_a_row.game import Game

if TYPE_CHECKING:
    from plyboard.origins.four_in_a_row.program import FourInARow
    from plyboard.origins.four_in_a_row.screen import Screen

__all__ = ["AI", "Communicator", "FourInARow", "Game", "Node", "Screen"]


def __getattr__(name: str) -> Any:
    """Import the classes that need Tk only when they are used."""
    if name == "Screen":
        from plyboard.origins.four_in_a_row.screen import Screen

        return Screen
    if name == "FourInARow":
        from plyboard.origins.four_in_a_row.program import FourInARow

        return FourInARow
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
