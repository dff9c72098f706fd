"""The player of Extended Connect Four, and what its course had around it.

`AIPlayer` plays in the course's program; `eval` and its parts `g` and `h` are its evaluation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyboard.plugins import lazily

if TYPE_CHECKING:
    from plyboard.origins.extended.evaluation import eval, g, get_pts, h
    from plyboard.origins.extended.player import AIPlayer

__all__ = ["AIPlayer", "eval", "g", "get_pts", "h"]

__getattr__ = lazily(
    __name__,
    {
        "AIPlayer": "player",
        "eval": "evaluation",
        "g": "evaluation",
        "h": "evaluation",
        "get_pts": "evaluation",
    },
)
