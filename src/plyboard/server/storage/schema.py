"""The tables of a store, and how a store of an older version gets them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.schema import CreateColumn

from plyboard.errors import UnusableError, shown
from plyboard.server.storage.database import writing

METADATA = sa.MetaData()
MIGRATION_LOCK = 0x706C_7901  # the key of an advisory lock in PostgreSQL
LEASE_LOCK = 0x706C_7902  # another one

VERSION = sa.Table("plyboard_schema", METADATA, sa.Column("version", sa.Integer, nullable=False))
GAMES = sa.Table(
    "games",
    METADATA,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("plan", sa.LargeBinary, nullable=False),
    sa.Column("created", sa.BigInteger, nullable=False),  # milliseconds since 1970, UTC
    sa.Column("game", sa.String(200), nullable=False),
    sa.Column("sequence", sa.Integer, nullable=False),
    sa.Column("chain", sa.LargeBinary(32), nullable=False),
    sa.Column("first", sa.String(200), nullable=False),
    sa.Column("second", sa.String(200), nullable=False),
    sa.Column("result", sa.String(7), nullable=False),  # "" while it goes on
    sa.Column("reason", sa.String(40), nullable=False),
    sa.Column("seal", sa.LargeBinary(32), nullable=False, server_default=""),  # see `seal`
    sa.Column("is_open", sa.Boolean, nullable=False, server_default=sa.false()),  # in the lobby
    # The server that runs the clocks and agents of the game, and when the clock of the player to
    # move began to run, by the clock of the database.
    sa.Column("owner", sa.Integer, nullable=False, server_default="0"),
    sa.Column("clock_since", sa.BigInteger, nullable=False, server_default="0"),
    # When the host of a game in the lobby was there for the last time, by the same clock.
    sa.Column("host_seen", sa.BigInteger, nullable=False, server_default="0"),
    sa.Index("games_by_date", "created"),
    sa.Index("games_by_result", "result", "created"),
)
UNFINISHED = sa.Index(
    "games_by_owner", GAMES.c.owner,
    sqlite_where=GAMES.c.result == "", postgresql_where=GAMES.c.result == "",
)  # fmt: skip
OPEN = sa.Index(
    "games_open", GAMES.c.created, sqlite_where=GAMES.c.is_open, postgresql_where=GAMES.c.is_open
)
EVENTS = sa.Table(
    "events",
    METADATA,
    sa.Column("game", sa.String(16), sa.ForeignKey("games.id"), primary_key=True),
    sa.Column("sequence", sa.Integer, primary_key=True),
    sa.Column("data", sa.LargeBinary, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("request", sa.String(80), nullable=True),  # the player, and the client's id for it
    sa.Column("asked", sa.String(40), nullable=True),  # what the client asked for
    sa.UniqueConstraint("game", "request", name="one_event_per_request"),
    sqlite_with_rowid=False,
)

SERVERS = sa.Table(
    "plyboard_servers",  # that share the store; see `leases`
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
    # When it was there for the last time, and until when its games are its own: milliseconds
    # since 1970 by the clock of the database.
    sa.Column("seen", sa.BigInteger, nullable=False),
    sa.Column("until", sa.BigInteger, nullable=False),
)


SEALED = ("id", "game", "sequence", "chain", "first", "second", "result", "reason")


def seal(values: Sequence[object]) -> bytes:
    """Return a hash of what lists show about a game: its columns `SEALED`.

    The hash chain covers only the events.
    """
    return hashlib.sha256(msgspec.json.encode(tuple(values))).digest()


def migrate(engine: Engine) -> None:
    """Create the tables, or bring them to the version of this program, in one transaction.

    Whatever ends the program meanwhile, the store has the old version or the new one.
    """
    with writing(engine).begin() as connection:
        if engine.dialect.name == "postgresql":  # one server migrates, the others wait
            connection.exec_driver_sql("SET LOCAL lock_timeout = 0")
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(MIGRATION_LOCK)))
        version = stored_version(connection)
        if version is None:
            there = set(sa.inspect(connection).get_table_names())
            if engine.dialect.name == "postgresql":  # those of others may stand beside ours
                there &= set(METADATA.tables)
            if there:
                told = f"tables of another program ({', '.join(sorted(map(shown, there))[:3])})"
                expected = "an empty database or schema"
                raise UnusableError("cannot use the store", got=told, expected=expected)
            METADATA.create_all(connection)
            connection.execute(sa.insert(VERSION).values(version=SCHEMA_VERSION))
            return
        check_version(version, oldest=1)
        for step in MIGRATIONS[version - 1 :]:
            step(connection)
        if version < SCHEMA_VERSION:
            connection.execute(sa.update(VERSION).values(version=SCHEMA_VERSION))


def stored_version(connection: Connection) -> int | None:
    """Return the version of a store; None for an empty database."""
    if not sa.inspect(connection).has_table(VERSION.name):
        return None
    version = connection.execute(sa.select(VERSION.c.version)).scalar_one()
    if not isinstance(version, int):
        raise UnusableError("cannot use the store", reason="its version is damaged")
    return version


def check_version(version: int | None, oldest: int) -> None:
    """Raise `UnusableError` for a store that this program cannot read."""
    if version is None:
        raise UnusableError("cannot use the store", got="no games", expected="a store")
    if version > SCHEMA_VERSION:
        hint = f"version {SCHEMA_VERSION} or older; update Plyboard"
    elif version < oldest:
        hint = f"version {SCHEMA_VERSION}; `plyboard serve` updates it"
    else:
        return
    raise UnusableError("cannot use the store", got=f"version {version}", expected=hint)


def _add_owners_and_seals(connection: Connection) -> None:
    """Version 2: several servers may share a store, and lists notice damage."""
    for column in (
        sa.Column("seal", sa.LargeBinary(32), nullable=False, server_default=""),
        sa.Column("is_open", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("owner", sa.Integer, nullable=False, server_default="0"),
        sa.Column("clock_since", sa.BigInteger, nullable=False, server_default="0"),
    ):
        text = CreateColumn(column).compile(dialect=connection.dialect)
        connection.exec_driver_sql(f"ALTER TABLE games ADD COLUMN {text}")
    connection.exec_driver_sql("CREATE INDEX games_by_owner ON games (owner) WHERE result = ''")
    connection.exec_driver_sql("CREATE INDEX games_open ON games (created) WHERE is_open")
    names = ("id", "game", "sequence", "chain", "first", "second", "result", "reason", "plan")
    rows = connection.exec_driver_sql(f"SELECT {', '.join(names)} FROM games").all()
    games = sa.table(
        "games", sa.column("id"), sa.column("seal", sa.LargeBinary), sa.column("is_open")
    )
    for *sealed, plan in rows:
        game, sequence, result = sealed[0], sealed[2], sealed[6]
        is_open = result == "" and sequence == 0 and _is_waiting(plan)
        connection.execute(
            sa.update(games).where(games.c.id == game).values(seal=seal(sealed), is_open=is_open)
        )


class _SeatKind(msgspec.Struct):
    kind: str


class _OpenPlan(msgspec.Struct):
    """What the lobby needs to know about a game of version 1."""

    seats: tuple[_SeatKind, _SeatKind]
    is_public: bool = False


def _is_waiting(plan: bytes) -> bool:
    try:
        found = msgspec.json.decode(plan, type=_OpenPlan)
    except (msgspec.DecodeError, TypeError):  # damaged: `verify` names it
        return False
    return found.is_public and any(seat.kind == "open" for seat in found.seats)


def _know_new_tokens(_: Connection) -> None:
    """Version 3: events may replace tokens. An older program would call such games damaged."""


def _add_leases_and_hosts(connection: Connection) -> None:
    """Version 4: servers that share a store have leases, and the lobby knows who is there."""
    SERVERS.create(connection)
    column = sa.Column("host_seen", sa.BigInteger, nullable=False, server_default="0")
    text = CreateColumn(column).compile(dialect=connection.dialect)
    connection.exec_driver_sql(f"ALTER TABLE games ADD COLUMN {text}")


MIGRATIONS: tuple[Callable[[Connection], None], ...] = (
    _add_owners_and_seals, _know_new_tokens, _add_leases_and_hosts,
)  # fmt: skip
"""Each makes a store one version newer; the first one starts at version 1."""
SCHEMA_VERSION = len(MIGRATIONS) + 1
