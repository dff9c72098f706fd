"""The player of Squatter, and what its course had around it.

`Player` plays against other players in the course's referee, by `Move`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyboard.plugins import lazily

if TYPE_CHECKING:
    from plyboard.origins.squatter.player import BLACK, DEAD, EMPTY, INVALID, WHITE, Move, Player

__all__ = ["BLACK", "DEAD", "EMPTY", "INVALID", "Move", "Player", "WHITE"]

__getattr__ = lazily(
    __name__,
    {
        "BLACK": "player",
        "DEAD": "player",
        "EMPTY": "player",
        "INVALID": "player",
        "WHITE": "player",
        "Move": "player",
        "Player": "player",
    },
)
