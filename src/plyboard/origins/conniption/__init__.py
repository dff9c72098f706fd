"""The classes of the Conniption AI, so that a program written against them runs with ours.

`Conniption` is a state, and `AlphaBeta` searches it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyboard.plugins import lazily

if TYPE_CHECKING:
    from plyboard.origins.conniption.search import AlphaBeta
    from plyboard.origins.conniption.state import Conniption

__all__ = ["AlphaBeta", "Conniption"]

__getattr__ = lazily(
    __name__,
    {"AlphaBeta": "search", "Conniption": "state"},
)
