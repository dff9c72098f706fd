"""Whether a store works: what is known of it, and the write that finds it out."""

from __future__ import annotations

import logging
import threading
from functools import cache

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from plyboard.server.game import decisions
from plyboard.server.game.events import GamePlan, GameState, SeatPlan, opened
from plyboard.server.game.tokens import new_game_id
from plyboard.server.storage.schema import EVENTS, GAMES
from plyboard.server.storage.writes import Append, Create, execute_writes

LOG = logging.getLogger("plyboard.server")
NOBODY = SeatPlan("person", "-" * 32, token_hash=b"-" * 32)


class StoreHealth:
    """Why a store cannot be used now, if it cannot. Each change is logged once."""

    def __init__(self, use: str) -> None:
        self.cause = ""  # empty while it can be used
        self._use, self._lock = use, threading.Lock()

    def hear(self, fault: BaseException | None) -> None:
        """Take note of how the last use ended. Any thread may call this."""
        with self._lock:
            before = self.cause
            self.cause = "" if fault is None else str(fault) or type(fault).__name__
        if self.cause and not before:
            LOG.error("the store cannot be %s: %s", self._use, self.cause)
        elif before and not self.cause:
            LOG.warning("the store can be %s again", self._use)


def execute_heartbeat(connection: Connection, server: int) -> None:
    """Write what a new game and its first move take, and remove it again.

    A smaller write could succeed where those of players fail: in a table that is not locked, or
    in the last free page of a full disk.
    """
    create, append = _heartbeat()
    execute_writes(connection, [create], server)
    execute_writes(connection, [append], server)
    connection.execute(sa.delete(EVENTS).where(EVENTS.c.game == create.game))
    connection.execute(sa.delete(GAMES).where(GAMES.c.id == create.game))


@cache
def _heartbeat() -> tuple[Create, Append]:
    state: GameState = opened(new_game_id(), GamePlan("connect-four", "", (NOBODY, NOBODY)))
    moved = decisions.move(state, 0, "4", 0.0)
    return Create(state), Append(state, moved)
