"""Storage of games in SQLite or PostgreSQL: an append returns when it is on disk.

One thread writes. It collects the appends that wait and commits them together, so that one sync
of the disk serves many games.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, fields
from typing import NamedTuple

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from plyboard.errors import UnusableError, shown
from plyboard.search.common.background import call_safely
from plyboard.server.database import EVENTS, GAMES, WRITER, lock_file, migrate, open_engine
from plyboard.server.events import (
    DamagedGameError,
    GameEvent,
    GameState,
    chained,
    decoded_event,
    decoded_game,
    encoded,
    replayed,
)

MOST_IN_BATCH = 256


class StaleError(Exception):
    """Another writer has appended to the game: it must be read again."""


class StorageError(Exception):
    """The store cannot be written now; nothing was stored."""


class ClientRequest(NamedTuple):
    """The request of a client that caused an event; a repeated one has the same id."""

    id: str  # unique in its game
    asked: str


@dataclass(frozen=True)
class Append:
    """Events to be added to a game, which must be in the state before them."""

    before: GameState
    after: GameState
    events: tuple[GameEvent, ...]
    request: ClientRequest | None = None  # belongs to the last event


@dataclass(frozen=True)
class StoredGame:
    """A game as it was read, with the requests that caused its events."""

    state: GameState
    requests: dict[str, tuple[str, int]]  # by id: what was asked, and the number of its event


@dataclass(frozen=True)
class Create:
    """A new game to be stored."""

    state: GameState


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


Write = Append | Create
Done = Callable[[BaseException | None], None]
"""Called from the writer's thread with None when the write is on disk, else with the error."""


class GameStore:
    """The games of one server."""

    def __init__(self, url: str) -> None:
        self.url = sa.make_url(url)
        self._lock = lock_file(self.url)
        self.engine = open_engine(self.url)
        try:
            migrate(self.engine)
        except BaseException as fault:
            self.engine.dispose()
            self._unlock()
            if not isinstance(fault, sa.exc.SQLAlchemyError):
                raise
            raise UnusableError(
                "cannot use the store", got=shown(self.url.render_as_string()), reason=_why(fault)
            ) from fault
        self._queue: queue.SimpleQueue[tuple[Write, Done] | None] = queue.SimpleQueue()
        self._writer = threading.Thread(target=self._work, name=WRITER, daemon=True)
        self._writer.start()

    def submit(self, write: Write, done: Done) -> None:
        """Queue a write. Any thread may call this."""
        self._queue.put((write, done))

    def write(self, write: Write) -> None:
        """Write and wait until it is on disk; raise `StaleError` or `StorageError`."""
        ended = threading.Event()
        faults: list[BaseException | None] = []

        def done(fault: BaseException | None) -> None:
            faults.append(fault)
            ended.set()

        self.submit(write, done)
        ended.wait()
        if faults[0] is not None:
            raise faults[0]

    def load(self, game_id: str) -> StoredGame | None:
        """Return a stored game, or None; raise `DamagedGameError` if its hashes do not fit."""
        with self._reading() as connection:
            row = connection.execute(
                sa.select(GAMES.c.plan, GAMES.c.chain, GAMES.c.sequence).where(
                    GAMES.c.id == game_id
                )
            ).one_or_none()
            if row is None:
                return None
            events = connection.execute(
                sa.select(EVENTS.c.data, EVENTS.c.sequence, EVENTS.c.request, EVENTS.c.asked)
                .where(EVENTS.c.game == game_id)
                .order_by(EVENTS.c.sequence)
            ).all()
        data = [each.data for each in events]
        state = _checked(game_id, row.plan, data, row.chain, row.sequence)
        requests = {
            each.request: (each.asked, each.sequence) for each in events if each.request is not None
        }
        return StoredGame(state, requests)

    def unfinished(self) -> list[str]:
        """Return the ids of the games that have not ended."""
        with self._reading() as connection:
            rows = connection.execute(
                sa.select(GAMES.c.id).where(GAMES.c.result == "").order_by(GAMES.c.created)
            )
            return list(rows.scalars())

    def finished(
        self, game: str = "", player: str = "", before: int | None = None, most: int = 50
    ) -> list[GameSummary]:
        """Return finished games, the newest first."""
        columns = [GAMES.c[each.name] for each in fields(GameSummary)]
        query = sa.select(*columns).where(GAMES.c.result != "")
        if game:
            query = query.where(sa.or_(GAMES.c.game == game, GAMES.c.game.startswith(f"{game}:")))
        if player:
            query = query.where(sa.or_(GAMES.c.first == player, GAMES.c.second == player))
        if before is not None:
            query = query.where(GAMES.c.created < before)
        with self._reading() as connection:
            rows = connection.execute(query.order_by(GAMES.c.created.desc()).limit(most))
            return [GameSummary(*row) for row in rows]

    def verify(self) -> Iterator[tuple[str, str]]:
        """Check every game; yield the id and the fault of each damaged one."""
        with self._reading() as connection:
            ids = list(connection.execute(sa.select(GAMES.c.id)).scalars())
        for game_id in ids:
            try:
                self.load(game_id)
            except DamagedGameError as fault:
                yield game_id, str(fault)

    def close(self) -> None:
        """Write what is queued, then close."""
        self._queue.put(None)
        self._writer.join()
        self.engine.dispose()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self.engine.connect() as connection:
            yield connection

    # ------------------------------------------------------------------- in the writer's thread

    def _work(self) -> None:
        while True:
            batch = self._next_batch()
            if batch is None:
                return
            self._write_all(batch)

    def _next_batch(self) -> list[tuple[Write, Done]] | None:
        """Wait for a write, and return it with those that wait behind it; None at the end."""
        first = self._queue.get()
        if first is None:
            return None
        batch = [first]
        while len(batch) < MOST_IN_BATCH and not self._queue.empty():
            more = self._queue.get()
            if more is None:
                self._queue.put(None)
                break
            batch.append(more)
        return batch

    def _write_all(self, batch: list[tuple[Write, Done]]) -> None:
        """Commit a batch; if that fails, commit each write alone, so that only bad ones fail."""
        try:
            with self.engine.begin() as connection:
                for write, _ in batch:
                    _execute(connection, write)
        except BaseException as fault:
            if len(batch) > 1:
                for each in batch:
                    self._write_all([each])
            else:
                call_safely(batch[0][1], _known(fault))
            return
        for _, done in batch:
            call_safely(done, None)


def _execute(connection: Connection, write: Write) -> None:
    now = time.time_ns() // 1_000_000
    if isinstance(write, Create):
        state = write.state
        connection.execute(
            sa.insert(GAMES).values(
                id=state.id, plan=encoded(state.plan), created=now, game=state.plan.game,
                sequence=0, chain=state.chain, **_summary(state),
            )
        )  # fmt: skip
        return
    before, after = write.before, write.after
    updated = connection.execute(
        sa.update(GAMES)
        .where(
            GAMES.c.id == before.id,
            GAMES.c.sequence == before.sequence,
            GAMES.c.chain == before.chain,
        )
        .values(sequence=after.sequence, chain=after.chain, **_summary(after))
    )
    if updated.rowcount != 1:
        raise StaleError(f"game {before.id} has moved on")
    last = len(write.events) - 1
    connection.execute(
        sa.insert(EVENTS),
        [
            {
                "game": before.id,
                "sequence": before.sequence + 1 + index,
                "data": encoded(event),
                "at": now,
                "request": write.request.id if write.request and index == last else None,
                "asked": write.request.asked if write.request and index == last else None,
            }
            for index, event in enumerate(write.events)
        ],
    )


def _summary(state: GameState) -> dict[str, str]:
    end = state.match.end
    return {
        "first": state.seats[0].name,
        "second": state.seats[1].name,
        "result": "" if end is None else end.result.value,
        "reason": "" if end is None else end.reason,
    }


def _known(fault: BaseException) -> BaseException:
    if isinstance(fault, StaleError):
        return fault
    if isinstance(fault, sa.exc.IntegrityError):
        return StaleError(_why(fault))
    return StorageError(_why(fault))


def _why(fault: BaseException) -> str:
    cause = getattr(fault, "orig", None) or fault
    return str(cause).partition("\n")[0]


def _checked(
    game_id: str, plan: bytes, events: list[bytes], chain: bytes, sequence: int
) -> GameState:
    """Return a stored game after checking its hash chain."""
    if not all(isinstance(each, bytes) for each in (plan, chain, *events)):
        raise DamagedGameError(f"game {game_id}: it holds text instead of bytes")
    link = chained(b"", plan)
    for data in events:
        link = chained(link, data)
    if link != chain or sequence != len(events):
        raise DamagedGameError(f"game {game_id}: its hashes do not fit")
    try:
        return replayed(game_id, decoded_game(plan), [decoded_event(each) for each in events])
    except ValueError as fault:
        raise DamagedGameError(f"game {game_id}: {fault}") from fault
