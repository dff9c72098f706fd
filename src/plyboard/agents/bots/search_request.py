"""A search that a bot has asked of its process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plyboard.agents.bots.running_search import RunningSearch
from plyboard.games import Position
from plyboard.search.common.budget import Budget


@dataclass
class SearchRequest:
    """A search with what its process needs for it."""

    kind: str
    number: int
    position: Position | None
    budget: Budget
    search: RunningSearch
    resubmit: Callable[[SearchRequest], None]
    deadline: float | None = None  # when the process is killed if it has not answered
