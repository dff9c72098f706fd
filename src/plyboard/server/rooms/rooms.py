"""The games in memory, and who watches them. One lock per game gives its events one order.

Several servers may have the same game in memory. Its owner runs the clocks and agents; the others
read the game again when it has changed.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import msgspec

from plyboard.errors import PlyboardError
from plyboard.play.fault import Fault
from plyboard.play.seat import SeatInput
from plyboard.search.common.choice import Choice
from plyboard.server.game import decisions
from plyboard.server.game.decisions import Decision
from plyboard.server.game.events import DamagedGameError, GameState, UnknownGameError
from plyboard.server.game.tokens import is_game_id, is_same_token
from plyboard.server.limits import ServerLimits
from plyboard.server.protocol import OpenGame, RequestError, encode_answer
from plyboard.server.rates import AddressTable
from plyboard.server.rooms.views import game_view, open_game
from plyboard.server.storage.changes import Change
from plyboard.server.storage.reader import StorageError, StoredGame
from plyboard.server.storage.store import GameStore
from plyboard.server.storage.writes import Append, ClientRequest, StaleError, Write
from plyboard.server.views import prepare as prepare_view
from plyboard.server.workers.turns import Turns

LOG = logging.getLogger("plyboard.server")
Found = TypeVar("Found")
BOTH = 2  # the seat of one person who plays for both sides
MOST_IDLE_ROOMS = 1000  # kept in memory though nobody watches
READ_AT_ONCE = 2  # lists and games, for clients
DROP_SECONDS = 1.0  # until idle games are dropped
CLAIM_SECONDS = 1.0  # between two looks for games whose server has gone
RETRY_SECONDS = 1.0  # before an agent or a clock that could not be stored is tried again
NEWER_SOCKETS = "the seat is used by newer sockets"
NEWER_TOKEN = "the token of the seat was replaced"
UNAVAILABLE = "The server cannot reach its store now. Try again."


class Watcher(Protocol):
    """A connected client."""

    @property
    def address(self) -> str:
        """Where it comes from, as limits count it."""

    @property
    def is_open(self) -> bool:
        """Whether it still gets messages."""

    def replace(self, reason: str) -> None:
        """Close it because its seat is used by others."""

    def send(self, text: str) -> None:
        """Queue a message; never blocks."""


class ChoosesMoves(Protocol):
    """Whatever searches for the agents, outside this process."""

    async def choose(self, state: GameState, left: float | None) -> SeatInput:
        """Return the move of the agent to move, or its fault."""

    async def prepare(self, state: GameState) -> None:
        """Do slow work for the agents of a new game that is not thinking."""


@dataclass
class Room:
    """A game in memory."""

    state: GameState
    is_ours: bool  # whether this server runs its clocks and agents
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    # With the hashes of their tokens, empty for spectators: a token opens a seat only as long as
    # the state says so.
    watchers: dict[Watcher, bytes] = field(default_factory=dict)
    requests: dict[str, tuple[str, int]] = field(default_factory=dict)  # as in `StoredGame`
    timer: asyncio.TimerHandle | None = None
    thinking: asyncio.Task[None] | None = None

    def seat_watcher(self, watcher: Watcher, hashed: bytes, most: int) -> None:
        """Let a client watch with a token; the oldest of too many clients with it is closed."""
        self.watchers.pop(watcher, None)
        self.watchers[watcher] = hashed
        if hashed:
            seated = [each for each, token in self.watchers.items() if token == hashed]
            for each in seated[: max(0, len(seated) - most)]:
                del self.watchers[each]
                each.replace(NEWER_SOCKETS)

    def close_strangers(self) -> None:
        """Close the clients whose token opens no seat any more."""
        for watcher, hashed in list(self.watchers.items()):
            if hashed and self.seat_of(hashed) is None:
                del self.watchers[watcher]
                watcher.replace(NEWER_TOKEN)

    def seat_of(self, hashed: bytes) -> int | None:
        """Return the seat that a token opens, `BOTH` for both seats, None for no seat."""
        first, second = (is_same_token(hashed, seat.token_hash) for seat in self.state.seats)
        return BOTH if first and second else 0 if first else 1 if second else None

    def player_of(self, seat: int | None) -> int | None:
        """Return the player of a seat; who has both seats is the player to move."""
        return self.state.match.mover if seat == BOTH else seat


class StaleRoomError(RequestError):
    """Another server has changed the game; the room holds the new state now."""

    def __init__(self) -> None:
        super().__init__("stale", "The game has changed meanwhile.")


class Rooms:
    """All games of a server process: loads them, stores their events, and tells who watches."""

    def __init__(
        self,
        store: GameStore,
        agents: ChoosesMoves,
        addresses: AddressTable,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store, self.agents, self.addresses, self.now = store, agents, addresses, now
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading = Turns(1)
        self._reading = Turns(READ_AT_ONCE)
        self._changed_meanwhile: dict[str, int] = {}  # of games that are being loaded
        self._tasks: set[asyncio.Task[Any]] = set()
        self._watched: defaultdict[Watcher, set[str]] = defaultdict(set)  # games by client
        self._dropping: asyncio.TimerHandle | None = None

    @property
    def limits(self) -> ServerLimits:
        """The current limits."""
        return self.addresses.limits

    async def resume(self) -> None:
        """Run the unfinished games that no other server runs, now and whenever a server ends."""
        loop = asyncio.get_running_loop()
        self.store.listen(lambda changes: _soon(loop, self._hear, changes))
        ids = await asyncio.to_thread(self.store.claim)
        self.spawn(self._run_claimed(ids))
        if self.store.is_shared:
            self.spawn(self._claim_forever())

    async def _claim_forever(self) -> None:
        """Take over the games of servers that have gone."""
        while True:
            await asyncio.sleep(CLAIM_SECONDS)
            try:
                await self._run_claimed(await asyncio.to_thread(self.store.claim))
            except StorageError:
                continue  # the store is down; the listener reports it
            except Exception:
                LOG.exception("cannot take over games")

    async def _run_claimed(self, ids: list[str]) -> None:
        for game_id in ids:
            try:
                room = await self.get(game_id)
                async with room.lock:
                    if not room.is_ours:
                        await self._reload(room)
            except RequestError:
                continue  # damaged; `verify` names it

    def _hear(self, changes: list[Change] | None) -> None:
        """Read the games again that another server has changed; None for all in memory."""
        if changes is None:
            changes = [(game_id, -1) for game_id in (*self._rooms, *self._changed_meanwhile)]
        for game_id, sequence in changes:
            if game_id in self._changed_meanwhile:
                self._changed_meanwhile[game_id] = sequence
            if (room := self._rooms.get(game_id)) is not None:
                self.spawn(self._catch_up(room, sequence))

    async def _catch_up(self, room: Room, sequence: int) -> None:
        async with room.lock:
            if sequence < 0 or room.state.sequence < sequence:
                await self._reload(room)

    async def close(self) -> None:
        """Stop all timers and searches."""
        if self._dropping is not None:
            self._dropping.cancel()
        for room in self._rooms.values():
            if room.timer is not None:
                room.timer.cancel()
            if room.thinking is not None:
                room.thinking.cancel()
        for task in list(self._tasks):
            task.cancel()

    async def get(self, game_id: str, address: str = "") -> Room:
        """Return a game, from the store if it is not in memory: that is work for an address."""
        room = self._rooms.get(game_id)
        if room is not None:
            self._rooms.move_to_end(game_id)
            if self.store.is_deaf:
                async with room.lock:
                    await self._reload(room)
            return room
        if not is_game_id(game_id):
            raise RequestError("no_game", "There is no such game.")
        async with self._loading.of(address):
            if game_id in self._rooms:
                return self._rooms[game_id]
            self._changed_meanwhile[game_id] = 0
            try:
                stored = await self.read(self._loaded, game_id, address=address)
            except UnknownGameError as fault:
                message = "This server does not have the rules of this game."
                raise RequestError("unknown_game", message) from fault
            except DamagedGameError as fault:
                raise RequestError("damaged_game", "This game is damaged.") from fault
            finally:
                sequence = self._changed_meanwhile.pop(game_id)
            if stored is None:
                raise RequestError("no_game", "There is no such game.")
            room = self.add(self._running(stored), self._is_ours(stored), stored.requests)
        self.proceed(room)
        await self._catch_up(room, sequence)
        return room

    async def read(
        self, call: Callable[..., Found], *arguments: object, address: str = ""
    ) -> Found:
        """Call the store in a thread; raise `RequestError` if it cannot be read.

        The time that it takes counts as work for an address, if one is given.
        """
        if not address:
            return await self._read(call, *arguments)
        self.addresses.check_work(address)
        seconds = list[float]()

        def timed() -> Found:
            began = time.thread_time()
            try:
                return call(*arguments)
            finally:
                seconds.append(time.thread_time() - began)

        try:
            async with self._reading.of(address):
                return await self._read(timed)
        finally:
            self.addresses.charge(address, sum(seconds))

    async def _read(self, call: Callable[..., Found], *arguments: object) -> Found:
        try:
            return await asyncio.to_thread(call, *arguments)
        except StorageError as fault:
            raise RequestError("storage_unavailable", UNAVAILABLE) from fault

    def _loaded(self, game_id: str) -> StoredGame | None:
        stored = self.store.load(game_id)
        if stored is not None:
            prepare_view(stored.state.match.position.game)
        return stored

    def _running(self, stored: StoredGame) -> GameState:
        """Return a game with its clock as all servers see it."""
        return decisions.started(stored.state, self.now() - stored.seconds)

    def _is_ours(self, stored: StoredGame) -> bool:
        return stored.owner == self.store.server

    def add(
        self,
        state: GameState,
        is_ours: bool = True,
        requests: dict[str, tuple[str, int]] | None = None,
    ) -> Room:
        """Keep a game in memory."""
        room = self._rooms[state.id] = Room(state, is_ours, requests=requests or {})
        self._drop_idle_soon()
        return room

    def _drop_idle_soon(self) -> None:
        """Forget idle games in a moment: that looks at all games, so not for each one that goes."""
        if len(self._rooms) > MOST_IDLE_ROOMS and self._dropping is None:
            loop = asyncio.get_running_loop()
            self._dropping = loop.call_later(DROP_SECONDS, self._drop_idle)

    def _drop_idle(self) -> None:
        """Forget games that nobody watches and that need no server, the oldest first."""
        self._dropping = None
        idle = [
            key
            for key, room in self._rooms.items()
            if (room.state.is_over or not room.is_ours) and not room.watchers
        ]
        for game_id in idle[: max(0, len(self._rooms) - MOST_IDLE_ROOMS)]:
            del self._rooms[game_id]

    def watch(self, watcher: Watcher, room: Room, hashed: bytes) -> None:
        """Send a client the news of a game; see `Room.seat_watcher`."""
        room.seat_watcher(watcher, hashed, self.limits.sockets_per_seat)
        self._watched[watcher].add(room.state.id)

    def unwatch(self, watcher: Watcher, game_id: str) -> None:
        """Send a client no more news of a game."""
        self._watched[watcher].discard(game_id)
        self._remove(watcher, game_id)

    def forget(self, watcher: Watcher) -> None:
        """Send a client that has gone no more news."""
        for game_id in self._watched.pop(watcher, ()):
            self._remove(watcher, game_id)

    def _remove(self, watcher: Watcher, game_id: str) -> None:
        room = self._rooms.get(game_id)
        if room is not None:
            room.watchers.pop(watcher, None)
            self._drop_idle_soon()

    def counts(self) -> dict[str, int]:
        """Return how many games are in memory, and how many of them are not over."""
        unfinished = sum(not room.state.is_over for room in self._rooms.values())
        return {"games_in_memory": len(self._rooms), "games_unfinished": unfinished}

    def is_unfinished(self, game_id: str) -> bool:
        """Return whether a game is in memory and not over."""
        room = self._rooms.get(game_id)
        return room is not None and not room.state.is_over

    async def open_games(self, address: str) -> list[OpenGame]:
        """Return the public games that wait for a player."""
        return await self.read(self._open_games, address=address)

    def _open_games(self) -> list[OpenGame]:
        found = list[OpenGame]()
        for game_id, plan in self.store.open_games():
            with suppress(PlyboardError):  # another server may have the rules of this game
                found.append(open_game(game_id, plan))
        return found

    def broadcast(self, room: Room) -> None:
        """Send the game to all who watch it."""
        view = game_view(room.state, self.now())
        texts: dict[bytes, str] = {}
        for watcher, hashed in room.watchers.items():
            if hashed not in texts:
                player = room.player_of(room.seat_of(hashed))
                texts[hashed] = encode_answer(msgspec.structs.replace(view, you=player))
            watcher.send(texts[hashed])

    def send_view(self, room: Room, watcher: Watcher) -> None:
        """Send the game to one client."""
        view = game_view(room.state, self.now())
        player = room.player_of(room.seat_of(room.watchers.get(watcher, b"")))
        watcher.send(encode_answer(msgspec.structs.replace(view, you=player)))

    async def commit(
        self,
        room: Room,
        decision: Decision,
        request: ClientRequest | None,
        now: float,
        owner: int | None = None,
    ) -> None:
        """Store the events of a decision, then make it the state of the room.

        What the clock or an agent does is stored only by the `owner` of the game.
        """
        if not decision.events:
            return
        try:
            await self.write(Append(room.state, decision.state, decision.events, request, owner))
        except RequestError:
            await self._reload(room)
            raise
        if request is not None:
            room.requests[request.id] = request.asked, decision.state.sequence
        before, room.state = room.state, decisions.started(decision.state, max(now, self.now()))
        if not room.state.is_current(before.sequence):
            self.proceed(room)

    async def write(self, write: Write) -> None:
        """Return when a write is on disk; raise `RequestError` if it cannot be stored."""
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()

        def finish(fault: BaseException | None) -> None:
            if done.done():  # the caller has gone
                return
            if fault is None:
                done.set_result(None)
            else:
                done.set_exception(fault)

        def written(fault: BaseException | None) -> None:
            loop.call_soon_threadsafe(finish, fault)

        self.store.submit(write, written)
        try:
            await asyncio.shield(done)
        except StaleError as fault:
            raise StaleRoomError from fault
        except StorageError as fault:
            raise RequestError(
                "storage_unavailable", "The server cannot store the move now. Try again."
            ) from fault

    async def refresh(self, room: Room) -> None:
        """Read a game again that a client knows in another state than this server."""
        if self.store.is_shared:
            await self._reload(room)

    async def _reload(self, room: Room) -> None:
        """Read a game again whose state in memory may be old."""
        try:
            stored = await asyncio.to_thread(self.store.load_after, room.state)
        except Exception:  # the store is down; the next write tells
            return
        if stored is None:
            return
        was_ours, room.is_ours, before = room.is_ours, self._is_ours(stored), room.state
        if stored.state.sequence != before.sequence:
            room.requests.update(stored.requests)
            room.state = self._running(stored)
            room.close_strangers()
            self.broadcast(room)
        if was_ours != room.is_ours or not room.state.is_current(before.sequence):
            self.proceed(room)

    def proceed(self, room: Room) -> None:
        """Set the timer of the clock, and let the agent to move think, if the game is ours.

        A new token changes neither: a player could delay the opponent otherwise.
        """
        if room.timer is not None:
            room.timer.cancel()
            room.timer = None
        state = room.state
        if not room.is_ours and room.thinking is not None:
            room.thinking.cancel()
            room.thinking = None
        if state.is_over or not room.is_ours:
            return
        seconds = self.limits.waiting_seconds if state.is_waiting else self.limits.unplayed_seconds
        left = None if state.is_waiting else state.table.left_at(self.now())
        if left is not None:
            seconds = max(0.0, left) + 0.001
        loop = asyncio.get_running_loop()
        room.timer = loop.call_later(seconds, lambda: self.spawn(self._time_is_up(room, state)))
        if not state.is_waiting and state.seats[state.match.mover].kind == "agent":
            if room.thinking is not None:
                room.thinking.cancel()
            room.thinking = self.spawn(self._think(room, state))

    def _proceed_later(self, room: Room, state: GameState) -> None:
        """Try again what could not be stored, unless the game goes on meanwhile."""

        def again() -> None:
            if room.state.is_current(state.sequence):
                self.proceed(room)

        room.timer = asyncio.get_running_loop().call_later(RETRY_SECONDS, again)

    async def _time_is_up(self, room: Room, state: GameState) -> None:
        """End a game whose flag fell or whose player is gone, if nothing has happened since."""
        async with room.lock:
            is_late = not room.state.is_current(state.sequence)
            if is_late or room.state.is_over or not room.is_ours:
                return
            decision = decisions.looked(room.state, self.now())
            if room.state.is_waiting or (not decision.events and room.state.table.clock is None):
                decision = decisions.abandoned(room.state, _absence(room.state))
            elif not decision.events:
                self.proceed(room)
                return
            try:
                await self.commit(room, decision, None, self.now(), self.store.server)
            except RequestError:
                self._proceed_later(room, state)
                return
        self.broadcast(room)

    async def _think(self, room: Room, state: GameState) -> None:
        """Ask the agent to move, and play its move if the game is still where it was."""
        said = await self.agents.choose(state, state.table.left_at(self.now()))
        async with room.lock:
            if not room.state.is_current(state.sequence) or room.state.is_over:
                return
            player, now = room.state.match.mover, self.now()
            if isinstance(said, Choice | str):
                decision = decisions.move(room.state, player, said, now)
            elif isinstance(said, int):
                decision = decisions.move(room.state, player, Choice(said), now)
            else:
                detail = said.text if isinstance(said, Fault) else "no move"
                decision = decisions.lost(room.state, player, "fault", detail)
            if decision.refusal is not None and not decision.events:
                detail = decision.refusal.message
                decision = decisions.lost(room.state, player, "illegal move", detail)
            room.thinking = None
            try:
                await self.commit(room, decision, None, now, self.store.server)
            except RequestError:
                self._proceed_later(room, state)
                return
        self.broadcast(room)

    def spawn(self, work: Coroutine[object, object, Found]) -> asyncio.Task[Found]:
        """Run a task of its own; a failure is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._end_task)
        return task

    def _end_task(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (fault := task.exception()) is not None:
            LOG.error("a task of the server failed", exc_info=fault)


def _soon(
    loop: asyncio.AbstractEventLoop, call: Callable[[list[Change] | None], None],
    changes: list[Change] | None,
) -> None:  # fmt: skip
    """Call back in the loop, from another thread; a loop that has ended hears no more."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(call, changes)


def _absence(state: GameState) -> str:
    return "nobody joined" if state.is_waiting else "no move for too long"
