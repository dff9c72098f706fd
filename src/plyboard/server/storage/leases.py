"""Which of the servers that share a PostgreSQL store are there: each has a lease.

A lease ends by the clock of the database unless it is renewed, whatever happens to the machine or
the connection of its server. Then another server takes over its games.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from plyboard.server.storage.reader import POSTGRES_NOW
from plyboard.server.storage.schema import GAMES, SERVERS

LEASE = 3000  # milliseconds; renewed every second
SAFE = 5 / 6  # of a lease: its owner counts on no more
FORGOTTEN = 24 * 3600 * 1000  # milliseconds after which a server that has gone is forgotten


def renew_lease(connection: Connection, server: int) -> None:
    """Renew the lease of a server.

    If no server had one, nobody could play: the clocks that were running go on as they were when
    the last one was seen.
    """
    renewed = connection.execute(
        sa.update(SERVERS)
        .where(SERVERS.c.id == server, SERVERS.c.until > POSTGRES_NOW)
        .values(seen=POSTGRES_NOW, until=POSTGRES_NOW + LEASE)
    )
    if renewed.rowcount:
        return
    # One server after another, so that only the first of several finds that there was none.
    connection.exec_driver_sql(f"LOCK TABLE {SERVERS.name} IN SHARE ROW EXCLUSIVE MODE")
    now: int = connection.execute(sa.select(POSTGRES_NOW)).scalar_one()
    seen, until = connection.execute(
        sa.select(sa.func.max(SERVERS.c.seen), sa.func.max(SERVERS.c.until))
    ).one()
    if until is not None and until <= now:
        connection.execute(
            sa.update(GAMES)
            .where(GAMES.c.result == "")
            .values(clock_since=GAMES.c.clock_since + (now - seen))
        )
    connection.execute(
        sa.delete(SERVERS).where(sa.or_(SERVERS.c.id == server, SERVERS.c.until < now - FORGOTTEN))
    )
    connection.execute(sa.insert(SERVERS).values(id=server, seen=now, until=now + LEASE))


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
    alive = sa.select(SERVERS.c.id).where(SERVERS.c.until > POSTGRES_NOW)
    is_left = sa.and_(GAMES.c.result == "", GAMES.c.owner.not_in(alive))
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


def owned_games(connection: Connection, server: int) -> list[str]:
    """Return the unfinished games of a server."""
    found = connection.execute(
        sa.select(GAMES.c.id).where(GAMES.c.result == "", GAMES.c.owner == server)
    )
    return sorted(found.scalars())
