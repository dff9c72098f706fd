"""The games in memory, and who watches them. One lock per game gives its events one order."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

import msgspec

from plyboard.play.fault import Fault
from plyboard.play.seat import SeatInput
from plyboard.search.common.choice import Choice
from plyboard.server import decisions
from plyboard.server.decisions import Decision
from plyboard.server.events import DamagedGameError, GameState
from plyboard.server.limits import DEFAULT_LIMITS, ServerLimits
from plyboard.server.protocol import OpenGame, encode_answer
from plyboard.server.store import (
    Append,
    ClientRequest,
    GameStore,
    StaleError,
    StorageError,
    Write,
)
from plyboard.server.tokens import is_game_id
from plyboard.server.views import game_view, open_game

LOG = logging.getLogger("plyboard.server")
Found = TypeVar("Found")
BOTH = 2  # the seat of one person who plays for both sides
MOST_IDLE_ROOMS = 1000  # kept in memory though nobody watches


class Watcher(Protocol):
    """A connected client."""

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
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    watchers: dict[Watcher, int | None] = field(default_factory=dict)  # with their seats
    requests: dict[str, tuple[str, int]] = field(default_factory=dict)  # as in `StoredGame`
    timer: asyncio.TimerHandle | None = None
    thinking: asyncio.Task[None] | None = None

    def player_of(self, seat: int | None) -> int | None:
        """Return the player of a seat; who has both seats is the player to move."""
        return self.state.match.mover if seat == BOTH else seat


class RequestError(Exception):
    """A request that is refused, with the code and the text of the answer."""

    def __init__(self, code: str, message: str) -> None:
        self.code, self.message = code, message
        super().__init__(message)


class Rooms:
    """All games of a server process: loads them, stores their events, and tells who watches."""

    def __init__(
        self,
        store: GameStore,
        agents: ChoosesMoves,
        limits: ServerLimits = DEFAULT_LIMITS,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.store, self.agents, self.limits, self.now = store, agents, limits, now
        self._rooms: OrderedDict[str, Room] = OrderedDict()
        self._loading = asyncio.Lock()
        self._tasks: set[asyncio.Task[Any]] = set()

    async def resume(self) -> int:
        """Load the unfinished games after a start; return how many there are."""
        ids = await asyncio.to_thread(self.store.unfinished)
        for game_id in ids:
            try:
                await self.get(game_id)
            except RequestError:
                continue  # damaged; `verify` names it
        return len(ids)

    async def close(self) -> None:
        """Stop all timers and searches."""
        for room in self._rooms.values():
            if room.timer is not None:
                room.timer.cancel()
            if room.thinking is not None:
                room.thinking.cancel()
        for task in list(self._tasks):
            task.cancel()

    async def get(self, game_id: str) -> Room:
        """Return a game, from the store if it is not in memory."""
        room = self._rooms.get(game_id)
        if room is not None:
            self._rooms.move_to_end(game_id)
            return room
        if not is_game_id(game_id):
            raise RequestError("no_game", "There is no such game.")
        async with self._loading:
            if game_id in self._rooms:
                return self._rooms[game_id]
            try:
                stored = await asyncio.to_thread(self.store.load, game_id)
            except DamagedGameError as fault:
                raise RequestError("damaged_game", "This game is damaged.") from fault
            if stored is None:
                raise RequestError("no_game", "There is no such game.")
            room = self.add(decisions.started(stored.state, self.now()), stored.requests)
        self.proceed(room)
        return room

    def add(self, state: GameState, requests: dict[str, tuple[str, int]] | None = None) -> Room:
        """Keep a game in memory."""
        room = self._rooms[state.id] = Room(state, requests=requests or {})
        self._drop_idle()
        return room

    def _drop_idle(self) -> None:
        """Forget finished games that nobody watches, the oldest first."""
        if len(self._rooms) <= MOST_IDLE_ROOMS:
            return
        idle = [
            key for key, room in self._rooms.items() if room.state.is_over and not room.watchers
        ]
        for game_id in idle[: len(self._rooms) - MOST_IDLE_ROOMS]:
            del self._rooms[game_id]

    def unwatch(self, watcher: Watcher, game_id: str) -> None:
        """Send a client no more news of a game."""
        room = self._rooms.get(game_id)
        if room is not None:
            room.watchers.pop(watcher, None)
            self._drop_idle()

    def forget(self, watcher: Watcher) -> None:
        """Send a client that has gone no more news."""
        for game_id in [each for each, room in self._rooms.items() if watcher in room.watchers]:
            self.unwatch(watcher, game_id)

    def counts(self) -> dict[str, int]:
        """Return how many games are in memory, and how many of them are not over."""
        unfinished = sum(not room.state.is_over for room in self._rooms.values())
        return {"games_in_memory": len(self._rooms), "games_unfinished": unfinished}

    def open_games(self) -> list[OpenGame]:
        """Return the public games that wait for a player."""
        waiting = [room.state for room in self._rooms.values() if room.state.is_waiting]
        return [open_game(state) for state in waiting if state.plan.is_public and not state.is_over]

    def broadcast(self, room: Room) -> None:
        """Send the game to all who watch it."""
        view = game_view(room.state, self.now())
        texts: dict[int | None, str] = {}
        for watcher, seat in room.watchers.items():
            if seat not in texts:
                texts[seat] = encode_answer(msgspec.structs.replace(view, you=room.player_of(seat)))
            watcher.send(texts[seat])

    def send_view(self, room: Room, watcher: Watcher) -> None:
        """Send the game to one client."""
        view = game_view(room.state, self.now())
        player = room.player_of(room.watchers[watcher])
        watcher.send(encode_answer(msgspec.structs.replace(view, you=player)))

    async def commit(
        self, room: Room, decision: Decision, request: ClientRequest | None, now: float
    ) -> None:
        """Store the events of a decision, then make it the state of the room."""
        if not decision.events:
            return
        try:
            await self.write(Append(room.state, decision.state, decision.events, request))
        except RequestError:
            await self._reload(room)
            raise
        if request is not None:
            room.requests[request.id] = request.asked, decision.state.sequence
        room.state = decisions.started(decision.state, max(now, self.now()))
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
            raise RequestError("stale", "The game has changed meanwhile.") from fault
        except StorageError as fault:
            raise RequestError(
                "storage_unavailable", "The server cannot store the move now. Try again."
            ) from fault

    async def _reload(self, room: Room) -> None:
        """Read a game again whose state in memory may be old."""
        try:
            stored = await asyncio.to_thread(self.store.load, room.state.id)
        except Exception:  # the store is down; the next write tells
            return
        if stored is not None and stored.state.sequence != room.state.sequence:
            room.requests = stored.requests
            room.state = decisions.started(stored.state, self.now())
            self.proceed(room)
            self.broadcast(room)

    def proceed(self, room: Room) -> None:
        """Set the timer of the clock, and let the agent to move think."""
        if room.timer is not None:
            room.timer.cancel()
            room.timer = None
        state = room.state
        if state.is_over:
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

    async def _time_is_up(self, room: Room, state: GameState) -> None:
        """End a game whose flag fell or whose player is gone, if nothing has happened since."""
        async with room.lock:
            if room.state.sequence != state.sequence or room.state.is_over:
                return
            decision = decisions.looked(room.state, self.now())
            if not decision.events and room.state.table.clock is None:
                decision = decisions.abandoned(room.state, _absence(room.state))
            elif not decision.events:
                self.proceed(room)
                return
            try:
                await self.commit(room, decision, None, self.now())
            except RequestError:
                return
        self.broadcast(room)

    async def _think(self, room: Room, state: GameState) -> None:
        """Ask the agent to move, and play its move if the game is still where it was."""
        said = await self.agents.choose(state, state.table.left_at(self.now()))
        async with room.lock:
            if room.state.sequence != state.sequence or room.state.is_over:
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
                await self.commit(room, decision, None, now)
            except RequestError:
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


def _absence(state: GameState) -> str:
    return "nobody joined" if state.is_waiting else "no move for too long"
