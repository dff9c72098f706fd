"""Plyboard: a workbench for two-player board games.

>>> Position("connect-four").play("4455").legal_moves()
('1', '2', '3', '4', '5', '6', '7')
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plyboard.agents.bots.opening import open_bot
    from plyboard.agents.catalogue import agent
    from plyboard.analysis.moves import valued_moves
    from plyboard.analysis.review import review
    from plyboard.analysis.trees.tree_builder import build_tree
    from plyboard.errors import PlyboardError
    from plyboard.games.catalogue import game
    from plyboard.games.position import Position
    from plyboard.play.match import Match
    from plyboard.play.record import read_record, read_records, write_record
    from plyboard.search.common.budget import Budget

__all__ = [
    "Budget", "Match", "PlyboardError", "Position", "__version__", "agent", "game", "open_bot",
    "read_record", "read_records", "review", "build_tree", "valued_moves", "write_record",
]  # fmt: skip
__version__ = "0.1.0"

# Each name is imported when it is first used, so that `import plyboard` takes no time.
_MODULES = {
    "Budget": "plyboard.search.common.budget",
    "Match": "plyboard.play.match",
    "PlyboardError": "plyboard.errors",
    "Position": "plyboard.games.position",
    "agent": "plyboard.agents.catalogue",
    "game": "plyboard.games.catalogue",
    "open_bot": "plyboard.agents.bots.opening",
    "read_record": "plyboard.play.record",
    "read_records": "plyboard.play.record",
    "review": "plyboard.analysis.review",
    "build_tree": "plyboard.analysis.trees.tree_builder",
    "valued_moves": "plyboard.analysis.moves",
    "write_record": "plyboard.play.record",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module 'plyboard' has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
