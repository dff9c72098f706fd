"""Searches made ready while a person looks at the board."""

from __future__ import annotations

import threading
from contextlib import suppress

from plyboard.agents import AGENTS, Budget, agent
from plyboard.analysis.moves import valued_moves
from plyboard.games import Position
from plyboard.specs import split_spec
from plyboard.terminal.sides import Sides

LEAST = Budget(depth=1, nodes=1, simulations=1)
AHEAD = 6  # plies: what comes first may be in a book, and then nothing is searched


def warm(position: Position, sides: Sides) -> threading.Thread:
    """Begin to compile or load what our agents and hints will need; return the thread."""
    ours = [
        side.name for side in sides if not side.is_person and split_spec(side.name)[0] in AGENTS
    ]
    thread = threading.Thread(target=_search, args=(_ahead(position), ours), daemon=True)
    thread.start()
    return thread


def _ahead(position: Position) -> Position:
    for _ in range(AHEAD):
        for action in position.legal_actions():
            after = position.play(action)
            if after.legal_actions():
                position = after
                break
    return position


def _search(position: Position, specs: list[str]) -> None:
    """Search as little as can be; what is wrong will be said when it matters."""
    for spec in specs:
        with suppress(Exception):
            agent(spec).choose(position, LEAST)
    with suppress(Exception):
        valued_moves(position, LEAST)
