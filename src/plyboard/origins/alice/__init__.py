"""Alice and Bill: a search tree of Connect Four, printed move by move.

`heuristic` is the value of a board to Alice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from plyboard.plugins import lazily

if TYPE_CHECKING:
    from plyboard.origins.alice.value import heuristic

__all__ = ["heuristic"]

__getattr__ = lazily(
    __name__,
    {"heuristic": "value"},
)
