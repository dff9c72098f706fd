"""One game in memory. Every change to it is a transaction here."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol, TypeVar

from plyboard.server.game import decisions
from plyboard.server.game.decisions import Decision
from plyboard.server.game.events import DamagedGameError, GameState, applied, decoded_event
from plyboard.server.protocol import RequestError, encode_answer
from plyboard.server.rooms.audience import Audience, Watcher, seen_by
from plyboard.server.rooms.store_access import UNAVAILABLE, StaleRoomError, StoreAccess
from plyboard.server.rooms.views import game_view
from plyboard.server.storage.notices import Change
from plyboard.server.storage.reader import StoredGame
from plyboard.server.storage.writes import Append, ClientRequest

LOG = logging.getLogger("plyboard.server")
Found = TypeVar("Found")
ID_CONFLICT = "This id was used for something else."
TURN_SECONDS = 4.0  # for a transaction to begin while others wait for the store
MOST_TRIES = 3  # of a transaction while other servers change its game

Then = Callable[[Decision], None]
"""Called when a decision is on disk, before anybody is told."""


class NotAPlayerError(RequestError):
    """The token of a request opens no seat."""

    def __init__(self) -> None:
        super().__init__("not_a_player", "Only the players of this game may do that.")


class LostGameError(RequestError):
    """The database does not have the game any more."""

    def __init__(self) -> None:
        super().__init__("no_game", "There is no such game.")


class RunsGame(Protocol):
    """Whatever runs the clock and the agents of a game."""

    def proceed(self) -> None:
        """Go on with the state of the game as it is now."""

    def stop(self) -> None:
        """Do nothing more."""


@dataclass(frozen=True)
class PlayerRequest:
    """What a player asks for. A repeated request has the same id and asks for the same."""

    id: str
    hashed: bytes  # of the player's token
    asked: str
    known: int | None = None  # how many events the player knows, if the request depends on that


class Room:
    """A game in memory: its state, its players' requests, and who watches.

    Several servers may have the same game in memory. A transaction holds the lock, reads the game
    again if the client knows another state, decides, stores the events, and tells everybody. If
    another server was faster it begins again.
    """

    def __init__(
        self,
        stored: StoredGame,
        storage: StoreAccess,
        now: Callable[[], float],
        run: Callable[[Room], RunsGame],
        lost: Callable[[Room], None],
    ) -> None:
        self._storage, self.now, self._lost = storage, now, lost
        self._lapses = storage.store.lapses  # of the lease, when the game was read last
        self.state, self.is_ours = self._running(stored), stored.owner == storage.store.server
        self.audience = Audience()
        self._requests = dict(stored.requests)
        self._lock = asyncio.Lock()
        self._restored = 0  # how often the database had an older game than this one
        self._is_lost = False  # whether the database does not have the game any more
        self.is_behind = False  # whether the game could not be read when it had to be
        self.runner = run(self)

    @property
    def is_hosted(self) -> bool:
        """Whether a public game waits for a player while its host, if that is a person, watches."""
        state = self.state
        if not state.plan.is_public or not state.is_waiting or state.is_over:
            return False
        if any(seat.kind == "agent" for seat in state.seats):
            return self.is_ours
        return self.audience.has_player(state)

    # -------------------------------------------------------------------------- transactions

    async def execute(
        self,
        request: PlayerRequest,
        decide: Callable[[GameState, int], Decision],
        then: Then | None = None,
    ) -> int:
        """Do what a player asks for, once, and return the number of its last event.

        `decide` gets the state and the player. Raises `RequestError` if it is refused.
        """

        async def step() -> int:
            if (number := self.repeated(request)) is not None:
                return number
            player = self.state.player_of(request.hashed)
            if player is None:  # the token may be replaced by now
                raise NotAPlayerError
            decision = decide(self.state, player)
            await self._commit(decision, self._stored_request(request), None, then)
            _raise_refusal(decision)
            return self.state.sequence

        return await self._transaction(step, request)

    async def change(self, decide: Callable[[GameState], Decision], then: Then) -> None:
        """Do what somebody asks for who may have no seat yet."""

        async def step() -> None:
            decision = decide(self.state)
            await self._commit(decision, None, None, then)
            _raise_refusal(decision)

        await self._transaction(step)

    async def act(self, decide: Callable[[GameState], Decision | None]) -> None:
        """Do what the clock or an agent does, as long as this server owns the game."""

        async def step() -> None:
            if self.is_ours and not self._storage.store.has_lease:
                raise RequestError("storage_unavailable", UNAVAILABLE)
            decision = decide(self.state) if self.is_ours else None
            if decision is not None and decision.events:
                await self._commit(decision, None, self._storage.store.server, None)

        await self._transaction(step, is_fresh=True)

    def repeated(self, request: PlayerRequest) -> int | None:
        """Return the number of the event that this very request has caused; None if it has not.

        Raises `RequestError` if its id was used for something else.
        """
        known = self._requests.get(self._stored_request(request).id)
        if known is None:
            return None
        if known[0] != request.asked:
            raise RequestError("id_conflict", ID_CONFLICT)
        return known[1]

    def _stored_request(self, request: PlayerRequest) -> ClientRequest:
        seat = self.state.seat_of(request.hashed)
        return ClientRequest(f"{seat}:{request.id}", request.asked)

    async def _transaction(
        self,
        step: Callable[[], Awaitable[Found]],
        request: PlayerRequest | None = None,
        *,
        is_fresh: bool = False,
    ) -> Found:
        """Take a step alone; again if another server has changed the game meanwhile."""
        async with _turn(self._lock):
            if self._is_lost:
                raise LostGameError
            if self._may_be_old():
                await self._read_again()
            elif not is_fresh and not (request and self._is_up_to(request)):
                await self._refresh()
            for _ in range(MOST_TRIES - 1):
                try:
                    return await step()
                except StaleRoomError:
                    continue
            return await step()

    def _is_up_to(self, request: PlayerRequest) -> bool:
        """Return whether the game need not be read again for a request."""
        is_answered = self._stored_request(request).id in self._requests
        return is_answered or request.known == self.state.sequence

    async def _commit(
        self,
        decision: Decision,
        request: ClientRequest | None,
        owner: int | None,
        then: Then | None,
    ) -> None:
        """Store a decision, make it the state, and tell everybody.

        What the clock or an agent does is stored only by the `owner` of the game.
        """
        before = self.state
        if decision.events:
            caused = None if decision.refusal else request
            try:
                await self._storage.write(Append(before, decision, caused, owner))
            except RequestError:
                restored = self._restored
                await self._reload()
                if self._is_lost:
                    raise LostGameError from None
                if self._restored != restored:  # the player has seen another game
                    raise RequestError("stale", "The game has changed meanwhile.") from None
                raise
            if caused is not None:
                self._requests[caused.id] = caused.asked, decision.state.sequence
            self.state = decisions.started(decision.state, self.now())
        elif decision.refusal is not None:
            return
        if then is not None:
            then(decision)
        self._tell_all(before)

    def _tell_all(self, before: GameState) -> None:
        """Send the new state to everybody, and let the game go on."""
        self.audience.close_strangers(self.state)
        self.audience.tell(self.state, self.now())
        if not self.state.is_current(before.sequence):
            self.runner.proceed()

    # ------------------------------------------------------------------------ reading it again

    async def _refresh(self) -> None:
        """Read the game again if another server may have changed it. The lock is held."""
        if self._storage.store.is_shared:
            await self._read_again()

    async def catch_up(self, sequence: int = -1) -> None:
        """Read the game again, but for one that has an event of this number already."""
        async with self._lock:
            if self._is_lost:
                return
            if sequence < 0 or self.state.sequence < sequence:
                await self._reload()

    async def hear(self, change: Change) -> None:
        """Do what another server has done; read the game again if something is missing."""
        async with self._lock:
            if self._is_lost or self.state.sequence >= change.sequence:
                return
            told = None if self._may_be_old() else self._told(change)
            if told is None:
                await self._reload()
            else:
                self._take(told)

    def _told(self, change: Change) -> StoredGame | None:
        """Return the game after a change; None if that cannot be known from what was told."""
        state = self.state
        if state.sequence + len(change.entries) != change.sequence:
            return None
        try:
            for data in change.entries:
                state = applied(state, decoded_event(data), data)
        except (DamagedGameError, ValueError):
            return None
        if state.chain != change.chain:
            return None
        requests = {}
        if change.request is not None:
            request, asked = change.request
            requests[request] = asked, change.sequence
        seconds = self._storage.store.seconds_since(change.clock_since)
        return StoredGame(state, requests, change.owner, seconds)

    async def take_over(self) -> None:
        """Run a game that this server owns now; raise `RequestError` if it cannot be read."""
        async with self._lock:
            if not self.is_ours or self._may_be_old():
                await self._read_again()

    def _may_be_old(self) -> bool:
        """Return whether others may have changed the game, or its clock, without a word."""
        store = self._storage.store
        return not store.has_lease or self._lapses != store.lapses

    async def _read_again(self) -> None:
        if not await self._reload():
            raise (
                LostGameError if self._is_lost else RequestError("storage_unavailable", UNAVAILABLE)
            )

    async def opens_seat(self, hashed: bytes) -> bool:
        """Return whether a token opens a seat; another server may have replaced it just now."""
        if self._storage.store.is_shared:
            await self.catch_up()
        return self.state.seat_of(hashed) is not None

    async def _reload(self) -> bool:
        """Read the game again; return whether that was possible."""
        lapses = self._storage.store.lapses
        try:
            stored = await asyncio.to_thread(self._storage.store.load_after, self.state)
        except Exception:  # the store is down; the next write tells
            self.is_behind = True
            return False
        self.is_behind = False
        if stored is None:
            self._lose()
            return False
        has_lapsed, self._lapses = self._lapses != lapses, lapses
        self._take(stored, has_lapsed=has_lapsed)
        return True

    def _take(self, stored: StoredGame, *, has_lapsed: bool = False) -> None:
        """Make a stored game the state; after a lapse of the lease its clock may be another one."""
        was_ours, before = self.is_ours, self.state
        self.is_ours = stored.owner == self._storage.store.server
        if not stored.follows:
            self._go_back(stored)
        elif has_lapsed or stored.state.sequence != before.sequence:
            self._requests.update(stored.requests)
            self.state = self._running(stored)
            self._tell_all(before)
        if (has_lapsed or was_ours != self.is_ours) and self.state.is_current(before.sequence):
            self.runner.proceed()

    def _go_back(self, stored: StoredGame) -> None:
        """Forget what the database does not have any more, as after a restored backup."""
        LOG.error(
            "game %s has other events in the database than here, where it had %d; it has %d now",
            self.state.id, self.state.sequence, stored.state.sequence,
        )  # fmt: skip
        self._restored += 1
        self._requests = dict(stored.requests)
        self.state = self._running(stored)
        self.audience.close_strangers(self.state)
        self.audience.tell(self.state, self.now())
        self.runner.proceed()

    def _lose(self) -> None:
        """Stop a game that the database does not have any more, as after a restored backup."""
        LOG.error(
            "the database does not have the game %s any more, which had %d events here",
            self.state.id, self.state.sequence,
        )  # fmt: skip
        self._is_lost, self.is_ours = True, False
        self.runner.stop()
        self.audience.dismiss()
        self._lost(self)

    def _running(self, stored: StoredGame) -> GameState:
        """Return a game with its clock as all servers see it."""
        return decisions.running_since(stored.state, self.now() - stored.seconds)

    # ------------------------------------------------------------------------------- watching

    def send_view(self, watcher: Watcher) -> None:
        """Send the game to one client."""
        view, hashed = game_view(self.state, self.now()), self.audience.token_of(watcher)
        watcher.send(encode_answer(seen_by(view, self.state, hashed)))


def _raise_refusal(decision: Decision) -> None:
    if decision.refusal is not None:
        raise RequestError(decision.refusal.code.value, decision.refusal.message)


@asynccontextmanager
async def _turn(lock: asyncio.Lock) -> AsyncIterator[None]:
    """Hold the lock; a transaction whose client has given up must not begin any more."""
    try:
        async with asyncio.timeout(TURN_SECONDS):
            await lock.acquire()
    except TimeoutError:
        raise RequestError("storage_unavailable", UNAVAILABLE) from None
    try:
        yield
    finally:
        lock.release()
