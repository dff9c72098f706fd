"""Plyboard: a workbench for two-player board games."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plyboard.agents.bots.opening import open_bot
    from plyboard.games.position import Position

__all__ = ["Position", "__version__", "open_bot"]
__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    if name == "Position":
        from plyboard.games.position import Position

        return Position
    if name == "open_bot":
        from plyboard.agents.bots.opening import open_bot

        return open_bot
    raise AttributeError(f"module 'plyboard' has no attribute {name!r}")
