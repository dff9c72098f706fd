"""Writes to a store: new games, and events of games; many are executed together."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from plyboard.server.game.decisions import Decision
from plyboard.server.game.events import GameState, Moved, Seated, TakenBack, encoded
from plyboard.server.storage.reader import POSTGRES_NOW, database_now
from plyboard.server.storage.schema import EVENTS, GAMES, SEALED, seal

STARTS_CLOCK = (Moved, TakenBack, Seated)
CHANGING = (*SEALED[1:], "seal", "is_open")  # the columns of a game that events may change


class StaleError(Exception):
    """Another writer has appended to the game: it must be read again."""


class ClientRequest(NamedTuple):
    """The request of a client that caused an event; a repeated one has the same id."""

    id: str  # unique in its game
    asked: str


@dataclass(frozen=True)
class Append:
    """Events to be added to a game, which must be in the state before them."""

    before: GameState
    decision: Decision
    request: ClientRequest | None = None  # belongs to the last event
    owner: int | None = None  # refused if the game has another owner; None for any

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.before.id

    @property
    def sequence(self) -> int:
        """The number of the last event."""
        return self.decision.state.sequence


@dataclass(frozen=True)
class Create:
    """A new game to be stored."""

    state: GameState

    @property
    def game(self) -> str:
        """The id of the game."""
        return self.state.id

    @property
    def sequence(self) -> int:
        """The number of the last event: there is none yet."""
        return 0


Write = Append | Create


def execute_writes(connection: Connection, writes: Sequence[Write], server: int) -> None:
    """Execute writes of one transaction; raise `StaleError` if a game was not as expected.

    Each kind of statement is executed once for all writes, because that takes half the time.
    """
    now = time.time_ns() // 1_000_000
    opened = [each.state if isinstance(each, Create) else each.decision.opens for each in writes]
    creates = [each for each in opened if each is not None]
    if creates:
        connection.execute(
            sa.insert(GAMES).values(
                clock_since=database_now(connection), host_seen=database_now(connection)
            ),
            [
                {
                    "plan": encoded(each.plan),
                    "created": now,
                    "owner": server,
                    **_row_of(each),
                }
                for each in creates
            ],
        )
    # Two servers that lock the same rows in the same order cannot block each other.
    appends = sorted(
        (write for write in writes if isinstance(write, Append)),
        key=lambda write: (write.game, write.sequence),
    )
    if not appends:
        return
    update = _update(connection.dialect.name == "postgresql")
    changed = connection.execute(update, [_changes(each, now) for each in appends]).rowcount
    if changed != len(appends):
        games = ", ".join(each.game for each in appends)
        raise StaleError(f"of these games, one has moved on: {games}")
    connection.execute(sa.insert(EVENTS), [row for each in appends for row in _events(each, now)])


@cache
def _update(is_postgres: bool) -> sa.Update:
    """Return the statement that changes the row of a game if it is in the expected state."""
    owner = sa.bindparam("old_owner", type_=sa.Integer)
    starts = sa.bindparam("starts_clock", type_=sa.Boolean)
    now = POSTGRES_NOW if is_postgres else sa.bindparam("now", type_=sa.BigInteger)
    return (
        sa.update(GAMES)
        .where(
            GAMES.c.id == sa.bindparam("old_id"),
            GAMES.c.sequence == sa.bindparam("old_sequence"),
            GAMES.c.chain == sa.bindparam("old_chain"),
            sa.or_(owner.is_(None), GAMES.c.owner == owner),
        )
        .values(
            clock_since=sa.case((starts, now), else_=GAMES.c.clock_since),
            **{name: sa.bindparam(f"new_{name}") for name in CHANGING},
        )
    )


def _changes(write: Append, now: int) -> dict[str, Any]:
    """Return the parameters of the statement that changes the row of a game."""
    before, row = write.before, _row_of(write.decision.state)
    return {
        "old_id": before.id,
        "old_sequence": before.sequence,
        "old_chain": before.chain,
        "old_owner": write.owner,
        "starts_clock": any(isinstance(event, STARTS_CLOCK) for event in write.decision.events),
        "now": now,
        **{f"new_{name}": row[name] for name in CHANGING},
    }


def _events(write: Append, now: int) -> list[dict[str, Any]]:
    """Return the rows of the events; the request belongs to the last one."""
    last = len(write.decision.entries) - 1
    return [
        {
            "game": write.game,
            "sequence": write.before.sequence + 1 + index,
            "data": data,
            "at": now,
            "request": write.request.id if write.request and index == last else None,
            "asked": write.request.asked if write.request and index == last else None,
        }
        for index, data in enumerate(write.decision.entries)
    ]


def _row_of(state: GameState) -> dict[str, Any]:
    """Return what the row of a game says about its state."""
    end = state.match.end
    values: dict[str, Any] = {
        "id": state.id,
        "game": state.plan.game,
        "sequence": state.sequence,
        "chain": state.chain,
        "first": state.seats[0].name,
        "second": state.seats[1].name,
        "result": "" if end is None else end.result.value,
        "reason": "" if end is None else end.reason,
    }
    is_open = state.plan.is_public and state.is_waiting and not state.is_over
    sealed = seal([values[name] for name in SEALED])
    return {**values, "seal": sealed, "is_open": is_open}


def is_written(connection: Connection, write: Write) -> bool:
    """Return whether just this write is in the store."""
    if isinstance(write, Create):
        plan = sa.select(GAMES.c.plan).where(GAMES.c.id == write.state.id)
        return bool(connection.execute(plan).scalar() == encoded(write.state.plan))
    last = connection.execute(
        sa.select(EVENTS.c.data, EVENTS.c.request).where(
            EVENTS.c.game == write.game, EVENTS.c.sequence == write.sequence
        )
    ).one_or_none()
    request = None if write.request is None else write.request.id
    return last is not None and tuple(last) == (write.decision.entries[-1], request)
