"""Reads games from a store, and checks them."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from plyboard.errors import UnusableError
from plyboard.server.game.events import (
    DamagedGameError,
    GamePlan,
    GameState,
    applied,
    chained,
    decoded_event,
    decoded_game,
    replayed,
)
from plyboard.server.storage.database import (
    is_postgres,
    log_path,
    open_engine,
    read_only,
    store_url,
    told_store,
)
from plyboard.server.storage.file_lock import missing_commits
from plyboard.server.storage.schema import (
    EVENTS,
    GAMES,
    SCHEMA_VERSION,
    SEALED,
    VERSION,
    check_version,
    seal,
    stored_version,
)

LOG = logging.getLogger("plyboard.server")
CHECKED_AT_ONCE = 500  # games
OPEN_OPTIONS = ("host", "port", "user", "dbname")
WRONG_OPTION = "an option in its URL cannot be used"
SEALED_KINDS: dict[str, type] = {"sequence": int, "chain": bytes}  # the other columns are texts


class StorageError(Exception):
    """The store cannot be read or written now."""


class DamagedPageError(StorageError):
    """The database cannot read what it has stored."""


@dataclass(frozen=True)
class StoredGame:
    """A game as it was read, with the requests that caused its events."""

    state: GameState
    requests: dict[str, tuple[str, int]]  # by id: what was asked, and the number of its event
    owner: int  # the server that runs its clocks and agents
    seconds: float  # since the clock of the player to move began to run
    follows: bool = True  # whether it goes on from the state that was known


@dataclass(frozen=True)
class GameSummary:
    """A stored game in a list."""

    id: str
    created: int  # milliseconds since 1970
    game: str
    first: str
    second: str
    result: str
    reason: str


class StoreReader:
    """The games of a store, for reading. A server may use it at the same time."""

    def __init__(self, store: str) -> None:
        self.url = store_url(store)
        self.engine = open_engine(read_only(self.url))
        try:
            with self.reading() as connection:
                check_version(stored_version(connection), oldest=SCHEMA_VERSION)
        except BaseException as fault:
            self.engine.dispose()
            if not isinstance(fault, StorageError):
                raise
            raise unusable_store(self.url, fault) from fault

    @property
    def _file(self) -> Path | None:
        """The file of the store; None if it has none."""
        is_file = self.url.database and not is_postgres(self.url)
        return Path(str(self.url.database)).resolve() if is_file else None

    def missing(self) -> str:
        """Return why the last commits are missing from the store, or may be; empty if not."""
        return missing_commits(self._file) if self._file else ""

    def close(self) -> None:
        """Close the connections."""
        self.engine.dispose()

    def check(self) -> None:
        """Raise `StorageError` if the store cannot be read now."""
        with self.reading() as connection:
            connection.execute(sa.select(VERSION.c.version))

    def load(self, game_id: str) -> StoredGame | None:
        """Return a stored game, or None; raise `DamagedGameError` if its hashes do not fit."""
        row, events = self._rows(game_id)
        if row is None:
            return None
        data = [each.data for each in events]
        _check_hashes(row, data)
        try:
            state = replayed(game_id, decoded_game(row.plan), data)
        except ValueError as fault:
            raise DamagedGameError(f"game {game_id}: {fault}") from fault
        return _stored_game(state, row, events)

    def load_after(self, state: GameState) -> StoredGame | None:
        """Return a game of which an earlier state is known, with only the requests after it.

        This takes a fraction of the time of `load`. If the game does not go on from that state, it
        is read from its beginning, with all its requests: the database is another one.
        """
        row, events = self._rows(state.id, state.sequence)
        if row is None:
            return None
        link = state.chain
        for each in events:
            link = chained(link, each.data)
        if link != row.chain or row.sequence != state.sequence + len(events):
            stored = self.load(state.id)
            return None if stored is None else replace(stored, follows=False)
        for each in events:
            state = applied(state, decoded_event(each.data), each.data)
        return _stored_game(state, row, events)

    def _rows(self, game_id: str, after: int = 0) -> tuple[Any, Sequence[Any]]:
        """Return the row of a game and the rows of its events after one of them."""
        try:
            with self.reading() as connection:
                row = connection.execute(
                    sa.select(GAMES, database_now(connection).label("now")).where(
                        GAMES.c.id == game_id
                    )
                ).one_or_none()
                if row is None:
                    return None, ()
                events = connection.execute(
                    sa.select(EVENTS.c.data, EVENTS.c.sequence, EVENTS.c.request, EVENTS.c.asked)
                    .where(EVENTS.c.game == game_id, EVENTS.c.sequence > after)
                    .order_by(EVENTS.c.sequence)
                ).all()
        except DamagedPageError as fault:
            raise DamagedGameError(f"game {game_id}: {fault}") from fault
        return row, events

    def unfinished(self) -> list[str]:
        """Return the ids of the games that have not ended."""
        with self.reading() as connection:
            rows = connection.execute(
                sa.select(GAMES.c.id).where(GAMES.c.result == "").order_by(GAMES.c.created)
            )
            return list(rows.scalars())

    def open_games(self, seconds: float, most: int = 100) -> list[tuple[str, GamePlan, float]]:
        """Return the public games that wait for a player, the newest first.

        Each comes with how long its host has been gone, which is less than so many seconds.
        """
        with self.reading() as connection:
            gone = database_now(connection) - GAMES.c.host_seen
            rows = connection.execute(
                sa.select(GAMES.c.id, GAMES.c.plan, gone.label("gone"))
                .where(GAMES.c.is_open, gone < 1000 * seconds)
                .order_by(GAMES.c.created.desc())
                .limit(most)
            ).all()
        found = list[tuple[str, GamePlan, float]]()
        for row in rows:
            try:
                found.append((row.id, decoded_game(row.plan), row.gone / 1000))
            except ValueError:
                LOG.warning("game %s is damaged", row.id)
        return found

    def finished(
        self, game: str = "", player: str = "", before: int | None = None, most: int = 50
    ) -> list[GameSummary]:
        """Return finished games, the newest first; damaged ones are left out and logged."""
        columns = [GAMES.c[each.name] for each in fields(GameSummary)]
        query = sa.select(*columns, GAMES.c.sequence, GAMES.c.chain, GAMES.c.seal)
        query = query.where(GAMES.c.result != "")
        if game:
            query = query.where(sa.or_(GAMES.c.game == game, GAMES.c.game.startswith(f"{game}:")))
        if player:
            query = query.where(sa.or_(GAMES.c.first == player, GAMES.c.second == player))
        if before is not None:
            query = query.where(GAMES.c.created < before)
        with self.reading() as connection:
            rows = connection.execute(query.order_by(GAMES.c.created.desc()).limit(most)).all()
        damaged = [row.id for row in rows if not _is_sealed(row)]
        if damaged:
            LOG.warning("damaged games: %s", ", ".join(damaged))
        return [GameSummary(*row[: len(columns)]) for row in rows if row.id not in damaged]

    def count(self) -> int:
        """Return the number of games."""
        with self.reading() as connection:
            return int(
                connection.execute(sa.select(sa.func.count()).select_from(GAMES)).scalar_one()
            )

    def verify(self, *, replay: bool = False) -> Iterator[tuple[str, str]]:
        """Check the hashes of all games; yield the id and the fault of each damaged one.

        Faults of the database itself have the id "". With `replay` every move is played again,
        which takes longer and also finds what the rules do not allow.
        """
        missing = self.missing()
        if missing:
            yield "", missing
        try:
            yield from self._check_database()
            with self.reading() as connection:
                ids = list(connection.execute(sa.select(GAMES.c.id).order_by(GAMES.c.id)).scalars())
        except StorageError as fault:
            yield "", str(fault)
            return
        for start in range(0, len(ids), CHECKED_AT_ONCE):
            some = ids[start : start + CHECKED_AT_ONCE]
            try:
                faults = [] if replay else self._faults_in(some[0], some[-1])
            except StorageError:
                replay_some = True  # one page is bad: find the games on it
            else:
                replay_some = replay
            yield from self._faults_one_by_one(some) if replay_some else faults

    def _check_database(self) -> Iterator[tuple[str, str]]:
        with self.reading() as connection:
            if connection.dialect.name == "sqlite":
                for text in connection.exec_driver_sql("PRAGMA integrity_check").scalars():
                    if text != "ok":
                        yield "", str(text)
            lost = connection.execute(
                sa.select(EVENTS.c.game)
                .distinct()
                .where(~sa.exists().where(GAMES.c.id == EVENTS.c.game))
            )
            for game_id in lost.scalars():
                yield game_id, f"game {game_id}: its first entry is missing"

    def _faults_in(self, first: str, last: str) -> list[tuple[str, str]]:
        """Check the games between two ids, both included, by two queries."""
        with self.reading() as connection:
            games = connection.execute(
                sa.select(GAMES).where(GAMES.c.id.between(first, last)).order_by(GAMES.c.id)
            ).all()
            rows = connection.execute(
                sa.select(EVENTS.c.game, EVENTS.c.data, EVENTS.c.request, EVENTS.c.asked)
                .where(EVENTS.c.game.between(first, last))
                .order_by(EVENTS.c.game, EVENTS.c.sequence)
            ).all()
        events = {
            game: [row.data for row in found] for game, found in groupby(rows, lambda r: r[0])
        }
        faults = list[tuple[str, str]]()
        for row in games:
            try:
                _check_hashes(row, events.get(row.id, []))
            except DamagedGameError as fault:
                faults.append((row.id, str(fault)))
        return faults

    def _faults_one_by_one(self, ids: Iterable[str]) -> Iterator[tuple[str, str]]:
        for game_id in ids:
            try:
                if self.load(game_id) is None:
                    yield game_id, f"game {game_id}: it cannot be found"
            except (DamagedGameError, StorageError) as fault:
                yield game_id, str(fault)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Give a connection that sees one state of the database."""
        try:
            with self._connect() as connection:
                yield connection
            if (
                "immutable" in self.engine.url.query
                and self._file
                and log_path(self._file).exists()
            ):
                raise StorageError("a server has opened the store meanwhile; try again")
        except sa.exc.OperationalError as fault:
            raise StorageError(reason_of(fault)) from fault
        except sa.exc.DatabaseError as fault:
            raise DamagedPageError(reason_of(fault)) from fault
        except sa.exc.SQLAlchemyError as fault:
            raise StorageError(reason_of(fault)) from fault

    def _connect(self) -> Connection:
        try:
            return self.engine.connect()
        except UnusableError as fault:  # of a new connection to a server that has changed
            raise StorageError(str(fault)) from fault


def _stored_game(state: GameState, row: Any, events: Sequence[Any]) -> StoredGame:
    requests = {
        each.request: (each.asked, each.sequence) for each in events if each.request is not None
    }
    return StoredGame(state, requests, row.owner, max(0.0, (row.now - row.clock_since) / 1000))


def unusable_store(url: sa.URL, fault: BaseException) -> UnusableError:
    """Return the error for a store that cannot be opened."""
    if isinstance(fault.__cause__, UnusableError):
        return fault.__cause__
    reason = reason_of(fault)
    told = WRONG_OPTION if _has_part_of(url, reason) else reason
    return UnusableError("cannot use the store", reason=f"{told_store(url)}: {told}")


POSTGRES_NOW = sa.cast(sa.extract("epoch", sa.func.clock_timestamp()) * 1000, sa.BigInteger)


def database_now(connection: Connection) -> sa.ColumnElement[int]:
    """Return the time in milliseconds since 1970 by the clock that all servers share."""
    if connection.dialect.name == "postgresql":
        return POSTGRES_NOW
    return sa.literal(time.time_ns() // 1_000_000, sa.BigInteger)


def reason_of(fault: BaseException) -> str:
    """Return the first line of what the database says about a fault."""
    cause = getattr(fault, "orig", None) or fault
    return str(cause).partition("\n")[0]


def _has_part_of(url: sa.URL, text: str) -> bool:
    """Return whether a text quotes something from a URL that may be a secret.

    A password with a `?` in it that was not escaped gives options with any name.
    """
    options = {name: value for name, value in url.query.items() if name not in OPEN_OPTIONS}
    parts = [url.password, *options, *map(str, options.values())]
    return any(f'"{part}"' in text for part in parts if part)


def _is_sealed(row: Any) -> bool:
    values = [getattr(row, name) for name in SEALED]
    kinds = [SEALED_KINDS.get(name, str) for name in SEALED]  # a damaged column may hold another
    if not all(isinstance(*each) for each in zip(values, kinds, strict=True)):
        return False
    return bool(seal(values) == row.seal)


def _check_hashes(row: Any, events: list[bytes]) -> None:
    """Raise `DamagedGameError` if a game is not what was written."""
    if not all(isinstance(each, bytes) for each in (row.plan, row.chain, *events)):
        raise DamagedGameError(f"game {row.id}: it holds text instead of bytes")
    link = chained(b"", row.plan)
    for data in events:
        link = chained(link, data)
    if link != row.chain or row.sequence != len(events):
        raise DamagedGameError(f"game {row.id}: its hashes do not fit")
    if not _is_sealed(row):
        raise DamagedGameError(f"game {row.id}: its entry in the list of games does not fit")
