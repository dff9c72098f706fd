"""The games in memory. One lock per game gives its events one order.

Several servers may have the same game in memory. Its owner runs the clocks and agents; the others
read the game again when it has changed.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial

from plyboard.processes.background import in_background
from plyboard.server.game.events import DamagedGameError, GameState, UnknownGameError
from plyboard.server.game.tokens import is_game_id
from plyboard.server.limits import ServerLimits
from plyboard.server.protocol import RequestError
from plyboard.server.rates import AddressTable
from plyboard.server.rooms.audience import Watcher
from plyboard.server.rooms.game_runner import ChoosesMoves, GameRunner
from plyboard.server.rooms.room import Room
from plyboard.server.rooms.store_access import StoreAccess
from plyboard.server.rooms.tasks import Tasks
from plyboard.server.storage.notices import Change
from plyboard.server.storage.reader import StorageError, StoredGame
from plyboard.server.storage.store import GameStore
from plyboard.server.views import prepare as prepare_view
from plyboard.server.workers.turns import Turns

LOG = logging.getLogger("plyboard.server")
MOST_IDLE_ROOMS = 1000  # kept in memory though nobody watches
DROP_SECONDS = 1.0  # until idle games are dropped
HOST_SECONDS = 15.0  # between two notes of who waits in the lobby
CATCH_UP_AT_ONCE = 2  # games that are read again
CLAIM_SECONDS = 1.0  # between two looks for games whose server has gone


class Rooms:
    """All games of a server process: loads them, and lets those run that it owns."""

    def __init__(
        self,
        store: GameStore,
        agents: ChoosesMoves,
        addresses: AddressTable,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.storage, self.addresses, self.now = StoreAccess(store, addresses), addresses, now
        self.tasks = Tasks()
        self.agents = agents
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading = Turns(1)
        self._changed_meanwhile: dict[str, int] = {}  # of games that are being loaded
        self._watched: defaultdict[Watcher, set[str]] = defaultdict(set)  # games by client
        self._dropping: asyncio.TimerHandle | None = None
        self._claimed: dict[str, str] = {}  # games that we own and do not run yet, and why
        self._taking_over: asyncio.Task[None] | None = None
        self._catching_up = set[Room]()  # games that wait to be read again
        self._catch_up_turns = asyncio.Semaphore(CATCH_UP_AT_ONCE)

    @property
    def limits(self) -> ServerLimits:
        """The current limits."""
        return self.addresses.limits

    async def resume(self) -> None:
        """Run the unfinished games that no other server runs, now and whenever a server ends."""
        loop, store = asyncio.get_running_loop(), self.storage.store
        store.listen(lambda changes: _soon(loop, partial(self._hear, changes)))
        is_claimed = False
        try:
            self._run_claimed(await asyncio.to_thread(store.claim))
            is_claimed = True
        except StorageError as fault:
            LOG.warning("cannot run the unfinished games yet: %s", fault)
        if store.is_shared or not is_claimed:
            self.tasks.spawn(self._claim_forever())

    async def _claim(self) -> list[str]:
        """Call the store in a thread of its own: a lease must not wait for reads."""
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        claim = in_background(self.storage.store.claim, lambda: _soon(loop, ended.set))
        await ended.wait()
        return claim.result()

    async def _claim_forever(self) -> None:
        """Renew the lease of this server, and take over the games of servers that have gone.

        A store of one server has no leases: then once is enough.
        """
        store, lapses = self.storage.store, self.storage.store.lapses
        while True:
            await asyncio.sleep(CLAIM_SECONDS)
            self._catch_up(room for room in self._rooms.values() if room.is_behind)
            try:
                claimed = await self._claim()
            except StorageError:
                continue  # the store is down; its health reports it
            except Exception:
                LOG.exception("cannot take over games")
                continue
            if lapses != store.lapses:
                lapses = store.lapses
                self._hear(None)
            self._run_claimed(claimed)
            if not store.is_shared:
                return

    def _run_claimed(self, games: list[str]) -> None:
        """Run games that this server has taken over, and try those again that it could not run."""
        self._claimed.update(dict.fromkeys(games, ""))
        if self._claimed and (self._taking_over is None or self._taking_over.done()):
            self._taking_over = self.tasks.spawn(self._take_over())

    async def _take_over(self) -> None:
        for game_id, known_fault in list(self._claimed.items()):
            try:
                await (await self.get(game_id)).take_over()
            except RequestError as fault:
                if fault.code != known_fault:
                    LOG.warning("cannot run the game %s: %s", game_id, fault.message)
                if fault.code == "storage_unavailable":
                    del self._claimed[game_id]  # others come first, in a second
                    self._claimed[game_id] = fault.code
                    return
            del self._claimed[game_id]

    def _hear(self, changes: list[Change] | None) -> None:
        """Read the games again that another server has changed; None for all in memory."""
        if changes is None:
            self._changed_meanwhile.update(dict.fromkeys(self._changed_meanwhile, -1))
            self._catch_up(self._rooms.values())
            return
        for change in changes:
            if change.game in self._changed_meanwhile:
                self._changed_meanwhile[change.game] = change.sequence
            if (found := self._rooms.get(change.game)) is not None:
                self.tasks.spawn(found.hear(change))

    def _catch_up(self, rooms: Iterable[Room]) -> None:
        """Read games again: a few at a time, so that a slow database has time for players, too."""

        async def catch_up(room: Room) -> None:
            async with self._catch_up_turns:
                self._catching_up.discard(room)  # what is heard from now on may come too late
                await room.catch_up()

        for room in rooms:
            if room not in self._catching_up:
                self._catching_up.add(room)
                self.tasks.spawn(catch_up(room))

    async def close(self) -> None:
        """Stop all timers and searches."""
        if self._dropping is not None:
            self._dropping.cancel()
        for room in self._rooms.values():
            room.runner.stop()
        self.tasks.cancel()

    async def get(self, game_id: str, address: str = "") -> Room:
        """Return a game, from the store if it is not in memory: that is work for an address."""
        room = self._rooms.get(game_id)
        if room is not None and (self.storage.store.is_deaf or room.is_behind):
            await room.catch_up()
            room = self._rooms.get(game_id)
        if room is not None:
            self._rooms.move_to_end(game_id)
            return room
        if not is_game_id(game_id):
            raise RequestError("no_game", "There is no such game.")
        async with self._loading.of(address):
            if game_id in self._rooms:
                return self._rooms[game_id]
            room, sequence = await self._load(game_id, address)
        room.runner.proceed()
        await room.catch_up(sequence)
        return room

    async def _load(self, game_id: str, address: str) -> tuple[Room, int]:
        """Return a game from the store, and the number of the last event that it must have.

        Another server may have changed it meanwhile.
        """
        self._changed_meanwhile[game_id] = 0
        try:
            stored = await self.storage.read(_loaded, self.storage.store, game_id, address=address)
        except UnknownGameError as fault:
            message = "This server does not have the rules of this game."
            raise RequestError("unknown_game", message) from fault
        except DamagedGameError as fault:
            raise RequestError("damaged_game", "This game is damaged.") from fault
        finally:
            sequence = self._changed_meanwhile.pop(game_id)
        if stored is None:
            raise RequestError("no_game", "There is no such game.")
        return self._add(stored), sequence

    def open(self, state: GameState) -> None:
        """Let a game run that has just been stored."""
        room = self._add(StoredGame(state, {}, self.storage.store.server, 0.0))
        self.tasks.spawn(self.agents.prepare(state))
        room.runner.proceed()

    def _add(self, stored: StoredGame) -> Room:
        """Keep a game in memory."""

        def run(room: Room) -> GameRunner:
            return GameRunner(room, self.agents, self.addresses, self.tasks)

        room = self._rooms[stored.state.id] = Room(stored, self.storage, self.now, run, self._drop)
        self._drop_idle_soon()
        return room

    def _drop(self, room: Room) -> None:
        """Forget a game that the database does not have any more."""
        self._rooms.pop(room.state.id, None)

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
            if (room.state.is_over or not room.is_ours) and not room.audience
        ]
        for game_id in idle[: max(0, len(self._rooms) - MOST_IDLE_ROOMS)]:
            del self._rooms[game_id]

    def watch(self, watcher: Watcher, room: Room, hashed: bytes) -> None:
        """Send a client the news of a game; see `Audience.add`."""
        room.audience.add(watcher, hashed, self.limits.sockets_per_seat)
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
            room.audience.remove(watcher)
            self._drop_idle_soon()

    async def show_hosts(self) -> None:
        """Tell the lobby again and again which hosts of open games watch them here."""
        while True:
            await asyncio.sleep(HOST_SECONDS)
            if games := self.hosted():
                with suppress(RequestError):  # the store is down
                    await self.storage.read(self.storage.store.see_hosts, games)

    def hosted(self) -> list[str]:
        """Return the open games of the lobby whose hosts are here."""
        return [game_id for game_id, room in self._rooms.items() if room.is_hosted]

    def counts(self) -> dict[str, int]:
        """Return how many games are in memory, and how many of them are not over."""
        unfinished = sum(not room.state.is_over for room in self._rooms.values())
        return {"games_in_memory": len(self._rooms), "games_unfinished": unfinished}

    def is_unfinished(self, game_id: str) -> bool:
        """Return whether a game is in memory and not over."""
        room = self._rooms.get(game_id)
        return room is not None and not room.state.is_over


def _loaded(store: GameStore, game_id: str) -> StoredGame | None:
    stored = store.load(game_id)
    if stored is not None:
        prepare_view(stored.state.match.position.game)
    return stored


def _soon(loop: asyncio.AbstractEventLoop, call: Callable[[], None]) -> None:
    """Call back in the loop, from another thread; a loop that has ended hears no more."""
    if not loop.is_closed():
        loop.call_soon_threadsafe(call)
