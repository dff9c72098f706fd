"""Storage of games in SQLite or PostgreSQL: an append returns when it is on disk.

One thread writes. It collects the appends that wait and commits them together, so that one sync
of the disk serves many games. Several servers may share a PostgreSQL store: each game has an owner,
the server that runs its clocks and agents, and every append is checked against the stored state.
"""

from __future__ import annotations

import logging
import queue
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial

import sqlalchemy as sa

from plyboard.errors import PlyboardError, UnusableError, shown
from plyboard.games import game as find_game
from plyboard.processes.background import call_safely, start_thread
from plyboard.server.game.events import GameState
from plyboard.server.storage.changes import ChangeListener, Heard, announce_changes
from plyboard.server.storage.database import (
    START_PATIENCE,
    is_postgres,
    open_engine,
    store_url,
    wait_until_ready,
    writing,
)
from plyboard.server.storage.deadlines import TICK, Deadlines
from plyboard.server.storage.file_lock import NUMBERS, lock_store
from plyboard.server.storage.health import StoreHealth, execute_heartbeat
from plyboard.server.storage.leases import (
    DatabaseClock,
    end_lease,
    owned_games,
    renew_lease,
    safe_end,
    take_all,
    take_over,
)
from plyboard.server.storage.notices import Change
from plyboard.server.storage.reader import (
    StorageError,
    StoredGame,
    StoreReader,
    database_now,
    reason_of,
    unusable_store,
)
from plyboard.server.storage.schema import GAMES, migrate
from plyboard.server.storage.writes import StaleError, Write, execute_writes, is_written

LOG = logging.getLogger("plyboard.server")
MOST_IN_BATCH = 256
WRITE_PATIENCE = 3.0  # seconds to find out what became of a commit whose connection was lost
ANSWER_SECONDS = 4.0  # until who waits for a write is told that nobody knows what became of it
CLOSE_SECONDS = 2.0  # for the writer to end when the store is closed
LATE = "it does not answer in time; nobody knows yet whether this is stored"
RETRY_SECONDS = 0.1
SHIFT_SECONDS = 60.0  # to correct the clocks of all games after a time without any server
DATABASE_FAULTS = sa.exc.SQLAlchemyError, UnusableError
"""What a database raises; the second if a new connection is to one that cannot be used."""
HEARTBEAT_SECONDS = 1.0  # between two heartbeats of a store that fails


Done = Callable[[BaseException | None], None]
"""Called from another thread with None when the write is on disk, else with the error."""


class WaitingWrite:
    """A write that somebody waits for, who gets one answer: the first."""

    def __init__(self, write: Write, done: Done) -> None:
        self.write = write
        self.until = time.monotonic() + ANSWER_SECONDS
        self._done, self._lock, self.is_answered = done, threading.Lock(), False

    def answer(self, fault: BaseException | None) -> bool:
        """Answer, and return whether this is the first answer."""
        with self._lock:
            if self.is_answered:
                return False
            self.is_answered = True
        call_safely(self._done, fault)
        return True


class GameStore(StoreReader):
    """The games of one server, which may share a PostgreSQL store with other servers."""

    lapses = 0  # how often a lease was got that had ended: clocks may have been changed by then

    def __init__(self, store: str, patience: float = START_PATIENCE) -> None:
        self.url = store_url(store)
        self.server = 1 + secrets.randbelow(2**31 - 2)
        self.is_shared = is_postgres(self.url)
        self._lock = lock_store(self.url)
        self._listener: ChangeListener | None = None
        self._deadlines = Deadlines()
        self._heard: Heard = lambda _: None
        self.commits = self.writes = 0  # since the start
        self._lease_end, self._is_claim_unknown = 0.0, False
        self._clock = DatabaseClock()
        self.health, self._last_heartbeat, self._has_failed = StoreHealth("written"), 0.0, False
        try:
            self.engine = open_engine(self.url)
            wait_until_ready(self.engine, patience)
            migrate(self.engine)  # which may take long
            if self.is_shared:
                self.engine.dispose()
                self.engine = open_engine(self.url, deadlines=self._deadlines)
            with writing(self.engine).begin() as connection:
                execute_heartbeat(connection, self.server)
            if self.is_shared:
                self._lease_end = self._renewed_until()
                self._listener = ChangeListener(self.engine, self.server, self._deadlines)
            if self._lock is not None:
                self._kept = self.engine.raw_connection()  # so that SQLite keeps the log
                found = self._kept.cursor().execute("PRAGMA user_version").fetchone()
                self._lock.mark_open(found[0])
        except BaseException as fault:
            self._dispose()
            if isinstance(fault, OSError):
                raise UnusableError.of("cannot use the store", store, fault) from fault
            if not isinstance(fault, sa.exc.SQLAlchemyError):
                raise
            raise unusable_store(self.url, fault) from fault
        self._queue: queue.SimpleQueue[WaitingWrite | Done | None] = queue.SimpleQueue()
        self._waiting = deque[WaitingWrite]()  # all that are in the queue or being written
        self._is_late = False  # whether the writer has kept somebody waiting for too long
        self._is_closed = threading.Event()
        self._writer = start_thread(self._work, "store writer")
        start_thread(self._answer_in_time, "store answers")

    def announce(self, address: str) -> None:
        """Note where this server listens, for others that want to use the same store."""
        if self._lock is not None:
            self._lock.announce(address)

    def check(self) -> None:
        """Raise `StorageError` if the store cannot be read now, or if its file is gone."""
        self.check_files()
        super().check()

    def check_files(self) -> None:
        """Raise `StorageError` if a file of the store was deleted or replaced since it was opened.

        SQLite would go on with files that nobody can open any more. This takes a few microseconds.
        """
        lost = self._lock.lost_file() if self._lock is not None else ""
        if lost:
            raise StorageError(f"{shown(lost)} was deleted or replaced while the server uses it")

    def load_after(self, state: GameState) -> StoredGame | None:
        """Return a game of which an earlier state is known, with only the requests after it.

        While the writer gets no answer, this fails at once: who asks has waited long enough.
        """
        if self._is_late:
            raise StorageError(LATE)
        return super().load_after(state)

    def submit(self, write: Write, done: Done) -> None:
        """Queue a write. Any thread may call this."""
        waiting = WaitingWrite(write, done)
        self._waiting.append(waiting)
        self._queue.put(waiting)

    def send_heartbeat(self, done: Done) -> None:
        """Queue a write that finds out whether the store works; `health` has the result, too."""
        self._queue.put(done)

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

    def listen(self, heard: Heard) -> None:
        """Report changes of games that nobody here was told of, from another thread.

        Other servers have made them, or they were stored after their time.
        """
        self._heard = heard
        if self._listener is not None:
            self._listener.heard = heard

    @property
    def is_deaf(self) -> bool:
        """Whether changes of other servers are not reported now."""
        return self._listener is not None and self._listener.is_lost

    @property
    def has_lease(self) -> bool:
        """Whether no other server can have taken over the games of this one."""
        return not self.is_shared or time.monotonic() < self._lease_end

    def seconds_since(self, moment: int) -> float:
        """Return how long ago a moment was by the clock of the database, in milliseconds."""
        return max(0.0, (self._clock.now() - moment) / 1000)

    def claim(self) -> list[str]:
        """Renew the lease of this server, and become the owner of all games whose server has gone.

        Returns the games that it may not run yet. Games in SQLite had no server until now: their
        clocks start now.
        """
        try:
            if not self.is_shared:
                with writing(self.engine).begin() as connection:
                    return take_all(connection, self.server)
            end = self._renewed_until()
            with writing(self.engine).begin() as connection:
                claimed = take_over(connection, self.server, is_known_game)
                if self._is_claim_unknown:
                    claimed = owned_games(connection, self.server)
        except DATABASE_FAULTS as fault:
            self._is_claim_unknown = True  # it may have been committed
            raise StorageError(reason_of(fault)) from fault
        self._is_claim_unknown = False
        if not self.has_lease:
            self.lapses += 1
        self._lease_end = end
        return claimed

    def see_hosts(self, games: Sequence[str]) -> None:
        """Note that the hosts of open games are here; raise `StorageError` if that fails."""
        try:
            with writing(self.engine).begin() as connection:
                connection.execute(
                    sa.update(GAMES)
                    .where(GAMES.c.id.in_(games), GAMES.c.is_open)
                    .values(host_seen=database_now(connection))
                )
        except DATABASE_FAULTS as fault:
            raise StorageError(reason_of(fault)) from fault

    def _renewed_until(self) -> float:
        """Renew the lease; return when it ends, by our own clock and not too late."""
        began = time.monotonic()
        with writing(self.engine).begin() as connection:
            used = connection.connection.dbapi_connection
            be_patient = partial(self._deadlines.begin, used, SHIFT_SECONDS)  # type: ignore[arg-type]
            idle = renew_lease(connection, self.server, be_patient)
            self._clock.look(connection)
        if idle is not None:
            LOG.warning("no server was there from %s to %s: clocks stood still", *map(_utc, idle))
        return safe_end(began)

    def close(self) -> None:
        """Write what is queued, then close; a database that does not answer is left behind."""
        self._queue.put(None)
        self._writer.join(CLOSE_SECONDS)
        self._is_closed.set()
        if self.is_shared and self.has_lease:
            with suppress(*DATABASE_FAULTS), writing(self.engine).begin() as connection:
                end_lease(connection, self.server)
        self._dispose()

    def _dispose(self) -> None:
        if self._listener is not None:
            self._listener.close()
        if hasattr(self, "_kept"):
            self._kept.close()
        if hasattr(self, "engine"):
            self.engine.dispose()
        if self._lock is not None:
            self._lock.close()
        self._deadlines.close()

    # ------------------------------------------------------------------- in the writer's thread

    def _work(self) -> None:
        while (batch := self._next_batch()) is not None:
            writes = [each for each in batch if isinstance(each, WaitingWrite)]
            writes = [each for each in writes if not each.is_answered]
            try:
                if writes:
                    self._write_all(writes)
            except BaseException as fault:  # without this thread nothing would be stored any more
                LOG.exception("the store failed")
                for each in writes:
                    each.answer(StorageError(str(fault)))
            self._is_late = False
            looks = [each for each in batch if not isinstance(each, WaitingWrite)]
            if looks or self._must_be_tried():
                call_safely(self._try, looks)

    def _answer_in_time(self) -> None:
        """Tell those who have waited too long; what becomes of their writes is found out later."""
        while not self._is_closed.wait(TICK):
            now = time.monotonic()
            while self._waiting and (self._waiting[0].is_answered or self._waiting[0].until <= now):
                if self._waiting[0].is_answered:
                    self._waiting.popleft()
                    continue
                self._is_late = self._has_failed = True
                self._waiting.popleft().answer(StorageError(LATE))

    def _must_be_tried(self) -> bool:
        """Return whether a store that fails must be tried again, to know when it works."""
        is_failing = self._has_failed or bool(self.health.cause)
        return is_failing and time.monotonic() - self._last_heartbeat >= HEARTBEAT_SECONDS

    def _try(self, waiting: list[Done]) -> None:
        """Find out whether the store works."""
        self._has_failed, self._last_heartbeat = False, time.monotonic()
        fault = _known(self._commit([]))
        self.health.hear(fault)
        for done in waiting:
            call_safely(done, fault)

    def _next_batch(self) -> list[WaitingWrite | Done] | None:
        """Wait for a write, and return it with those that wait behind it; None at the end.

        If the store fails, no write may come for a moment.
        """
        is_failing = self._has_failed or self.health.cause
        try:
            first = self._queue.get(timeout=HEARTBEAT_SECONDS if is_failing else None)
        except queue.Empty:
            return []
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

    def _write_all(self, batch: list[WaitingWrite]) -> None:
        """Commit a batch; if that fails, commit each write alone, so that only bad ones fail."""
        end = time.monotonic() + WRITE_PATIENCE
        fault = self._commit([each.write for each in batch])
        is_final = fault is None or (len(batch) == 1 and not _is_lost(fault))
        for each in batch:
            write = each.write
            ended = _known(fault) if is_final else self._write_alone(write, fault, end)
            self._has_failed |= isinstance(ended, StorageError)
            if not each.answer(ended) and ended is None:  # too late for who asked
                call_safely(self._heard, [Change(write.game, write.sequence)])

    def _commit(self, writes: list[Write]) -> BaseException | None:
        """Store writes in one transaction, or a heartbeat; return why that failed."""
        try:
            self.check_files()
            with writing(self.engine).begin() as connection:
                if writes:
                    execute_writes(connection, writes, self.server)
                else:
                    execute_heartbeat(connection, self.server)
                if self._lock is not None:
                    commit = (self._lock.commit + 1) % NUMBERS
                    connection.exec_driver_sql(f"PRAGMA user_version = {commit}")
                if self.is_shared and writes:
                    announce_changes(connection, self.server, writes)
            if self._lock is not None:
                self._lock.note(commit)
            self.check_files()  # they may have gone meanwhile
        except BaseException as fault:
            return fault
        self.commits += 1
        self.writes += len(writes)
        return None

    def _write_alone(
        self, write: Write, fault: BaseException | None, end: float
    ) -> BaseException | None:
        """Store a write whose batch has failed; return why it cannot be stored.

        If the connection was lost in a commit, nobody knows whether the write is stored. It is
        tried again: if it was stored, the second try is stale, and the stored event is compared.
        """
        is_unknown = _is_lost(fault)
        if time.monotonic() > end:  # others wait behind it
            return _known(fault)
        while True:
            again = self._commit([write])
            if again is None:
                return None
            if not _is_lost(again):
                is_done = is_unknown and _is_stale(again) and _has(self, write)
                return None if is_done else _known(again)
            is_unknown = True
            if time.monotonic() > end:
                return _known(again)
            time.sleep(RETRY_SECONDS)


def _utc(moment: int) -> str:
    """Return a moment in milliseconds since 1970 as text."""
    return datetime.fromtimestamp(moment / 1000, UTC).isoformat(timespec="milliseconds")


def is_known_game(spec: str) -> bool:
    """Return whether this server has the rules of a game."""
    try:
        find_game(spec)
    except PlyboardError:
        return False
    return True


def _has(store: StoreReader, write: Write) -> bool:
    """Return whether just this write is known to be in a store."""
    try:
        with store.reading() as connection:
            return is_written(connection, write)
    except StorageError:
        return False


def _is_lost(fault: BaseException | None) -> bool:
    """Return whether the connection to the database was lost, or refused while it restarts."""
    if not isinstance(fault, sa.exc.DBAPIError):
        return False
    state = getattr(fault.orig, "sqlstate", "")  # psycopg: None if the client noticed
    is_refused = isinstance(fault, sa.exc.OperationalError) and (
        state is None or state.startswith(("08", "57P"))
    )
    return fault.connection_invalidated or is_refused


def _is_stale(fault: BaseException) -> bool:
    return isinstance(fault, StaleError | sa.exc.IntegrityError)


def _known(fault: BaseException | None) -> BaseException | None:
    if fault is None or isinstance(fault, StaleError):
        return fault
    if isinstance(fault, sa.exc.IntegrityError):
        return StaleError(reason_of(fault))
    return StorageError(reason_of(fault))
