"""What one server tells the others about its writes, so that they need not read them.

PostgreSQL hands a notification on when the transaction commits. It has at most 8000 bytes, so a
batch may take several, and an event that does not fit is only named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from plyboard.server.game.tokens import GAME_ID
from plyboard.server.storage.schema import GAMES
from plyboard.server.storage.writes import Append, Write

MOST_BYTES = 7900  # of a notification


class Change(msgspec.Struct, frozen=True, array_like=True):
    """What another server has done to a game."""

    game: str
    sequence: int  # of the last event
    entries: tuple[bytes, ...] = ()  # the events, if they are known: the last ones
    chain: bytes = b""  # the hash of the last one
    request: tuple[str, str] | None = None  # of the client who caused it
    owner: int = 0
    clock_since: int = 0  # milliseconds, by the clock of the database


class Notification(msgspec.Struct, frozen=True, array_like=True):
    """The changes of a transaction, or some of them, and the server that made it."""

    server: int
    changes: tuple[Change, ...]


_ENCODER = msgspec.json.Encoder()
_DECODER = msgspec.json.Decoder(Notification)


def notices_of(connection: Connection, server: int, writes: Sequence[Write]) -> Iterator[str]:
    """Yield the notifications about the appends of a transaction; a new game is news to nobody."""
    appends = [write for write in writes if isinstance(write, Append)]
    if not appends:
        return
    columns = GAMES.c.id, GAMES.c.owner, GAMES.c.clock_since
    games = {write.game for write in appends}
    found = connection.execute(sa.select(*columns).where(GAMES.c.id.in_(games)))
    rows = {row.id: (row.owner, row.clock_since) for row in found}
    some, size = list[bytes](), 0
    for write in appends:
        text = _ENCODER.encode(_change(write, *rows[write.game]))
        if len(text) > MOST_BYTES // 2:
            text = _ENCODER.encode(Change(write.game, write.sequence))
        if size + len(text) > MOST_BYTES:
            yield _notice(server, some)
            some, size = [], 0
        some.append(text)
        size += len(text) + 1
    yield _notice(server, some)


def _change(write: Append, owner: int, clock_since: int) -> Change:
    request = None if write.request is None else (write.request.id, write.request.asked)
    entries, chain = write.decision.entries, write.decision.state.chain
    return Change(write.game, write.sequence, entries, chain, request, owner, clock_since)


def _notice(server: int, changes: list[bytes]) -> str:
    return f"[{server},[{b','.join(changes).decode()}]]"


def read_notice(text: str) -> Notification | None:
    """Return a notification; None if no server can have sent it."""
    try:
        notice = _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return None
    is_known = all(GAME_ID.fullmatch(each.game) and each.sequence >= 0 for each in notice.changes)
    return notice if is_known else None
