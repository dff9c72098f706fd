"""The player of Extended Connect Four, and what its course had around it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyboard.plugins import lazily

if TYPE_CHECKING:
    from plyboard.origins.extended.player import AIPlayer

__all__ = ["AIPlayer"]

__getattr__ = lazily(__name__, {"AIPlayer": "player"})
