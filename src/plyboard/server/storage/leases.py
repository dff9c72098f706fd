"""Which of the servers that share a PostgreSQL store are there: each has a lease.

A lease ends by the clock of the database unless it is renewed, whatever happens to the machine or
the connection of its server. Then another server takes over its games.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from plyboard.server.storage.reader import POSTGRES_NOW, database_now
from plyboard.server.storage.schema import GAMES, LEASE_LOCK, SERVERS

LEASE = 3000  # milliseconds; renewed every second
SAFE = 5 / 6  # of a lease: its owner counts on no more
LOOK_SECONDS = 60.0  # before a slower look at the clock replaces a quicker one
FORGOTTEN = 24 * 3600 * 1000  # milliseconds after which a server that has gone is forgotten


class DatabaseClock:
    """The clock of the database, as it was seen by the quickest of the latest looks."""

    def __init__(self) -> None:
        self._ahead = self._took = self._looked = 0.0  # of our own clock; in seconds

    def look(self, connection: Connection) -> None:
        """Ask the database for its time, which may take a while."""
        began = time.monotonic()
        moment: int = connection.execute(sa.select(POSTGRES_NOW)).scalar_one()
        ended = time.monotonic()
        took = ended - began
        if not self._looked or took <= self._took or ended - self._looked > LOOK_SECONDS:
            self._ahead, self._took, self._looked = moment / 1000 - ended + took / 2, took, ended

    def now(self) -> float:
        """Return the time in milliseconds since 1970."""
        return 1000 * (time.monotonic() + self._ahead)


def renew_lease(
    connection: Connection, server: int, be_patient: Callable[[], None]
) -> tuple[int, int] | None:
    """Renew the lease of a server.

    `be_patient` is called before something that takes seconds if there are many games. If no server
    had a lease, nobody could play: the clocks that were running go on as they were when
    the last one was seen. Then this returns the time of which nothing counts, in milliseconds by
    the clock of the database.
    """
    renewed = connection.execute(
        sa.update(SERVERS)
        .where(SERVERS.c.id == server, SERVERS.c.until > POSTGRES_NOW)
        .values(seen=POSTGRES_NOW, until=POSTGRES_NOW + LEASE)
    )
    if renewed.rowcount:
        return None
    # One server after another, so that only the first of several finds that there was none. A lock
    # of the table would be a deadlock: the update above has locked it already, for all to share.
    connection.execute(sa.select(sa.func.pg_advisory_xact_lock(LEASE_LOCK)))
    now: int = connection.execute(sa.select(POSTGRES_NOW)).scalar_one()
    seen, until = connection.execute(
        sa.select(sa.func.max(SERVERS.c.seen), sa.func.max(SERVERS.c.until))
    ).one()
    nobody = until is not None and until <= now
    if nobody:
        be_patient()
        since = sa.func.greatest(seen, GAMES.c.clock_since)
        connection.execute(
            sa.update(GAMES)
            .where(GAMES.c.result == "")
            .values(clock_since=GAMES.c.clock_since + now - since)
        )
    connection.execute(
        sa.delete(SERVERS).where(sa.or_(SERVERS.c.id == server, SERVERS.c.until < now - FORGOTTEN))
    )
    connection.execute(
        sa.insert(SERVERS).values(id=server, seen=POSTGRES_NOW, until=POSTGRES_NOW + LEASE)
    )
    return (seen, now) if nobody else None


def safe_end(began: float) -> float:
    """Return until when a lease counts whose renewal began at a time of our own clock."""
    return began + SAFE * LEASE / 1000


def end_lease(connection: Connection, server: int) -> None:
    """Let other servers take over at once."""
    connection.execute(
        sa.update(SERVERS)
        .where(SERVERS.c.id == server)
        .values(seen=POSTGRES_NOW, until=POSTGRES_NOW)
    )


def take_over(connection: Connection, server: int, has_rules: Callable[[str], bool]) -> list[str]:
    """Become the owner of the unfinished games whose server has no lease; return their ids.

    Games whose rules this server does not have are left to others.
    """
    gone = list(connection.execute(_owners_without_lease()).scalars())
    if not gone:
        return []
    is_left = sa.and_(GAMES.c.result == "", GAMES.c.owner.in_(gone))
    found: list[Any] = list(
        connection.execute(sa.select(GAMES.c.game).distinct().where(is_left)).scalars()
    )
    playable = [spec for spec in found if has_rules(spec)]
    if not playable:
        return []
    taken = connection.execute(
        sa.update(GAMES)
        .where(is_left, GAMES.c.game.in_(playable))
        .values(owner=server)
        .returning(GAMES.c.id)
    )
    return sorted(taken.scalars())


def _owners_without_lease() -> sa.Select[int]:
    """Return the query for the servers that own unfinished games and have no lease.

    It jumps through the index from one owner to the next. Looking at every unfinished game takes
    44 ms of the database for 100,000 of them, and each server asks once a second.
    """
    unfinished = GAMES.c.result == ""
    first = sa.select(sa.func.min(GAMES.c.owner).label("id")).where(unfinished)
    owners = first.cte("owners", recursive=True)
    following = (
        sa.select(sa.func.min(GAMES.c.owner))
        .where(unfinished, GAMES.c.owner > owners.c.id)
        .scalar_subquery()
    )
    owners = owners.union_all(sa.select(following).where(owners.c.id.is_not(None)))
    alive = sa.select(SERVERS.c.id).where(SERVERS.c.until > POSTGRES_NOW)
    is_gone = sa.and_(owners.c.id.is_not(None), owners.c.id.not_in(alive))
    return sa.select(owners.c.id).where(is_gone)


def owned_games(connection: Connection, server: int) -> list[str]:
    """Return the unfinished games of a server."""
    found = connection.execute(
        sa.select(GAMES.c.id).where(GAMES.c.result == "", GAMES.c.owner == server)
    )
    return sorted(found.scalars())


def take_all(connection: Connection, server: int) -> list[str]:
    """Become the owner of all unfinished games; return their ids. Their clocks start now."""
    taken = connection.execute(
        sa.update(GAMES)
        .where(GAMES.c.result == "", GAMES.c.owner != server)
        .values(owner=server, clock_since=database_now(connection))
        .returning(GAMES.c.id)
    )
    return sorted(taken.scalars())
