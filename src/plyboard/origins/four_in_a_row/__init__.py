"""The classes of Four In A Row, so that a program written against them runs with ours.

`Game`, `AI` with its `Node`, and `Communicator` need no window; `Screen` and `FourInARow` need Tk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyboard.plugins import lazily

if TYPE_CHECKING:
    from plyboard.origins.four_in_a_row.ai import AI, Node
    from plyboard.origins.four_in_a_row.communicator import Communicator
    from plyboard.origins.four_in_a_row.game import Game
    from plyboard.origins.four_in_a_row.program import FourInARow
    from plyboard.origins.four_in_a_row.screen import Screen

__all__ = ["AI", "Communicator", "FourInARow", "Game", "Node", "Screen"]

__getattr__ = lazily(
    __name__,
    {
        "AI": "ai",
        "Node": "ai",
        "Communicator": "communicator",
        "Game": "game",
        "Screen": "screen",
        "FourInARow": "program",
    },
)
